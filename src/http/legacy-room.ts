import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import { accepted } from '../gateway/accept.ts'
import type { Answer } from '../gateway/answer.ts'
import { hasBody } from './body.ts'
import type { Admission } from './overload.ts'
import { preflight } from './preflight.ts'
import { refusal } from './respond.ts'
import { type Asked, isReading, notAllowed, type Room, withAllow } from './room.ts'

/** What the legacy interface does with a query string (without its `?`). */
export interface Legacy {
  /** Whether it asks for a lookup, rather than coming from a person with a browser. */
  readonly isLookup: (query: string) => boolean
  readonly answer: (query: string, caller: Caller) => Answer | Promise<Answer>
  readonly refuse: (error: LookupError, query: string) => Answer
}

/** What the gateway itself can do for a request to the legacy interface. */
export interface OwnSide {
  readonly answer: () => Answer | Promise<Answer>
  readonly refuse: (error: LookupError) => Answer
}

/**
 * Answers requests to the legacy interface in its place, or has it answer.
 */
export type Divert = (asked: Asked, own: OwnSide, place: Place) => Answer | Promise<Answer>

/** The place of a request among those in flight. */
export interface Place {
  /** Takes it for a request whose body is there, if it has one. */
  readonly admit: (make: () => Answer | Promise<Answer>) => Answer | Promise<Answer>
  readonly elsewhere: Admission['elsewhere']
}

/** What diverts requests, and what lets them in. */
export interface Diversion {
  readonly divert: Divert
  readonly admission: Admission
}

/**
 * The rooms of the paths on which lookups are answered, and the one of all paths that nothing answers for.
 */
export function legacyRooms(
  legacy: Legacy,
  paths: readonly string[],
  explorer: (() => Answer) | null,
  diversion: Diversion | null = null,
): { readonly rooms: ReadonlyMap<string, Room>; readonly nowhere: Room } {
  const notFound = new LookupError('NotFound', [paths.join(', ')])
  const nowhere: Room = {
    answer: () => refusal(notFound),
    refuse: (error, { query }) => legacy.refuse(error, query),
  }
  const root = paths.includes('/')
    ? legacyRoom(legacy, explorer, diversion)
    : pageRoom(legacy, explorer, nowhere)
  // Below another path, the links of the page would lead astray.
  const others = legacyRoom(legacy, null, diversion)
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

const answerPreflight = preflight('GET, HEAD, OPTIONS', 'none')

/** @param explorer the page for browsers that ask for no lookup; `null` where it is switched off */
export function legacyRoom(
  legacy: Legacy,
  explorer: (() => Answer) | null,
  diversion: Diversion | null = null,
): Room {
  const own: Room['answer'] = ({ request, query, caller }) => {
    if (isReading(request)) return legacy.answer(query, caller)
    return request.method === 'OPTIONS'
      ? answerPreflight(request)
      : withAllow(legacy.refuse(notAllowed, query))
  }
  const lookUp = diversion === null ? own : diverted(legacy, own, diversion)
  return {
    answer: (asked) => {
      const { request, query } = asked
      if (explorer === null || !isReading(request)) return lookUp(asked)
      return accepted(request.headers.accept).html && !legacy.isLookup(query) ? explorer() : lookUp(asked)
    },
    refuse: (error, { query }) => legacy.refuse(error, query),
    isLegacy: true,
    // Bodies are not read here, but may be by what requests are diverted to.
    ...(diversion !== null && { readsBodies: true }),
  }
}

const overloaded = new LookupError('Overloaded')

function diverted(legacy: Legacy, own: Room['answer'], { divert, admission }: Diversion): Room['answer'] {
  async function enter(query: string, make: () => Answer | Promise<Answer>): Promise<Answer> {
    const entered = performance.now()
    const isAdmitted = admission.enter(entered)
    try {
      return isAdmitted ? await make() : legacy.refuse(overloaded, query)
    } finally {
      admission.leave(isAdmitted, performance.now() - entered)
    }
  }

  return (asked) => {
    const { request, query } = asked
    const side = { answer: () => own(asked), refuse: (error: LookupError) => legacy.refuse(error, query) }
    const admit: Place['admit'] = (make) => (hasBody(request) ? enter(query, make) : make())
    return divert(asked, side, { admit, elsewhere: admission.elsewhere })
  }
}
