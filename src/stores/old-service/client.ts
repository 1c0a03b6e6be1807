// One old service that answers look-ups: a bounded number of calls at a time, and nothing but a text of status 200.

import type { OldServiceLocation } from '../../settings.ts'
import { createCall, NoReply } from './call.ts'

/** Asks for a query string; the body of the answer. @throws OldServiceError whatever else happens */
export type AskOldService = (query: string) => Promise<string>

/** An old service cannot answer, or not as the interface has it. The message is for the log, and holds no data. */
export class OldServiceError extends Error {}

export function createClient({ url, connections, timeout }: OldServiceLocation): AskOldService {
  const call = createCall(url, { connections, timeout })
  const waiting: (() => void)[] = []
  let busy = 0

  async function ask(query: string): Promise<string> {
    if (busy >= connections) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy++
    try {
      const { status, body } = await call(query)
      if (status !== 200) throw new OldServiceError(`the old service answers with status ${status}`)
      return read(body)
    } catch (error) {
      if (error instanceof NoReply) throw new OldServiceError(`the old service failed: ${error.message}`)
      throw error
    } finally {
      // Whoever waits takes the place over.
      const next = waiting.shift()
      if (next === undefined) busy--
      else next()
    }
  }
  return ask
}

/** @throws OldServiceError for what is no UTF-8, which would otherwise be patched over */
function read(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new OldServiceError('the old service answers with what is no UTF-8')
  }
}
