// A query of a log → what it asks for, as a gateway reads it.

import { LookupError } from '../../errors.ts'
import { legacyEvents } from '../../gateway/legacy/events/index.ts'
import { createRequestReader, type LegacyRequest } from '../../gateway/legacy/request.ts'
import type { Dialect } from '../../settings.ts'
import { askedBy } from '../access-log/legacy.ts'
import type { Asked } from './asked.ts'

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
      // A log may have millions of errors: where they come from is of no interest, and takes most of their
      // time.
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
