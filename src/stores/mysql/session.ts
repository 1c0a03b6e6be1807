// The session of a command that makes the tables, fills them, or reads them whole. It has no limit of time.
// With other modes of SQL, the server would store changed values in silence: the import tests of test/stores
// find that.

import { Socket } from 'node:net'
import type { Connection } from 'mysql2'
import { connectionTo } from './connection.ts'
import { logIn } from './driver.ts'
import { query } from './results.ts'

/** Milliseconds to connect. */
const CONNECT_TIMEOUT_MS = 10_000
/** Seconds to wait for another writer. */
export const LOCK_TIMEOUT_SECONDS = 10
/**
 * Seconds that the server waits for rows from a pipe, or for a reader that takes no rows, such as a pager.
 */
const IDLE_TIMEOUT_SECONDS = 24 * 60 * 60

/**
 * Makes a value that does not fit an error, and a duplicate, too, instead of the defaults of the server. The
 * errors are in English, since some are matched by their text.
 */
const strict = `SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO',
  unique_checks = 1, sql_safe_updates = 0, lc_messages = 'en_US', wait_timeout = ${IDLE_TIMEOUT_SECONDS},
  net_write_timeout = ${IDLE_TIMEOUT_SECONDS},
  lock_wait_timeout = ${LOCK_TIMEOUT_SECONDS}, innodb_lock_wait_timeout = ${LOCK_TIMEOUT_SECONDS}
  /*!50720 , transaction_read_only = 0 */
  /*M!100318 , tx_read_only = 0, idle_transaction_timeout = 0, idle_write_transaction_timeout = 0 */`

export interface CommandSession {
  readonly connection: Connection
  /** Disconnects at once, also while rows are read. The server undoes what was not committed. */
  readonly disconnect: () => void
}

/** @throws the server's error, or that of the connection */
export async function openSession(url: string): Promise<CommandSession> {
  const limits = { connectTimeout: CONNECT_TIMEOUT_MS, statementTimeout: 0, readOnly: false }
  const { options, ...config } = connectionTo(url, limits)
  const socket = new Socket()
  const disconnect = () => void socket.destroy()
  try {
    // A time of the operator's own table is exported as the server has it.
    const connection = await logIn({ ...config, options: { ...options, dateStrings: true } }, socket)
    await query(connection, strict)
    return { connection, disconnect }
  } catch (error) {
    disconnect()
    throw error
  }
}
