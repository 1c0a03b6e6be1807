// Connects to PostgreSQL by a URL, which is read as PostgreSQL's own programs read it.

import pg from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import { messageOf } from '../../text.ts'
import type { ConnectionLimits } from '../servers/driver.ts'
import { unknownParameter, WrongUrl } from '../servers/errors.ts'

const BOOL = 16
const INT8 = 20
const INT2 = 21
const INT4 = 23
const TEXT = 25
const VARCHAR = 1043

/** The kinds of fields that columns of a type can hold. */
export const kindsOfTypes: Readonly<Record<number, string>> = {
  ...{ [INT8]: 'integer', [INT4]: 'integer', [INT2]: 'integer' },
  ...{ [TEXT]: 'string', [VARCHAR]: 'string', [BOOL]: 'boolean' },
}

/** Numbers beyond 2^53 stay texts: such a row is refused, and named by its own id. */
function readInteger(text: string): number | string {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => {
    if (kindsOfTypes[oid] === 'integer') return readInteger
    return oid === BOOL ? (text: string) => text === 't' : (text: string) => text
  },
}

const parameters =
  'host port user password options application_name sslmode sslrootcert sslcert sslkey sslnegotiation channel_binding'.split(
    ' ',
  )
const sslModes = ['disable', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full']

/**
 * @param isPlain without the parameters of the session that a proxy refuses
 * @throws WrongUrl
 */
export function connectionTo(
  url: string,
  { connectTimeout, statementTimeout, readOnly }: ConnectionLimits,
  isPlain = false,
): pg.ClientConfig {
  const given = new URL(url).searchParams
  checkParameters(given)
  const parsed = parseUrl(url)
  if (parsed.sslmode === 'no-verify' && typeof parsed.ssl === 'object') parsed.ssl.rejectUnauthorized = false
  const config = toClientConfig(parsed)
  const limits = [
    `-c statement_timeout=${statementTimeout}`,
    ...(readOnly ? ['-c default_transaction_read_only=on'] : []),
  ]
  return {
    ...config,
    options: [config.options ?? '', ...(isPlain ? [] : limits)].join(' ').trim(),
    fallback_application_name: 'lookup-service',
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    // Hosting providers have it in their URLs. pg binds if the server can.
    enableChannelBinding: ['prefer', 'require'].includes(given.get('channel_binding') ?? ''),
    types,
  }
}

function parseUrl(url: string) {
  try {
    return parse(url, { useLibpqCompat: true })
  } catch (error) {
    // A file with a certificate or key cannot be read.
    throw new WrongUrl(messageOf(error))
  }
}

function checkParameters(given: URLSearchParams): void {
  for (const [name, value] of given) {
    if (!parameters.includes(name)) throw unknownParameter(name, value, parameters.join(', '))
  }
  const mode = given.get('sslmode')
  if (mode !== null && !sslModes.includes(mode))
    throw new WrongUrl(`sslmode has an unknown value. Set one of ${sslModes.join(', ')}`)
  if (mode === 'verify-ca' && !given.has('sslrootcert'))
    throw new WrongUrl('sslmode=verify-ca needs sslrootcert=FILE, the certificate authority')
}

/** Milliseconds that a command waits to connect, and for another writer. */
const COMMAND_TIMEOUT_MS = 10_000

/** Connects a command that makes the tables, fills them, or reads them whole. It has no limit of time. */
export async function connectCommand(url: string): Promise<pg.Client> {
  const limits = { connectTimeout: COMMAND_TIMEOUT_MS, statementTimeout: 0, readOnly: false }
  const client = new pg.Client({ ...connectionTo(url, limits), lock_timeout: COMMAND_TIMEOUT_MS })
  client.on('error', () => {}) // The next query fails.
  await client.connect()
  return client
}
