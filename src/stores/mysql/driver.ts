// Logs in to MySQL and MariaDB, for lookups and for commands. Every session is set so that a lookup means the
// same on every server.

import type { Socket } from 'node:net'
import { type Connection, createConnection } from 'mysql2'
import type { ConnectionLimits, ServerLogin } from '../servers/driver.ts'
import { connectionTo, type MysqlConfig } from './connection.ts'
import { errorNumber, UNKNOWN_VARIABLE } from './errors.ts'
import { query, run } from './results.ts'

/** Milliseconds after which the system checks a connection that is idle. */
const KEEP_ALIVE_MS = 10_000

/** Connections for lookups. @throws WrongUrl */
export function readLogin(url: string, limits: ConnectionLimits): ServerLogin {
  const config = connectionTo(url, limits)

  const connect: ServerLogin['connect'] = async (createSocket, onLost) => {
    const connection = await logIn(config, createSocket())
    connection.on('error', onLost).on('end', onLost)
    return {
      query: (statement, done) =>
        run(connection, statement, (error, rows) => {
          if (error !== null) done(error, [])
          // No result is no response: it would mean that nothing matches.
          else if (rows === null) done(new Error('the server answered a lookup without a result'), [])
          else done(null, rows)
        }),
      end: () => connection.end(),
      destroy: () => connection.destroy(),
    }
  }

  return { key: JSON.stringify(config), connect }
}

/** @throws the server's error, or that of the connection */
export async function logIn({ options, target, limits }: MysqlConfig, socket: Socket): Promise<Connection> {
  const dial = () => {
    if ('path' in target) return socket.connect(target)
    // Node verifies a certificate for this name. It has the name of a host by itself, and not an address.
    Object.assign(socket, { _host: options.host })
    return socket.connect(target).setNoDelay().setKeepAlive(true, KEEP_ALIVE_MS)
  }
  const connection = createConnection({ ...options, stream: dial })
  connection.on('error', () => {}) // The next query fails.
  // The driver's own limit ends with the first packet of the server.
  const late = () => socket.destroy(new Error('connect ETIMEDOUT'))
  const timer = setTimeout(late, limits.connectTimeout)
  try {
    await new Promise<void>((resolve, reject) =>
      connection.connect((error) => (error ? reject(error) : resolve())),
    )
    await query(connection, settingsOf(limits)).catch((error: unknown) => {
      if (errorNumber(error) !== UNKNOWN_VARIABLE) throw error
      return query(connection, settingsOf(limits, false))
    })
    return connection
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The first statement of a session, which all versions understand: a lookup means the same whatever the
 * defaults of the server are.
 * @param knowsGalera false for MariaDB that was built without Galera; MySQL skips the part of MariaDB
 */
export function settingsOf({ statementTimeout, readOnly }: ConnectionLimits, knowsGalera = true): string {
  const seconds = statementTimeout / 1000
  // Long lists of values stay lookups in an index: beyond a limit, MySQL would read the whole table, and
  // MariaDB would make a table of the list.
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
  return `SET ${common.join(', ')} /*!50720 , ${mysql.join(', ')} */ /*M!100318 , ${mariadb.join(', ')} */`
}
