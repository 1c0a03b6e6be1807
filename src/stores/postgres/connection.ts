// How a server is reached: a URL, read as PostgreSQL's own programs read it.

import type pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { ConnectionLimits } from '../servers/login.ts'

const INT8 = 20
const INT2 = 21
const INT4 = 23
const BOOL_OID = 16

/** The object identifiers of the types that a column may have, for each kind of column. */
export const typeOids: Readonly<Record<'integer' | 'string' | 'boolean', readonly number[]>> = {
  integer: [INT8, INT4, INT2],
  string: [25, 1043], // text, varchar
  boolean: [BOOL_OID],
}

/**
 * JavaScript has no whole numbers beyond 2^53, and answers must not be nearly right. Such a row is refused,
 * and named by its own id.
 */
function readInteger(text: string): number | string {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => {
    if (oid === INT8 || oid === INT4 || oid === INT2) return readInteger
    return oid === BOOL_OID ? (text: string) => text === 't' : (text: string) => text
  },
}

/** @throws where the URL cannot be read, or a file it names */
export function connectionTo(
  url: string,
  { connectTimeout, statementTimeout, readOnly }: ConnectionLimits,
): pg.ClientConfig {
  const config = parseIntoClientConfig(url)
  const options = [
    config.options ?? '',
    `-c statement_timeout=${statementTimeout}`,
    ...(readOnly ? ['-c default_transaction_read_only=on'] : []),
  ]
  return {
    ...config,
    options: options.join(' ').trim(),
    fallback_application_name: 'lookup-service',
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    types,
  }
}
