// A query string of a log → what it asks for, as a gateway with this dialect reads it.

import { LookupError } from '../../errors.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { createCallReader, type LegacyRequest } from '../../legacy/request.ts'
import { askedBy } from '../logs/legacy.ts'
import type { Asked } from './asked.ts'

/**
 * Names the event, method and format of each query, or the error with which the gateway refuses it.
 * @param maxValues LEGACY_MAX_VALUES
 * @param keep returns one object for all equal ones
 */
export function createAskedReader(
  dialect: Dialect,
  maxValues: number,
  keep: (asked: Asked) => Asked,
): (query: string) => Asked {
  const { read } = createCallReader(dialect, maxValues)
  const methods = { ID: 'id', USERNAME: 'username', CHAT: dialect.chatMethod } as const

  function askedOf({ event, format, method }: LegacyRequest): Asked {
    return keep({
      event: event.name,
      method: event.subject === 'users' && method !== null ? methods[method] : '',
      format: format === 'xml' ? 'XML' : 'JSON',
      problem: '',
    })
  }

  return (query) => {
    const { stackTraceLimit } = Error
    try {
      // A log may have millions of refused requests; stack traces would take most of the time.
      Error.stackTraceLimit = 0
      return askedOf(read(query))
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      return keep({ ...askedBy(query), problem: error.code })
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }
}
