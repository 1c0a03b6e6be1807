// A connection to fill the tables, or to make them: without a limit of time, since that may take long.

import { Socket } from 'node:net'
import type { Connection } from 'mysql2'
import { unlessAborted } from '../../terminal/interrupt.ts'
import { connectionTo } from './connection.ts'
import { logIn } from './login.ts'
import { query } from './results.ts'

/** Milliseconds to connect. */
export const CONNECT_TIMEOUT_MS = 10_000
/** Seconds to wait for another writer. */
export const LOCK_TIMEOUT_SECONDS = 10
/** Seconds for which nothing may come from a file, or from a program that rows are piped from. */
const IDLE_TIMEOUT_SECONDS = 24 * 60 * 60

export interface Writer {
  readonly connection: Connection
  readonly close: () => void
  /**
   * Has the server undo what was not committed, which may take as long as it took.
   * @param signal where it comes, that is not waited for
   */
  readonly abandon: (signal?: AbortSignal) => Promise<void>
}

/**
 * What is written is checked, whatever the server's defaults are: a value that does not fit is an error, and
 * so are two of a kind. Errors come in one language, since some are read.
 */
const strict = `SET sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO',
  unique_checks = 1, sql_safe_updates = 0, lc_messages = 'en_US', wait_timeout = ${IDLE_TIMEOUT_SECONDS},
  lock_wait_timeout = ${LOCK_TIMEOUT_SECONDS}, innodb_lock_wait_timeout = ${LOCK_TIMEOUT_SECONDS}
  /*!50720 , transaction_read_only = 0 */
  /*M!100318 , tx_read_only = 0, idle_transaction_timeout = 0, idle_write_transaction_timeout = 0 */`

/** @throws the server's error, or that of the connection */
export async function connectWriter(url: string): Promise<Writer> {
  const limits = { connectTimeout: CONNECT_TIMEOUT_MS, statementTimeout: 0, readOnly: false }
  const config = connectionTo(url, limits)
  const socket = new Socket()
  try {
    const connection = await logIn(config, socket)
    await query(connection, strict)
    return {
      connection,
      close: () => socket.destroySoon(),
      abandon: async (signal) => {
        const undone = query(connection, 'ROLLBACK').catch(() => {})
        await unlessAborted(undone, signal).catch(() => {})
        socket.destroy()
      },
    }
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Connects for as long as some work takes. */
export async function withWriter<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { connection, close } = await connectWriter(url)
  return work(connection).finally(close)
}
