import type { Caller } from '../../caller.ts'
import { LookupError } from '../../errors.ts'
import { accepted } from '../accept.ts'
import type { Answer } from '../answer.ts'
import { refusal } from './respond.ts'
import { isReading, notAllowed, type Room, withAllow } from './room.ts'

/** What the legacy interface does with a query string (without its `?`). */
export interface Legacy {
  /** Whether it asks for a lookup, rather than coming from a person with a browser. */
  readonly isLookup: (query: string) => boolean
  readonly answer: (query: string, caller: Caller) => Answer | Promise<Answer>
  readonly refuse: (error: LookupError, query: string) => Answer
}

/**
 * The rooms of the paths on which lookups are answered, and the one of all paths that nothing answers for.
 */
export function legacyRooms(
  legacy: Legacy,
  paths: readonly string[],
  explorer: (() => Answer) | null,
): { readonly rooms: ReadonlyMap<string, Room>; readonly nowhere: Room } {
  const notFound = new LookupError('NotFound', [paths.join(', ')])
  const nowhere: Room = {
    answer: () => refusal(notFound),
    refuse: (error, { query }) => legacy.refuse(error, query),
  }
  const root = paths.includes('/') ? legacyRoom(legacy, explorer) : pageRoom(legacy, explorer, nowhere)
  // Below another path, the links of the page would lead astray.
  const others = legacyRoom(legacy, null)
  return { rooms: new Map([...paths.map((path) => [path, others] as const), ['/', root]]), nowhere }
}

/** Where no lookups are answered, there may still be the page. */
function pageRoom({ isLookup }: Legacy, explorer: (() => Answer) | null, nowhere: Room): Room {
  if (explorer === null) return nowhere
  return {
    ...nowhere,
    answer: (asked) => {
      const { request, query } = asked
      const isPage = isReading(request) && accepted(request.headers.accept).html && !isLookup(query)
      return isPage ? explorer() : nowhere.answer(asked)
    },
  }
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
