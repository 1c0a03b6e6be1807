// Imports into PostgreSQL, in one transaction: readers see no row before the commit.

import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Cell } from '../../data/fields.ts'
import type { Relation } from '../../data/relation.ts'
import { awaitCommit, createImporter, explainLoss, type Importer, viewError } from '../importer.ts'
import { importStatements, STAGING } from '../staging.ts'
import { connectCommand } from './connection.ts'
import { errors, sqlState } from './errors.ts'
import { kindOf, makeTables, readAll } from './tables.ts'

const UNIQUE_VIOLATION = '23505'

/** Begins an import. Missing tables are made in the same transaction. */
export async function beginImport(url: string, relation: Relation, replace: boolean): Promise<Importer> {
  const client = await connectCommand(url)
  try {
    return await startImport(client, relation, replace)
  } catch (error) {
    await client.end().catch(() => {})
    throw explainLoss(error, errors)
  }
}

async function startImport(client: pg.Client, relation: Relation, replace: boolean): Promise<Importer> {
  const { name } = relation
  const run = async (sql: string) => void (await client.query(sql))
  // The server would notice that the client was killed only when it has moved all rows. Old servers cannot.
  await run(`SET client_connection_check_interval = '1s'`).catch(() => {})
  await run('BEGIN')
  await makeTables(client)
  if ((await kindOf(client, relation)) === 'view') throw viewError(relation)
  const hadRows = !replace && (await client.query(`SELECT 1 FROM ${name} LIMIT 1`)).rows.length > 0
  const statements = importStatements(relation, hadRows)
  await run(`CREATE TEMP TABLE ${STAGING} ON COMMIT DROP AS SELECT ${statements.columns} FROM ${name},
    (SELECT 0::bigint AS line, ''::text AS problem, ''::text AS source) AS record LIMIT 0`)
  const copy = client.query(copyFrom(`COPY ${STAGING} FROM STDIN`))
  const copied = once(copy, 'finish')
  let failure: unknown = null
  copied.catch((error: unknown) => {
    failure = error
  })

  return createImporter(relation, {
    ...{ hadRows, replace, statements, run },
    stage: async (rows) => {
      if (failure !== null) throw failure
      const text = rows.map(writeRow).join('')
      if (text !== '' && !copy.write(text)) await once(copy, 'drain')
    },
    finishStaging: async () => {
      // A copy that has failed cannot be ended, nor written to.
      if (failure === null) copy.end()
      await copied
      // The rows move by ranges of lines. Lines are in order, so the index is tiny; without statistics, the
      // server would not use it.
      await run(`CREATE INDEX ON ${STAGING} USING brin (line); ANALYZE ${STAGING} (line)`)
    },
    beginMove: async () => {
      await run('SAVEPOINT unmoved')
      // Readers go on. Another program that writes waits, and fails if it waits too long.
      if (replace) await run(`LOCK TABLE ${name} IN SHARE ROW EXCLUSIVE MODE`)
    },
    isClash: (error) => sqlState(error) === UNIQUE_VIOLATION,
    undoMove: () => run('ROLLBACK TO SAVEPOINT unmoved'),
    markClashes: () => run(statements.markClashes),
    readProblems: () => readAll(client, statements.problems),
    commit: async () => {
      await awaitCommit(run('COMMIT'), errors)
      // New statistics, so that plans suit at once. Autovacuum would do the same later, so a lock is no
      // failure.
      await run(`SET lock_timeout = '1s'; ANALYZE ${name}`).catch(() => {})
    },
    close: () => client.end().catch(() => {}),
    explain: (error) => explainLoss(error, errors),
  })
}

/** Returns a row as COPY reads it: a line, with its end. */
function writeRow(cells: readonly Cell[]): string {
  let line = ''
  let separator = ''
  for (const cell of cells) {
    line += `${separator}${writeCell(cell)}`
    separator = '\t'
  }
  return `${line}\n`
}

function writeCell(cell: Cell): string | number {
  if (cell === null) return '\\N'
  if (typeof cell === 'number' || !special.test(cell)) return cell
  return cell.replace(specials, (character) => escapes[character] ?? '')
}

const special = /[\\\t\n\r]/
const specials = new RegExp(special, 'g')
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
