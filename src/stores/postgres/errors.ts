// The errors of PostgreSQL, by what they mean, and what the operator can do about each.

import { storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { createErrorKinds } from '../servers/errors.ts'

/** The SQLSTATE of an error of the server, five characters; `null` for any other error. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  // Every state has a digit. Node's EPIPE is no state.
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** The server and the database of a URL, without what may be secret. */
export function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}:${port || searchParams.get('port') || 5432}${pathname}`
}

/** A forum may have a table `users` of its own: then the error names a column of ours that it lacks. */
const columns = Object.values(relations)
  .flatMap(storedColumns)
  .map(({ sql }) => sql)
  .join('|')

export const errors = createErrorKinds({
  codeOf: sqlState,
  addressOf,
  codes: {
    aboutData: /^22/,
    untranslatable: /^22P05/,
    tooLong: /^57014/,
    lockedOut: /^55P03/,
    loginRefused: /^28/,
    serverFull: /^53300/,
    connectionLost: /^(?:08|57P01)/,
    passing: /^(?:08|53|57P)/,
  },
  lost: /ECONNRESET|EPIPE|terminated unexpectedly|not queryable/,
  connectTimeout: /timeout expired/,
  clearer: [[/client password must be a string/, 'a password is required, and none is set']],
  hints: {
    'behind the primary':
      'Check whether replication has stopped (pg_stat_wal_receiver). The server is read again when it has caught up.',
    '^28|a password is required': 'Check the user and the password.',
    '^3D000': 'Create the database (createdb), or correct its name.',
    '^3F000|^42P01':
      'Run "lookup migrate" to create missing tables. If they exist, set their schema in search_path.',
    '^42501':
      'If the views are in another schema, set it in search_path, and give the role no right on other tables. Otherwise, to serve, grant the role SELECT on users and apps. To import, grant SELECT, INSERT and DELETE on them, TEMPORARY on the database, and CREATE on the schema for missing tables.',
    [`^(?:users|apps)(?: has no column |[.][a-z_]+ is of type )|^column "(?:${columns})" does not exist`]:
      'Correct the view or table. If the views are in another schema, set it in search_path (?options=-c%20search_path%3DSCHEMA).',
    'unsupported startup parameter':
      'Set search_path by ALTER ROLE instead of in the URL: the proxy refuses options.',
    '^55P03': 'Another import may be running. Try again when it has ended.',
    'certificate (?:has expired|is not yet valid)':
      'Renew the certificate of the server and run pg_reload_conf() on it.',
    certificate:
      'Set sslrootcert=FILE to the certificate authority, or sslmode=no-verify to encrypt without verification.',
    'does not support SSL': 'Remove sslmode, or enable TLS on the server.',
    '^(?:users|apps): ':
      'Check whether the table is locked (pg_locks). ALTER TABLE and LOCK TABLE block readers.',
  },
  slow: 'Check for a locked table (pg_locks) and for overload. If the server is far away, raise DATABASE_TIMEOUT.',
})
