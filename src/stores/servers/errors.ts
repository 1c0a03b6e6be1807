// What errors mean for a lookup, and for the operator. Each engine has a table of its own codes; what Node and
// this gateway report is the same for all.

import type { DatabaseSetting } from '../../config/database.ts'
import { messageOf } from '../../text.ts'
import { UnusableDatabase } from '../store.ts'

/** The server said nothing for too long. */
export class QueryTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no response within ${milliseconds} ms`)
  }
}

/** There was no connection in time, or none was free. */
export class ConnectTimeout extends Error {
  constructor() {
    super('no connection in time')
  }
}

/** It was ended at the server, since no client waits for it any more. */
export class QueryCancelled extends Error {
  constructor() {
    super('the query was cancelled')
  }
}

/** The query was under way at a server that went out of use. */
export class TakenOut extends Error {
  constructor() {
    super('the server was taken out of use')
  }
}

/** The codes of an engine's errors, by what they mean; where it says so, its driver's own words. */
interface ErrorTable {
  /** The engine's code for an error; `null` where it is not the engine that complains. */
  readonly codeOf: (error: unknown) => string | null
  /** About values in the data, and not about the server. */
  readonly aboutData: RegExp
  /** A text has characters that a column or database cannot have. One of those above. */
  readonly untranslatable: RegExp
  /** A statement took too long: it would take as long elsewhere. */
  readonly tooLong: RegExp
  /** It waited too long for a lock. */
  readonly lockedOut: RegExp
  /** It was ended at the server, as the gateway or an operator asked. */
  readonly cancelled: RegExp
  /** The engine, or a role on it, does not have what was asked: a function, a right, syntax. */
  readonly unsupported: RegExp
  readonly loginRefused: RegExp
  /** It takes no more connections, of this role or at all. */
  readonly serverFull: RegExp
  /** It is there, and answers no lookup for now: it starts, say, or a node has no quorum. */
  readonly unready: RegExp
  readonly connectionLost: { readonly code: RegExp; readonly words: RegExp }
  /** The server may be well again soon; otherwise the operator has to fix something. */
  readonly passing: RegExp
  readonly connectTimeout: RegExp
  /** Words of the driver, and better ones. */
  readonly inOtherWords: readonly (readonly [RegExp, string])[]
  /** What to do, by the code or by the text. */
  readonly hints: readonly (readonly [RegExp, string])[]
  /** What to do about a server that does not answer. */
  readonly slow: string
  /** The server and the database of a URL, without what may be secret. */
  readonly addressOf: (url: string) => string
}

export type ErrorKinds = ReturnType<typeof createErrorKinds>

const unreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH|ETIMEDOUT|timeout/
const running = 'Check that the server is running and that the address is correct.'
const far = 'If the server is far away, raise DATABASE_TIMEOUT.'

export function createErrorKinds(table: ErrorTable) {
  const { codeOf, addressOf } = table
  const hasCode = (error: unknown, pattern: RegExp) => pattern.test(codeOf(error) ?? '')

  const isAboutData = (error: unknown) => hasCode(error, table.aboutData)

  /**
   * Whether another server may do better: anything but a statement that took too long, which would take as
   * long there, or that was cancelled. Lookups change nothing, so that asking twice does no harm.
   */
  const isWorthRetrying = (error: unknown) =>
    !isAboutData(error) && !hasCode(error, table.tooLong) && !(error instanceof QueryCancelled)

  /** Whether the server ended it, since it took too long or waited for a lock for too long. */
  const isStatementTooSlow = (error: unknown): error is Error =>
    hasCode(error, table.tooLong) || hasCode(error, table.lockedOut)

  /** Whether the connection was cut, by the server or on the way, rather than refused or silent. */
  function isConnectionLost(error: unknown): boolean {
    if (codeOf(error) !== null) return hasCode(error, table.connectionLost.code)
    return error instanceof Error && table.connectionLost.words.test(error.message)
  }

  /** Whether there was no connection in time, or none was free. */
  const isConnectTimeout = (error: unknown) =>
    error instanceof ConnectTimeout || (error instanceof Error && table.connectTimeout.test(error.message))

  /**
   * Whether the server cannot be reached now, and may be later; otherwise the operator has to fix something.
   */
  function isPassing(error: unknown): boolean {
    if (codeOf(error) !== null) return hasCode(error, table.passing)
    if (error instanceof AggregateError) return error.errors.every(isPassing)
    return (
      error instanceof QueryTimeout ||
      error instanceof ConnectTimeout ||
      error instanceof TakenOut ||
      (error instanceof Error && (unreachable.test(error.message) || isConnectionLost(error)))
    )
  }

  const hints = [
    ...table.hints,
    [/no connection in time/, `${running} ${far}`],
    [unreachable, running],
    [/no response within/, table.slow],
  ] as const

  /** One line: what is wrong, and what to do about it. */
  function describeError(error: unknown): string {
    const reason = reasonOf(error)
    const sign = codeOf(error) ?? reason
    const hint = hints.find(([pattern]) => pattern.test(sign) || pattern.test(reason))?.[1]
    return `${reason.replace(/[.\s]+$/, '')}.${hint === undefined ? '' : ` ${hint}`}`
  }

  /** What is wrong, without what to do about it. */
  function reasonOf(error: unknown): string {
    // For a name with several addresses Node has an error for each, and none of its own.
    if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
    if (isConnectTimeout(error)) return 'no connection in time'
    const reason = messageOf(error).split('\n')[0] ?? ''
    return table.inOtherWords.find(([pattern]) => pattern.test(reason))?.[1] ?? reason
  }

  /** The same as an error for the operator, with the setting to change. */
  function unusable(setting: DatabaseSetting, url: string, error: unknown): UnusableDatabase {
    return new UnusableDatabase(
      `The database of ${setting} (${addressOf(url)}) cannot be used: ${describeError(error)}`,
    )
  }

  return {
    codeOf,
    addressOf,
    isAboutData,
    isUntranslatable: (error: unknown) => hasCode(error, table.untranslatable),
    isWorthRetrying,
    isStatementTooSlow,
    isCancelled: (error: unknown) => hasCode(error, table.cancelled),
    isUnsupported: (error: unknown) => hasCode(error, table.unsupported),
    isLoginRefused: (error: unknown) => hasCode(error, table.loginRefused),
    isServerFull: (error: unknown) => hasCode(error, table.serverFull),
    isUnready: (error: unknown) => hasCode(error, table.unready),
    isConnectionLost,
    isConnectTimeout,
    isPassing,
    reasonOf,
    describeError,
    unusable,
  }
}
