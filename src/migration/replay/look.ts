// Both services are asked once before a replay reads its log: a log may take long to read, and a service that
// is not there is known at once.

import { type Call, NoReply } from '../../stores/old-service/call.ts'

/** Harmless: a lookup, as any client sends it. */
const QUESTION = 'Event=ProfileLookup&Users=1'

/**
 * Any answer will do, but one that asks for a login: two services that refuse every client would seem alike.
 * A service that is slow or in trouble at this moment is no reason to give up.
 * @returns what is wrong: one cannot be reached, redirects, or asks for a login; `null` where nothing is
 */
export async function lookAtBoth(old: Call, fresh: Call, signal: AbortSignal): Promise<string | null> {
  const [was, is] = await Promise.all([problemOf(old, signal), problemOf(fresh, signal)])
  const problems = [
    ...(was === null ? [] : [`the old service: ${was}`]),
    ...(is === null ? [] : [`the new service: ${is}`]),
  ]
  return problems.length === 0 ? null : problems.join('; ')
}

async function problemOf(call: Call, signal: AbortSignal): Promise<string | null> {
  try {
    const { status, headers } = await call(QUESTION, { signal })
    // RFC 9110 has this header with each 401. Some old services say 401 and mean that nobody was found.
    if (status !== 401 || headers['www-authenticate'] === undefined) return null
    return 'it requires a login: add it to the address, https://USER:PASSWORD@…'
  } catch (error) {
    if (signal.aborted) return null
    if (!(error instanceof NoReply)) throw error
    return error.kind === 'unreachable' || error.kind === 'redirected' ? error.message : null
  }
}
