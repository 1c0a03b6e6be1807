// Classifies errors for lookups, and explains them to the operator. Each engine has a table of its error
// codes; errors of Node and of this gateway are the same for both.

import type { DatabaseSetting } from '../../config/database.ts'
import { messageOf } from '../../text.ts'
import { UnusableDatabase } from '../store.ts'

/** The server sent nothing for too long. */
export class QueryTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no response within ${milliseconds} ms`)
  }
}

/** The codes of an engine's errors, by what they mean. */
interface ErrorTable {
  /** The engine's code for an error; `null` if it is not the engine's. */
  readonly codeOf: (error: unknown) => string | null
  /** The error is about values in the data, not about the server. */
  readonly aboutData: RegExp
  /** A text has characters that the column or database cannot hold. These errors are about data, too. */
  readonly untranslatable: RegExp
  /** A statement took too long. It would take as long on another server. */
  readonly tooLong: RegExp
  /** A statement waited too long for a lock. */
  readonly lockedOut: RegExp
  readonly loginRefused: RegExp
  /** The server takes no more connections, of this role or at all. */
  readonly serverFull: RegExp
  /** The server responds, but refuses lookups for now: it is starting, or a node has no quorum. */
  readonly unready: RegExp
  readonly connectionLost: { readonly code: RegExp; readonly message: RegExp }
  /** The server may recover by itself; otherwise the operator has to fix something. */
  readonly passing: RegExp
  readonly connectTimeout: RegExp
  /** Messages of the driver by a pattern, and clearer ones. */
  readonly clearer: readonly (readonly [RegExp, string])[]
  /** What to do, by a pattern of the code or of the text. The first that fits counts. */
  readonly hints: Readonly<Record<string, string>>
  /** What to do about a server that does not respond. */
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
  const isCode = (pattern: RegExp) => (error: unknown) => pattern.test(codeOf(error) ?? '')
  const isMessage = (pattern: RegExp) => (error: unknown) =>
    error instanceof Error && pattern.test(error.message)
  const isAboutData = isCode(table.aboutData)
  const isTooLong = isCode(table.tooLong)
  const isLockedOut = isCode(table.lockedOut)
  const isCodeOfLoss = isCode(table.connectionLost.code)
  const isMessageOfLoss = isMessage(table.connectionLost.message)
  const isPassingCode = isCode(table.passing)
  const isConnectTimeout = isMessage(table.connectTimeout)

  /** Whether the connection was cut, by the server or on the way, rather than refused or silent. */
  const isConnectionLost = (error: unknown) =>
    codeOf(error) === null ? isMessageOfLoss(error) : isCodeOfLoss(error)

  /**
   * Whether the server cannot be reached now, and may be later; otherwise the operator has to fix something.
   */
  function isPassing(error: unknown): boolean {
    if (codeOf(error) !== null) return isPassingCode(error)
    if (error instanceof AggregateError) return error.errors.every(isPassing)
    return error instanceof QueryTimeout || isMessage(unreachable)(error) || isConnectionLost(error)
  }

  const hints = [
    ...Object.entries(table.hints).map(([pattern, hint]) => [new RegExp(pattern), hint] as const),
    [table.serverFull, 'Raise max_connections on the server, or lower DATABASE_CONNECTIONS.'],
    [table.tooLong, table.slow],
    [table.lockedOut, table.slow],
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
    return table.clearer.find(([pattern]) => pattern.test(reason))?.[1] ?? reason
  }

  return {
    codeOf,
    addressOf,
    isAboutData,
    isUntranslatable: isCode(table.untranslatable),
    /** Lookups change nothing, so that querying twice does no harm. */
    isWorthRetrying: (error: unknown) => !isAboutData(error) && !isTooLong(error),
    isStatementTooSlow: (error: unknown): error is Error => isTooLong(error) || isLockedOut(error),
    isLoginRefused: isCode(table.loginRefused),
    isServerFull: isCode(table.serverFull),
    isUnready: isCode(table.unready),
    isConnectionLost,
    isPassing,
    reasonOf,
    describeError,
    /** The same as an error for the operator, with the setting to change. */
    unusable: (setting: DatabaseSetting, url: string, error: unknown) =>
      new UnusableDatabase(
        `The database of ${setting} (${addressOf(url)}) cannot be used: ${describeError(error)}`,
      ),
  }
}
