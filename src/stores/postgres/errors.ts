// What PostgreSQL's errors mean for a lookup, and for the operator who has to mend it.

import { createErrorKinds } from '../servers/errors.ts'

/**
 * The five characters by which PostgreSQL classifies an error; `null` where it is not PostgreSQL that
 * complains.
 */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  // All have a digit; Node's EPIPE is no state.
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** The server and the database of a URL, without what may be secret. */
export function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}:${port || searchParams.get('port') || 5432}${pathname}`
}

const slow =
  'Is a table locked (pg_locks), or the server overloaded? If it is far away, raise DATABASE_TIMEOUT.'

export const errors = createErrorKinds({
  codeOf: sqlState,
  addressOf,
  aboutData: /^22/,
  untranslatable: /^22P05/,
  tooLong: /^57014/,
  lockedOut: /^55P03/,
  cancelled: /^57014/,
  unsupported: /^(?:42883|42704|42501|42601|0A000)$/,
  loginRefused: /^28/,
  serverFull: /^53300/,
  unready: /^57P03/,
  connectionLost: {
    code: /^(?:08|57P01)/,
    words: /ECONNRESET|EPIPE|terminated unexpectedly|not queryable/,
  },
  passing: /^(?:08|53|57P)/,
  connectTimeout: /timeout exceeded when trying to connect|due to connection timeout|timeout expired/,
  inOtherWords: [[/client password must be a string/, 'a password is needed, and none is given']],
  hints: [
    [
      /behind the primary/,
      'Has replication stopped there (pg_stat_wal_receiver)? It is read from once it has caught up.',
    ],
    [/^28|a password is needed/, 'Check the user and the password.'],
    [/^3D000/, 'Make the database first (createdb), or check its name.'],
    [/^3F000|^42P01/, '"lookup migrate" makes missing tables; a search_path may be missing.'],
    [
      /^42501/,
      'Grant its role what it needs: SELECT on users and apps to serve; CREATE on the schema and both tables to fill them.',
    ],
    [/^55P03/, 'Another import may be under way: try again when it has ended.'],
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
    [/^(?:users|apps): /, 'Is the table locked (pg_locks)? ALTER TABLE and LOCK TABLE keep readers waiting.'],
    [/statement timeout/, slow],
  ],
  slow,
})

export const {
  isAboutData,
  isConnectionLost,
  isPassing,
  isUnsupported,
  isUntranslatable,
  isWorthRetrying,
  describeError,
  unusable,
} = errors

/**
 * Whether a prepared statement no longer fits what it reads, or is not there (behind a proxy that shares
 * sessions).
 */
export function isStalePlan(error: unknown): boolean {
  const state = sqlState(error)
  return state === '0A000' || state === '26000'
}
