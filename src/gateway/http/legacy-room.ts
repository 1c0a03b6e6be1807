import type { Caller } from '../../caller.ts'
import type { LookupError } from '../../errors.ts'
import { accepted } from '../accept.ts'
import type { Answer } from '../answer.ts'
import { isReading, notAllowed, type Room, withAllow } from './room.ts'

/** What the legacy interface does with a query string (without its `?`). */
export interface Legacy {
  /** Whether it asks for a lookup, rather than coming from a person with a browser. */
  readonly isLookup: (query: string) => boolean
  readonly answer: (query: string, caller: Caller) => Answer | Promise<Answer>
  readonly refuse: (error: LookupError, query: string) => Answer
}

/** @param explorer the page for browsers that ask for no lookup; `null` where it is switched off */
export function legacyRoom(legacy: Legacy, explorer: (() => Answer) | null): Room {
  return {
    answer: ({ request, query, caller }) => {
      if (!isReading(request)) return withAllow(legacy.refuse(notAllowed, query))
      if (explorer !== null && accepted(request.headers.accept).html && !legacy.isLookup(query))
        return explorer()
      return legacy.answer(query, caller)
    },
    refuse: (error, { query }) => legacy.refuse(error, query),
  }
}
