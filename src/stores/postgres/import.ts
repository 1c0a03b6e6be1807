// Filling PostgreSQL: one transaction, of which readers see nothing until it is committed.

import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Relation, storedCells, storedColumns } from '../../data/relation.ts'
import { addByHalves } from '../halves.ts'
import { explainLoss, settle, viewError } from '../import-errors.ts'
import { ClashError, type Importer, type ImportOptions, type Refusal, type Row } from '../importer.ts'
import { writeRow } from '../row-text.ts'
import { errors, sqlState } from './errors.ts'
import { kindOf, makeTables } from './tables.ts'
import { connectWriter } from './writer.ts'

/** Begins an import. Tables that are missing are made in the same transaction. */
export async function beginImport(
  url: string,
  relation: Relation,
  { replace, bulk }: ImportOptions,
): Promise<Importer> {
  const client = await connectWriter(url)
  try {
    await client.query('BEGIN')
    await makeTables(client)
    const { name } = relation
    if ((await kindOf(client, relation)) === 'view') throw viewError(relation)
    if (replace) {
      // Readers go on; another program that writes waits, and is told if it takes too long.
      await client.query(`LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE`)
      await client.query(`DELETE FROM ${name}`)
    }
    const hadRows = !replace && !(await isEmpty(client, relation))
    const inOneGo = bulk && !hadRows
    const { add, finish } = inOneGo ? inBulk(client, relation) : carefully(client, relation)
    const commit = async (signal?: AbortSignal) => {
      await finish()
      signal?.throwIfAborted()
      await settle(client.query('COMMIT'), errors)
      // So that plans suit at once. It would be done anyway, and a session that is in the way is no failure
      // of the import.
      await client.query(`SET lock_timeout = '1s'; ANALYZE ${name}`).catch(() => {})
    }
    return {
      hadRows,
      add: (rows) => add(rows).catch(explain),
      commit: (signal) => commit(signal).catch(explain),
      close: () => client.end().catch(() => {}),
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

function explain(error: unknown): never {
  throw explainLoss(error, errors)
}

async function isEmpty(client: pg.Client, { name }: Relation): Promise<boolean> {
  return (await client.query(`SELECT 1 FROM ${name} LIMIT 1`)).rows.length === 0
}

interface Way {
  readonly add: (rows: readonly Row[]) => Promise<readonly Refusal[]>
  readonly finish: () => Promise<void>
}

/**
 * By COPY: PostgreSQL writes rows and indexes while we read on. Not through a staging table, since that would
 * write all rows twice, one after the other; no reader sees them before the transaction ends either way.
 */
function inBulk(client: pg.Client, relation: Relation): Way {
  const copy = client.query(copyFrom(`COPY ${relation.name} (${namesOf(relation).join()}) FROM STDIN`))
  let failure: unknown = null
  copy.on('error', (error) => {
    failure = error
  })

  async function add(rows: readonly Row[]): Promise<Refusal[]> {
    if (failure !== null) throw clashOr(failure)
    let text = ''
    for (const row of rows) text += writeRow(storedCells(relation, row))
    if (text !== '' && !copy.write(text))
      await once(copy, 'drain').catch((error) => Promise.reject(clashOr(error)))
    return []
  }

  async function finish(): Promise<void> {
    if (failure !== null) throw clashOr(failure)
    try {
      const copied = once(copy, 'finish')
      copy.end()
      await copied
    } catch (error) {
      throw clashOr(error)
    }
  }

  return { add, finish }
}

/** Rows that clash are found by halves, and each is told apart from all others. */
function carefully(client: pg.Client, relation: Relation): Way {
  const columns = namesOf(relation)
  const types = storedColumns(relation).map(({ type }) => arrayTypes[type])
  const insert = {
    name: 'insert-rows',
    text: `INSERT INTO ${relation.name} (${columns.join()})
      SELECT * FROM unnest(${types.map((type, index) => `$${index + 1}::${type}`).join()})`,
  }

  /** @returns why none went in; `null` where all did */
  async function insertAll(rows: readonly Row[]): Promise<string | null> {
    await client.query('SAVEPOINT rows')
    try {
      await client.query({ ...insert, values: columns.map((_, index) => rows.map((row) => row[index])) })
      await client.query('RELEASE SAVEPOINT rows')
      return null
    } catch (error) {
      if (!isAboutRow(error)) throw error
      // Left there, each would nest in the one before, and take a lock of its own.
      await client.query('ROLLBACK TO SAVEPOINT rows; RELEASE SAVEPOINT rows')
      return reasonOf(error, relation)
    }
  }

  const add = (rows: readonly Row[]) =>
    addByHalves(
      rows.map((row) => storedCells(relation, row)),
      insertAll,
    )
  return { add, finish: async () => {} }
}

const arrayTypes = { integer: 'bigint[]', string: 'text[]', boolean: 'boolean[]' } as const

function namesOf(relation: Relation): string[] {
  return storedColumns(relation).map(({ sql }) => sql)
}

/**
 * Whether a row breaks a rule of the table (class 23), or holds what a column (22) or an index (54) cannot.
 */
function isAboutRow(error: unknown): error is pg.DatabaseError {
  return /^(?:2[23]|54)/.test(sqlState(error) ?? '')
}

function clashOr(error: unknown): unknown {
  return isAboutRow(error) ? new ClashError() : error
}

function reasonOf(error: pg.DatabaseError, { taken }: Relation): string {
  // In any language, the detail has the column and its value as `(column)=(value)`.
  const column = /\((\w+)\)=/.exec(error.detail ?? '')?.[1] ?? ''
  return (sqlState(error) === '23505' ? taken[column] : undefined) ?? error.message
}
