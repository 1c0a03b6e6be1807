// What PostgreSQL's errors mean for a lookup, and for the person who has to mend it.

import type { DatabaseSetting } from '../../settings.ts'
import { UnusableDatabase } from '../store.ts'

/** The server said nothing for too long. */
export class QueryTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`)
  }
}

/**
 * The five characters by which PostgreSQL classifies an error; `null` where it is not PostgreSQL that
 * complains.
 */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  // All have a digit; Node's EPIPE is no state.
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** Whether it is about values in the data (class 22), and not about the server. */
export function isAboutData(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') === true
}

/**
 * Whether another server may do better: anything but a statement that took too long, which would take as long
 * there. Lookups change nothing, so that asking twice does no harm.
 */
export function isWorthRetrying(error: unknown): boolean {
  return !isAboutData(error) && sqlState(error) !== '57014'
}

/** Whether a text has characters that the database's encoding lacks. */
export function isUntranslatable(error: unknown): boolean {
  return sqlState(error) === '22P05'
}

/**
 * Whether a prepared statement no longer fits what it reads, or is not there (behind a proxy that shares
 * sessions).
 */
export function isStalePlan(error: unknown): boolean {
  const state = sqlState(error)
  return state === '0A000' || state === '26000'
}

/**
 * Whether an engine, or a role on it, does not have what was asked: a function, type, right, syntax or
 * feature.
 */
export function isUnsupported(error: unknown): boolean {
  return /^(?:42883|42704|42501|42601|0A000)$/.test(sqlState(error) ?? '')
}

export function isLoginRefused(error: unknown): boolean {
  return sqlState(error)?.startsWith('28') === true
}

/** Whether it takes no more connections, of this role or at all. */
export function isServerFull(error: unknown): boolean {
  return sqlState(error) === '53300'
}

/** Whether the connection was cut, by the server or on the way, rather than refused or silent. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== null) return /^(?:08|57P01)/.test(state)
  return (
    error instanceof Error && /ECONNRESET|EPIPE|terminated unexpectedly|not queryable/.test(error.message)
  )
}

/**
 * Whether the server cannot be reached now, and may be later; otherwise the operator has to fix something.
 */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== null) return /^(?:08|53|57P)/.test(state)
  if (error instanceof AggregateError) return error.errors.every(isPassing)
  return (
    error instanceof QueryTimeout ||
    (error instanceof Error && (unreachable.test(error.message) || isConnectionLost(error)))
  )
}

const unreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)UNREACH|ETIMEDOUT|timeout/

const hints: readonly (readonly [RegExp, string])[] = [
  [/^28|a password is needed/, 'Check the user and the password.'],
  [/^3D000/, 'Make the database first (createdb), or check its name.'],
  [/^3F000|^42P01/, '"lookup migrate" makes missing tables; a search_path may be missing.'],
  [
    /^42501/,
    'Grant its role what it needs: SELECT on users and apps to serve; CREATE on the schema and both tables to fill them.',
  ],
  [/^55P03/, 'Another import may be under way.'],
  [/^53300/, 'Raise max_connections there, or lower DATABASE_CONNECTIONS here.'],
  [
    /certificate (?:has expired|is not yet valid)/,
    'Renew the certificate of the server, and have it read (pg_reload_conf); check the clocks of both machines.',
  ],
  [
    /certificate/,
    'Name the authority by sslrootcert=FILE, or encrypt without checking by sslmode=no-verify.',
  ],
  [/does not support SSL/, 'Leave out sslmode, or switch TLS on there.'],
  [unreachable, 'Is the server running, and is this its address?'],
  [/no answer/, 'Is the server running, and is this its address?'],
]

/** One line: what is wrong, and what to do about it. */
export function describeError(error: unknown): string {
  const reason = reasonOf(error)
  const sign = sqlState(error) ?? reason
  const hint = hints.find(([pattern]) => pattern.test(sign) || pattern.test(reason))?.[1]
  return `${reason.replace(/[.\s]+$/, '')}.${hint === undefined ? '' : ` ${hint}`}`
}

/** The same as an error for the operator, with the setting to change. */
export function unusable(setting: DatabaseSetting, url: string, error: unknown): UnusableDatabase {
  return new UnusableDatabase(
    `The database of ${setting} (${addressOf(url)}) cannot be used: ${describeError(error)}`,
  )
}

/** Where the driver speaks of itself. */
const inOtherWords: readonly (readonly [RegExp, string])[] = [
  [/timeout exceeded when trying to connect|due to connection timeout|timeout expired/, 'no answer in time'],
  [/client password must be a string/, 'a password is needed, and none is given'],
]

function reasonOf(error: unknown): string {
  // For a name with several addresses Node has an error for each, and none of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
  return inOtherWords.find(([pattern]) => pattern.test(reason))?.[1] ?? reason
}

/** The server and the database of a URL, without what may be secret. */
export function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}:${port || searchParams.get('port') || 5432}${pathname}`
}
