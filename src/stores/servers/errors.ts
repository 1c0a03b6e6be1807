// Classifies errors for lookups, and explains them to the operator. Each engine has a table of its error
// codes; errors of Node and of this gateway are the same for both. The wording may change. A wrong class
// takes a healthy server out, or fails a lookup that another server could answer: see error-suite.ts of the
// tests.

import type { DatabaseSetting } from '../../config/database.ts'
import { type CommandError, UsageError } from '../../terminal/command-error.ts'
import { messageOf } from '../../text.ts'
import { UnusableDatabase } from '../store.ts'

/** The server sent nothing for too long. */
export class QueryTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no response within ${milliseconds} ms`)
  }
}

/** A URL, or a file that it names, cannot be read: a retry does not help. */
export class WrongUrl extends Error {}

/** A name without a value is not shown: after an `&` in a password, the rest of the password is one. */
export function unknownParameter(name: string, value: string, allowed: string): WrongUrl {
  const shown = value === '' ? 'a parameter of the URL' : `the parameter ${name}`
  return new WrongUrl(`${shown} is unknown. Allowed: ${allowed}`)
}

/** The codes of an engine's errors, by what they mean. */
interface ErrorCodes {
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
  readonly connectionLost: RegExp
  /** The server may recover by itself; otherwise the operator has to fix something. */
  readonly passing: RegExp
}

interface ErrorTable {
  readonly codes: ErrorCodes
  /** The engine's code for an error; `null` if it is not the engine's. */
  readonly codeOf: (error: unknown) => string | null
  /** The driver's messages for a lost connection, and for a connection that took too long. */
  readonly lost: RegExp
  readonly connectTimeout: RegExp
  /** Messages of the driver by a pattern, and clearer ones. */
  readonly clearer: readonly (readonly [RegExp, string])[]
  /** Remedies, by a pattern of the code or of the text. The first pattern that matches counts. */
  readonly hints: Readonly<Record<string, string>>
  /** The remedy for a server that does not respond. */
  readonly slow: string
  /** The server and the database of a URL, without what may be secret. */
  readonly addressOf: (url: string) => string
}

export type ErrorKinds = ReturnType<typeof createErrorKinds>

const unreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH|ETIMEDOUT|timeout/
const running = 'Check that the server is running and that the address is correct.'

export function createErrorKinds(table: ErrorTable) {
  const { codes, codeOf, addressOf } = table
  const isCode = (pattern: RegExp) => (error: unknown) => pattern.test(codeOf(error) ?? '')
  const isMessage = (error: unknown, pattern: RegExp) => error instanceof Error && pattern.test(error.message)
  const isAboutData = isCode(codes.aboutData)
  const isTooLong = isCode(codes.tooLong)
  const isLockedOut = isCode(codes.lockedOut)
  const isCodeOfLoss = isCode(codes.connectionLost)
  const isPassingCode = isCode(codes.passing)

  /** Whether the connection was cut, by the server or on the way, rather than refused or silent. */
  const isConnectionLost = (error: unknown) =>
    codeOf(error) === null ? isMessage(error, table.lost) : isCodeOfLoss(error)

  /**
   * Whether the server cannot be reached now, and may be later; otherwise the operator has to fix something.
   */
  function isPassing(error: unknown): boolean {
    if (codeOf(error) !== null) return isPassingCode(error)
    if (error instanceof AggregateError) return error.errors.every(isPassing)
    return error instanceof QueryTimeout || isMessage(error, unreachable) || isConnectionLost(error)
  }

  const hints = [
    ...Object.entries(table.hints).map(([pattern, hint]) => [new RegExp(pattern), hint] as const),
    [codes.serverFull, 'Raise max_connections on the server, or lower DATABASE_CONNECTIONS.'],
    [codes.tooLong, table.slow],
    [codes.lockedOut, table.slow],
    [/no connection in time/, `${running} If the server is far away, raise DATABASE_TIMEOUT.`],
    [unreachable, running],
    [/no response within/, table.slow],
  ] as const

  /** One line: the reason of the error, then the remedy. */
  function describeError(error: unknown): string {
    const reason = reasonOf(error)
    const sign = codeOf(error) ?? reason
    const hint = hints.find(([pattern]) => pattern.test(sign) || pattern.test(reason))?.[1]
    return `${reason.replace(/[.\s]+$/, '')}.${hint === undefined ? '' : ` ${hint}`}`
  }

  /** The reason of the error, without the remedy. */
  function reasonOf(error: unknown): string {
    // For a name with several addresses Node has an error for each, and none of its own.
    if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
    if (isMessage(error, table.connectTimeout)) return 'no connection in time'
    const reason = messageOf(error).split('\n')[0] ?? ''
    return table.clearer.find(([pattern]) => pattern.test(reason))?.[1] ?? reason
  }

  return {
    codeOf,
    addressOf,
    isAboutData,
    isUntranslatable: isCode(codes.untranslatable),
    /** Lookups change nothing, so that querying twice does no harm. */
    isWorthRetrying: (error: unknown) => !isAboutData(error) && !isTooLong(error),
    isStatementTooSlow: (error: unknown) => isTooLong(error) || isLockedOut(error),
    isLoginRefused: isCode(codes.loginRefused),
    isServerFull: isCode(codes.serverFull),
    isConnectionLost,
    isPassing,
    reasonOf,
    describeError,
    /** The same as an error for the operator, with the setting to change. */
    unusable(setting: DatabaseSetting, url: string, error: unknown): CommandError {
      const text = `The database of ${setting} (${addressOf(url)}) cannot be used: ${describeError(error)}`
      return error instanceof WrongUrl ? new UsageError(text) : new UnusableDatabase(text)
    },
  }
}
