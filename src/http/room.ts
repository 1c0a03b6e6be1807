import type { IncomingMessage } from 'node:http'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Answer } from '../gateway/answer.ts'
import { refusal } from './respond.ts'

/** A request on its way to a room. */
export interface Asked {
  readonly request: IncomingMessage
  /** The query string, without its `?`. */
  readonly query: string
  readonly caller: Caller
  /** Whether there was room for it when it came. */
  readonly isAdmitted: boolean
  /** Bytes of its headers. */
  readonly headerBytes: number
}

/** What answers the requests for an address. */
export interface Room {
  readonly answer: (asked: Asked) => Answer | Promise<Answer>
  /** The answer to a request that is refused before the room is asked. */
  readonly refuse: (error: LookupError, asked: Asked) => Answer
  /** Reads bodies, and lets a request that has one in when that is there. */
  readonly readsBodies?: true
  /** Its requests are answered however much there is to do, and are not counted by RATE_LIMIT. */
  readonly isAlwaysAdmitted?: true
  /** Its requests are lookups, which ACCESS_LOG lists. */
  readonly isLegacy?: true
}

/** What can only be read: GET and HEAD. */
export function readingRoom(answer: (query: string, caller: Caller) => Answer | Promise<Answer>): Room {
  return {
    answer: ({ request, query, caller }) =>
      isReading(request) ? answer(query, caller) : withAllow(refusal(notAllowed)),
    refuse: refusal,
  }
}

export const notAllowed = new LookupError('MethodNotAllowed', ['GET, HEAD'])

export function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

export function withAllow(refused: Answer): Answer {
  return { ...refused, headers: [...refused.headers, 'Allow', 'GET, HEAD'] }
}
