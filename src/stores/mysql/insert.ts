// Rows by INSERT: where LOAD DATA LOCAL is forbidden, and where each row that clashes is to be named.

import type { Connection } from 'mysql2'
import type { Cell } from '../../data/fields.ts'
import { type Relation, storedCells } from '../../data/relation.ts'
import { addByHalves } from '../halves.ts'
import { ClashError, type Refusal, type Row } from '../importer.ts'
import { createReasons, isAboutRow } from './clashes.ts'
import type { Filling } from './load.ts'
import { query } from './login.ts'
import { createRelay } from './relay.ts'
import { quote, storedNames, text } from './statements.ts'

interface Inserting {
  /** @returns those of the rows that could not go in */
  readonly add: (rows: readonly Row[]) => Promise<readonly Refusal[]>
  readonly inBulk: Filling
}

/** @param maxPacket bytes that the server takes in one statement */
export async function openInsert(
  connection: Connection,
  relation: Relation,
  maxPacket: number,
): Promise<Inserting> {
  const start = `INSERT INTO ${quote(relation.name)} (${storedNames(relation)}) VALUES `
  const reasonOf = await createReasons(connection, relation)

  /** @returns why none went in; `null` where all did */
  async function insert(rows: readonly string[]): Promise<string | null> {
    const statement = start + rows.join()
    // The server would close the connection. In its packet, a byte stands before the statement.
    if (statement.length >= maxPacket)
      return `longer than max_allowed_packet of the server (${maxPacket} bytes)`
    try {
      await query(connection, statement)
      return null
    } catch (error) {
      // What this statement did is undone, and nothing else.
      if (isAboutRow(error)) return reasonOf(error)
      throw error
    }
  }

  const add = (rows: readonly Row[]) =>
    addByHalves(
      rows.map((row) => `(${storedCells(relation, row).map(writeCell).join()})`),
      insert,
    )
  const relay = createRelay()
  const addInBulk = (rows: readonly Row[]) =>
    relay.begin(async () => {
      if ((await add(rows)).length > 0) throw new ClashError()
    })
  return { add, inBulk: { add: addInBulk, finish: relay.finish } }
}

function writeCell(cell: Cell): string {
  return typeof cell === 'string' ? text(cell) : String(cell)
}
