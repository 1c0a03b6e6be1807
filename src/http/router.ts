// What answers a request: guards in their order, then rooms by the exact pathname. Routing happens before any
// library sees the request.

import { LookupError } from '../errors.ts'
import type { Answer } from '../gateway/answer.ts'
import { hasHost } from './host.ts'
import type { RateLimit } from './rate-limit.ts'
import { bare } from './respond.ts'
import type { Asked, Room } from './room.ts'
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES } from './target.ts'

export interface Router {
  readonly roomAt: (pathname: string) => Room
  /** Asks a room, unless the request is refused before. */
  readonly answer: (room: Room, asked: Asked) => Answer | Promise<Answer>
}

interface RouterOptions {
  /** By the pathname that each answers for. */
  readonly rooms: ReadonlyMap<string, Room>
  /** What answers for every other pathname. */
  readonly nowhere: Room
  /** `null` where clients may ask for any number of values. */
  readonly rateLimit: RateLimit | null
}

/** What is wrong with a request, whatever it asks for; `null` for nothing. */
type Guard = (asked: Asked, room: Room) => LookupError | Answer | null

// Made once: what it costs to refuse is what is missing for answers.
const headersTooLong = bare(431)
const overloaded = new LookupError('Overloaded')
const targetTooLong = new LookupError('TooLongTarget', [String(MAX_TARGET_BYTES)])
const malformedHost = new LookupError('MalformedHost')

const guards: readonly Guard[] = [
  ({ headerBytes }) => (headerBytes > MAX_HEADER_BYTES ? headersTooLong : null),
  ({ isAdmitted }, { isAlwaysAdmitted }) => (isAdmitted || isAlwaysAdmitted ? null : overloaded),
  ({ request: { url = '' } }) => (url.length > MAX_TARGET_BYTES ? targetTooLong : null),
  ({ request }) => (hasHost(request) ? null : malformedHost),
]

export function createRouter({ rooms, nowhere, rateLimit }: RouterOptions): Router {
  function answer(room: Room, asked: Asked): Answer | Promise<Answer> {
    for (const guard of guards) {
      const refused = guard(asked, room)
      if (refused instanceof LookupError) return room.refuse(refused, asked)
      if (refused !== null) return refused
    }
    return rateLimit === null || room.isAlwaysAdmitted
      ? room.answer(asked)
      : answerWithin(rateLimit, room, asked)
  }

  return { roomAt: (pathname) => rooms.get(pathname) ?? nowhere, answer }
}

async function answerWithin(limit: RateLimit, room: Room, asked: Asked): Promise<Answer> {
  const { request, caller } = asked
  // The preflight of a browser: refused, it would hide the refusal of the request itself.
  if (request.method === 'OPTIONS') return room.answer(asked)
  const { check, charge, isCharged } = limit(request)
  try {
    await check()
    const answer = await room.answer({ ...asked, caller: { ...caller, charge } })
    // What was kept, or refused, has looked nothing up.
    if (!isCharged()) await charge(answer.about.values)
    return answer
  } catch (error) {
    if (error instanceof LookupError) return room.refuse(error, asked)
    throw error
  }
}
