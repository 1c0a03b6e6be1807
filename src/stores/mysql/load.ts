// Rows by LOAD DATA LOCAL. The server asks the client for a file, and may ask for any, at any statement: what
// it gets are the rows of this one. No file is ever opened.

import { Readable } from 'node:stream'
import type { Connection, ResultSetHeader } from 'mysql2'
import { type Relation, storedCells } from '../../data/relation.ts'
import { ClashError, type Row } from '../importer.ts'
import { writeRow } from '../row-text.ts'
import { isAboutRow } from './clashes.ts'
import { errorNumber } from './errors.ts'
import { createRelay } from './relay.ts'
import { quote, storedNames } from './statements.ts'

/** Bytes of rows in a statement, after which another one begins. */
const STATEMENT_BYTES = 1024 * 1024
/** Bytes in a packet: below every `max_allowed_packet` that is in use. */
const PACKET_BYTES = 32 * 1024

/** The server forbids it (`local_infile`): MySQL 5.7, 8 and later, and MariaDB. */
const forbidden = ['1148', '3948', '4166']

/** Rows that go in without looking for the one that clashes. */
export interface Filling {
  /** @throws ClashError, perhaps about rows that were added before, or the server's error */
  readonly add: (rows: readonly Row[]) => Promise<void>
  readonly finish: () => Promise<void>
}

/** @returns `null` where the server forbids it */
export async function openLoad(connection: Connection, relation: Relation): Promise<Filling | null> {
  const statement = `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${quote(relation.name)} CHARACTER SET utf8mb4
    FIELDS TERMINATED BY x'09' ESCAPED BY x'5c' LINES TERMINATED BY x'0a' (${storedNames(relation)})`
  const relay = createRelay()
  let pieces: Buffer[] = []
  let bytes = 0
  let count = 0

  async function add(rows: readonly Row[]): Promise<void> {
    let text = ''
    for (const row of rows) text += writeRow(storedCells(relation, row))
    // As bytes at once: texts that are kept for long would be copied around by the garbage collector.
    const piece = Buffer.from(text)
    pieces.push(piece)
    bytes += piece.length
    count += rows.length
    if (bytes >= STATEMENT_BYTES) await flush()
  }

  async function flush(): Promise<void> {
    const [ready, rows] = [pieces, count]
    ;[pieces, bytes, count] = [[], 0, 0]
    await relay.begin(() => send(ready, rows))
  }

  async function send(ready: readonly Buffer[], rows: number): Promise<void> {
    const { affectedRows, warningStatus } = await load(connection, statement, ready).catch(
      (error: unknown) => {
        // A trigger that refuses a row (SIGNAL) ends the statement.
        throw isAboutRow(error) ? new ClashError() : error
      },
    )
    // With LOCAL, the server leaves out rows that clash, cuts values that do not fit, and goes on.
    if (affectedRows !== rows || warningStatus !== 0) throw new ClashError()
  }

  async function finish(): Promise<void> {
    if (count > 0) await flush()
    await relay.finish()
  }

  try {
    await send([], 0)
  } catch (error) {
    if (forbidden.includes(errorNumber(error) ?? '')) return null
    throw error
  }
  return { add, finish }
}

function load(connection: Connection, sql: string, pieces: readonly Buffer[]): Promise<ResultSetHeader> {
  function* packets() {
    for (const piece of pieces)
      for (let at = 0; at < piece.length; at += PACKET_BYTES) yield piece.subarray(at, at + PACKET_BYTES)
  }
  return new Promise((resolve, reject) =>
    connection.query<ResultSetHeader>(
      { sql, infileStreamFactory: () => Readable.from(packets()) },
      (error, header) => (error ? reject(error) : resolve(header)),
    ),
  )
}
