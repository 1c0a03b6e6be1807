// Filling PostgreSQL: one transaction, of which readers see nothing until it is committed.

import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Relation } from '../../data/relation.ts'
import {
  awaitCommit,
  explainLoss,
  type Importer,
  importStatements,
  markClashes,
  type Problem,
  STAGING,
  stagedCells,
  toProblem,
  viewError,
  withErrors,
} from '../importer.ts'
import { errors } from './errors.ts'
import { readAll } from './export.ts'
import { writeRow } from './row-text.ts'
import { kindOf, makeTables } from './tables.ts'
import { connectWriter } from './writer.ts'

/** Begins an import. Missing tables are made in the same transaction. */
export async function beginImport(url: string, relation: Relation, replace: boolean): Promise<Importer> {
  const client = await connectWriter(url)
  try {
    return await startImport(client, relation, replace)
  } catch (error) {
    await client.end().catch(() => {})
    throw explainLoss(error, errors)
  }
}

async function startImport(client: pg.Client, relation: Relation, replace: boolean): Promise<Importer> {
  const { name } = relation
  // The server would notice that the client was killed only when it has moved all rows. Old servers cannot.
  await client.query(`SET client_connection_check_interval = '1s'`).catch(() => {})
  await client.query('BEGIN')
  await makeTables(client)
  if ((await kindOf(client, relation)) === 'view') throw viewError(relation)
  const hadRows = !replace && (await client.query(`SELECT 1 FROM ${name} LIMIT 1`)).rows.length > 0
  const { columns, clashes, problems, move } = importStatements(relation, hadRows)
  await client.query(`CREATE TEMP TABLE ${STAGING} ON COMMIT DROP AS SELECT ${columns} FROM ${name},
    (SELECT 0::bigint AS line, ''::text AS problem, ''::text AS source) AS record LIMIT 0`)
  const copy = client.query(copyFrom(`COPY ${STAGING} FROM STDIN`))
  const copied = once(copy, 'finish')
  let failure: unknown = null
  copied.catch((error: unknown) => {
    failure = error
  })

  async function* findProblems(): AsyncGenerator<Problem> {
    // A copy that has failed cannot be ended, nor written to.
    if (failure === null) copy.end()
    await copied
    await client.query(markClashes(clashes))
    for await (const row of readAll(client, problems)) yield toProblem(row)
  }

  async function commit(signal?: AbortSignal): Promise<void> {
    // Readers go on; another program that writes waits, and is told if it takes too long.
    if (replace) await client.query(`LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE; DELETE FROM ${name}`)
    await client.query(move)
    signal?.throwIfAborted()
    await awaitCommit(client.query('COMMIT'), errors)
    // So that plans suit at once. It would be done anyway, and a session that is in the way is no failure of
    // the import.
    await client.query(`SET lock_timeout = '1s'; ANALYZE ${name}`).catch(() => {})
  }

  const importer: Importer = {
    hadRows,
    stage: async (records) => {
      if (failure !== null) throw failure
      const text = records.map((record) => writeRow(stagedCells(relation, record))).join('')
      if (text !== '' && !copy.write(text)) await once(copy, 'drain')
    },
    findProblems,
    commit,
    close: () => client.end().catch(() => {}),
  }
  return withErrors(importer, (error) => explainLoss(error, errors))
}
