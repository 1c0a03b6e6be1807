// Kinds of requests: the event, method and format, and the error with which the gateway refuses the request.

import { LookupError } from '../../errors.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { createRequestReader } from '../../legacy/request.ts'
import { copyOf } from '../../text.ts'
import { type LegacyCall, namesIn } from '../logs/legacy.ts'

export interface RequestKind {
  readonly event: string
  /** Empty for a lookup of apps. */
  readonly method: string
  readonly format: string
  /** The code of the error of the gateway as configured; empty for none. */
  readonly problem: string
}

/** Kinds with an error. Clients can make up names; further kinds count as other. */
const MAX_REFUSED = 1_000
export const OTHER_KIND: RequestKind = { event: 'other', method: 'other', format: 'other', problem: 'other' }

/**
 * Returns one object for all requests of a kind.
 * @param dialect of the gateway
 * @param maxValues LEGACY_MAX_VALUES
 */
export function createKindReader(dialect: Dialect, maxValues: number): (call: LegacyCall) => RequestKind {
  const { read } = createRequestReader(dialect, maxValues)
  const methods = { ID: 'id', USERNAME: 'username', CHAT: dialect.chatMethod } as const
  const known = new Map<string, RequestKind>()
  let refused = 0

  function kindOf(query: string): RequestKind {
    const { stackTraceLimit } = Error
    try {
      // A log may have millions of refused requests; stack traces would take most of the time.
      Error.stackTraceLimit = 0
      const { event, format, method } = read(query)
      return {
        event: event.name,
        method: event.subject === 'users' && method !== null ? methods[method] : '',
        format: format === 'xml' ? 'XML' : 'JSON',
        problem: '',
      }
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      return { ...namesIn(query), problem: error.code }
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }

  return ({ query, posted }) => {
    const { event, method, format, problem: own } = kindOf(query)
    // The gateway refuses each POST.
    const problem = posted ? 'MethodNotAllowed' : own
    const key = `${event}\0${method}\0${format}\0${problem}`
    const kind = known.get(key)
    if (kind !== undefined) return kind
    if (problem !== '' && ++refused > MAX_REFUSED) return OTHER_KIND
    const fresh = { event: copyOf(event), method: copyOf(method), format: copyOf(format), problem }
    known.set(key, fresh)
    return fresh
  }
}
