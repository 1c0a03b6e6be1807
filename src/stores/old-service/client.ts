// One old service that answers lookups. An answer is a UTF-8 text of status 200; all else is a failure.

import type { OldServiceLocation } from '../../settings.ts'
import { createCall } from './call.ts'
import { failureFrom, failureOf, OldServiceError } from './failure.ts'

/** Sends a query string and resolves to the body of the answer. @throws OldServiceError */
export type AskOldService = (query: string) => Promise<string>

export function createClient({ url, connections, timeout }: OldServiceLocation): AskOldService {
  const call = createCall(url, { connections, timeout })
  return async (query) => {
    const reply = await call(query).catch((error: unknown) => {
      throw failureFrom(error)
    })
    const failure = failureOf(reply)
    if (failure !== null) throw failure
    return read(reply.body)
  }
}

/** @throws OldServiceError for what is not UTF-8, which would otherwise be patched over */
function read(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new OldServiceError('the old service answers with what is no UTF-8')
  }
}
