// One old service that answers lookups. An answer is a UTF-8 text of status 200; all else is a failure.

import type { Clock } from '../../clock.ts'
import type { OldServiceLocation } from '../../config/database.ts'
import { createCall, type Reply } from './call.ts'
import { failureFrom, failureOf, OldServiceError } from './failure.ts'

/** Sends a query string and resolves to the body of the answer. @throws OldServiceError */
export type AskOldService = (query: string) => Promise<string>

export function createClient(location: OldServiceLocation, clock?: Clock): AskOldService {
  const call = createCall(location, location, clock)
  return async (query) => {
    const reply = await call(query).catch((error: unknown) => {
      throw failureFrom(error)
    })
    return textOf(reply)
  }
}

/** @throws OldServiceError for what is no answer, and for what is not UTF-8: it would be patched over */
export function textOf(reply: Reply): string {
  const failure = failureOf(reply)
  if (failure !== null) throw failure
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(reply.body)
  } catch {
    throw new OldServiceError('the old service answers with text that is not UTF-8')
  }
}
