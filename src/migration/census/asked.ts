// What a client asks for, and what is wrong with it.

import { LookupError } from '../../errors.ts'
import { legacyEvents } from '../../gateway/legacy/events/index.ts'
import { createRequestReader, type LegacyRequest } from '../../gateway/legacy/request.ts'
import type { Dialect } from '../../settings.ts'
import { ownCopy } from '../../text.ts'
import { askedBy, type Asked as Named } from '../access-log/legacy.ts'

export interface Asked extends Named {
  /** The code of the error with which the gateway answers, as it is set; empty for none. */
  readonly problem: string
}

/** Queries with an error whose names are told apart: clients make them up. */
const MAX_WRONG = 1_000

/** Stands for what is not told apart. */
export const OTHER_ASKED: Asked = { event: 'other', method: 'other', format: 'other', problem: 'other' }

export const keyOfAsked = ({ event, method, format, problem }: Asked) =>
  `${event}\0${method}\0${format}\0${problem}`

/** Keeps one of those that are equal, so that they can be told apart by identity. */
export function createAskedTable(): (asked: Asked) => Asked {
  const table = new Map<string, Asked>()
  let wrong = 0
  return (asked) => {
    const key = keyOfAsked(asked)
    const known = table.get(key)
    if (known !== undefined) return known
    if (asked.problem !== '' && ++wrong > MAX_WRONG) return OTHER_ASKED
    const { event, method, format, problem } = asked
    const own = { event: ownCopy(event), method: ownCopy(method), format: ownCopy(format), problem }
    table.set(key, own)
    return own
  }
}

/** @returns reads a query string (without its `?`) as a gateway with this dialect does */
export function createAskedReader(dialect: Dialect, keep: (asked: Asked) => Asked): (query: string) => Asked {
  const { parse } = createRequestReader(legacyEvents(dialect), dialect)
  const methods: Readonly<Record<string, string>> = {
    ID: 'id',
    USERNAME: 'username',
    CHAT: dialect.chatMethod,
  }
  const answered = new Map<string, Asked>()

  /** What is answered has a few names only: theirs are in the dialect. */
  function askedOf({ event: { name: event }, format, lookup }: LegacyRequest): Asked {
    const by = String(lookup.variables.by ?? '')
    const key = `${event} ${format} ${by}`
    const known = answered.get(key)
    if (known !== undefined) return known
    const asked = keep({ event, method: methods[by] ?? '', format, problem: '' })
    answered.set(key, asked)
    return asked
  }

  return (query) => {
    const { stackTraceLimit } = Error
    try {
      // A log may have millions of errors: where they come from is of no interest, and takes most of their time.
      Error.stackTraceLimit = 0
      return askedOf(parse(query))
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      return keep({ ...askedBy(query), problem: error.code })
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }
}
