// How to connect to MySQL and MariaDB: a URL, with the parameters that their own programs have.

import type { ConnectionOptions } from 'mysql2'
import type { ConnectionLimits } from '../servers/driver.ts'
import { signIn } from './ed25519.ts'
import { readTls } from './tls.ts'

const DEFAULT_PORT = 3306

/** What a connection needs. */
export interface MysqlConfig {
  readonly options: ConnectionOptions
  /** The path of a Unix socket, or a host and its port. */
  readonly target: { readonly path: string } | { readonly host: string; readonly port: number }
  readonly limits: ConnectionLimits
}

/** The parameters that a URL may have, by their names without hyphens, underscores and case. */
const parameters = ['user', 'password', 'socket', 'sslmode', 'sslca', 'sslcert', 'sslkey'] as const
type UrlParameter = (typeof parameters)[number]

/** @throws Error if the URL, or a file that it names, cannot be read */
export function connectionTo(url: string, limits: ConnectionLimits): MysqlConfig {
  const { hostname, port, pathname, username, password, searchParams } = new URL(url)
  const given = readParameters(searchParams)
  const host = decodeURIComponent(hostname.replace(/^\[(.*)\]$/, '$1')) || 'localhost'
  const tls = readTls(given)
  return {
    options: {
      user: decodeURIComponent(username) || (given.user ?? ''),
      password: decodeURIComponent(password) || (given.password ?? ''),
      database: decodeURIComponent(pathname.slice(1)),
      // The certificate of the server is checked for this name.
      host,
      ...(tls !== null && { ssl: tls }),
      // caching_sha2_password sends the password in clear text over a socket, and encrypted otherwise.
      ...(given.socket !== undefined && { socketPath: given.socket }),
      connectTimeout: limits.connectTimeout,
      charset: 'utf8mb4',
      // Integers beyond 2^53 come as texts, so that the log names a refused row by its exact id.
      supportBigNumbers: true,
      rowsAsArray: true,
      jsonStrings: true,
      // A server may not ask for files of this machine.
      flags: ['-LOCAL_FILES'],
      queryFormat: asItIs,
      connectAttributes: { program_name: 'lookup-service' },
      authPlugins,
    },
    target:
      given.socket === undefined ? { host, port: Number(port) || DEFAULT_PORT } : { path: given.socket },
    limits,
  }
}

const authPlugins = { client_ed25519: signIn }
/** Statements have no placeholders, so the driver must not replace any statement mark. */
const asItIs = (text: string) => text

function readParameters(searchParams: URLSearchParams): Partial<Record<UrlParameter, string>> {
  const found: Partial<Record<UrlParameter, string>> = {}
  for (const [spelt, value] of searchParams) {
    const name = parameters.find((known) => known === spelt.replace(/[-_]/g, '').toLowerCase())
    if (name === undefined) {
      // A word alone may be a part of the password.
      const what = value === '' ? 'a parameter of the URL' : `the parameter ${spelt}`
      throw new Error(
        `${what} is unknown. Allowed: user, password, socket, ssl-mode, ssl-ca, ssl-cert and ssl-key`,
      )
    }
    found[name] = value
  }
  return found
}

/**
 * The first statement of a session, which all versions understand: a lookup means the same whatever the
 * defaults of the server are.
 * @param knowsGalera false for MariaDB that was built without Galera; MySQL skips the part of MariaDB
 */
export function settingsOf(limits: ConnectionLimits, knowsGalera = true): string {
  const { statementTimeout, readOnly, dirtyReads = false } = limits
  const seconds = statementTimeout / 1000
  const mysql = ['range_optimizer_max_mem_size = 0', `max_execution_time = ${statementTimeout}`]
  const mariadb = ['in_predicate_conversion_threshold = 0', `max_statement_time = ${seconds}`]
  // Lookups do not see rows that another program, such as an import, has not committed.
  mysql.push("transaction_isolation = 'REPEATABLE-READ'")
  mariadb.push("tx_isolation = 'REPEATABLE-READ'")
  if (readOnly) {
    mysql.push('transaction_read_only = 1')
    mariadb.push('tx_read_only = 1')
    // A lookup that waits for the writes of other nodes would wait for a node that hangs, too.
    if (knowsGalera) mariadb.push('wsrep_sync_wait = 0')
  }
  if (dirtyReads && knowsGalera) mariadb.push('wsrep_dirty_reads = 1')
  const common = [
    // A server may ignore the character set of the login.
    'NAMES utf8mb4',
    "sql_mode = ''",
    // Without autocommit, all lookups would see the snapshot of the first one.
    'autocommit = 1',
    'sql_big_selects = 1',
    'sql_select_limit = 18446744073709551615',
    ...(statementTimeout === 0 ? [] : [`lock_wait_timeout = ${Math.ceil(seconds)}`]),
  ]
  // Long lists of values stay lookups in an index: beyond a limit, MySQL would read the whole table, and
  // MariaDB would make a table of the list.
  return `SET ${common.join(', ')} /*!50720 , ${mysql.join(', ')} */ /*M!100318 , ${mariadb.join(', ')} */`
}
