// Imports into MySQL and MariaDB, in one transaction: readers see no row before the commit.

import type { Connection } from 'mysql2'
import type { Cell } from '../../data/fields.ts'
import type { Relation } from '../../data/relation.ts'
import { awaitCommit, createImporter, explainLoss, type Importer, viewError } from '../importer.ts'
import { findFaults } from '../servers/check.ts'
import type { RunStatement } from '../servers/driver.ts'
import { importStatements, STAGING } from '../staging.ts'
import { errorNumber, errors } from './errors.ts'
import { query } from './results.ts'
import { type CommandSession, LOCK_TIMEOUT_SECONDS, openSession } from './session.ts'
import { quote, statements, storedNames } from './statements.ts'
import { findTable, makeTables, refuseReadOnly, streamRows, takeLock } from './tables.ts'

/** UTF-16 units of an INSERT. Larger statements are no faster. */
const MAX_STATEMENT_LENGTH = 512 * 1024
/** A UTF-16 unit is at most 3 bytes of UTF-8. The rest is room for the start of the statement. */
const BYTES_PER_UNIT = 4
const DUPLICATE = '1062'
/** The user may not create temporary tables. */
const DENIED = '1044'

/**
 * Begins an import. It creates missing tables, which stay even if the import fails.
 *
 * `replace` deletes the old rows within the transaction. To fill a second table and exchange both by RENAME
 * TABLE would be faster, but RENAME waits for running queries, and blocks new ones meanwhile. It also loses
 * triggers, and foreign keys would refer to the old rows.
 */
export async function beginImport(url: string, relation: Relation, replace: boolean): Promise<Importer> {
  const session = await openSession(url)
  try {
    return await startImport(session, relation, replace)
  } catch (error) {
    session.disconnect()
    throw explain(error, relation)
  }
}

async function startImport(
  { connection, disconnect }: CommandSession,
  relation: Relation,
  replace: boolean,
): Promise<Importer> {
  const { name } = relation
  const run = async (sql: string) => void (await query(connection, sql))
  await refuseReadOnly(connection)
  await lockTable(connection, relation)
  await makeTables(connection, relation)
  await checkTable(connection, relation)
  const hadRows = !replace && (await query(connection, `SELECT 1 FROM ${quote(name)} LIMIT 1`)).length > 0
  const staging = importStatements(relation, hadRows, quote)
  await makeStaging(connection, relation)
  const [row] = await query(connection, 'SELECT @@max_allowed_packet')
  const maxLength = Math.min(MAX_STATEMENT_LENGTH, Number(row?.[0]) / BYTES_PER_UNIT)
  let values = ''
  let sending: Promise<void> = Promise.resolve()

  /** Sends a statement without waiting for its response: the next one is built meanwhile. */
  async function send(): Promise<void> {
    await sending
    sending = run(`INSERT INTO ${STAGING} (${staging.columns}) VALUES ${values}`)
    sending.catch(() => {}) // the next `send`, or `finishStaging`, throws the error
    values = ''
  }

  return createImporter(relation, {
    ...{ hadRows, replace, run, statements: staging },
    stage: async (rows) => {
      for (const row of rows) {
        const value = `(${row.map(writeCell)})`
        if (values !== '' && values.length + value.length > maxLength) await send()
        values += values === '' ? value : `,${value}`
      }
    },
    finishStaging: async () => {
      if (values !== '') await send()
      await sending
    },
    // Readers are not blocked. Other writers wait for the commit.
    beginMove: () => run('START TRANSACTION'),
    isClash: (error) => errorNumber(error) === DUPLICATE,
    undoMove: () => run('ROLLBACK'),
    // MySQL cannot read a temporary table twice in a statement, so the clashes get a table of their own.
    markClashes: async () => {
      await run(`CREATE TEMPORARY TABLE lookup_clashes (line bigint PRIMARY KEY) ENGINE = InnoDB
        ${staging.clashes}`)
      await run(`UPDATE ${STAGING} JOIN lookup_clashes USING (line) SET problem = reason`)
    },
    readProblems: () => streamRows(connection, staging.problems),
    commit: () => awaitCommit(run('COMMIT'), errors),
    close: disconnect,
    explain: (error) => explain(error, relation),
  })
}

/** Quotes take half the bytes of hexadecimal. `session.ts` sets a sql_mode in which a backslash escapes. */
function writeCell(cell: Cell): string {
  return typeof cell === 'string' ? `_utf8mb4'${cell.replace(/['\\]/g, '\\$&')}'` : String(cell)
}

/**
 * Creates the temporary table. SELECT copies the types and collations of the columns, so that a value that
 * does not fit fails here, and the same values clash as in the indexes. The outer join makes each column
 * nullable.
 */
async function makeStaging(connection: Connection, relation: Relation): Promise<void> {
  await query(
    connection,
    `CREATE TEMPORARY TABLE ${STAGING} (line bigint DEFAULT 0 PRIMARY KEY, problem longtext, source longtext)
      ENGINE = InnoDB CHARACTER SET utf8mb4 SELECT ${storedNames(relation)}
      FROM (SELECT 1 AS one) AS record LEFT JOIN ${quote(relation.name)} ON one = 0 LIMIT 0`,
  ).catch((error: unknown) => {
    if (errorNumber(error) !== DENIED) throw error
    throw new Error('its user may not create temporary tables. Grant CREATE TEMPORARY TABLES on the database')
  })
}

/** Allows one import into a table at a time. The server frees the lock at the end of the session. */
async function lockTable(connection: Connection, { name }: Relation): Promise<void> {
  const { database = '' } = connection.config
  if (!(await takeLock(connection, `lookup ${name} ${database}`)))
    throw new Error(
      `another import into ${name} is running or being rolled back. Try again when it has ended`,
    )
}

async function checkTable(connection: Connection, relation: Relation): Promise<void> {
  const { name } = relation
  const table = await findTable(connection, relation)
  if (table === null) throw new Error(`there is no table ${name}`)
  if (!table.isTable) throw viewError(relation)
  if (!table.isTransactional)
    throw new Error(
      `${name} uses the engine ${table.engine}, which has no transactions. Run ALTER TABLE ${name} ENGINE = InnoDB`,
    )
  // A column of another type may store another value: an ENUM takes the number 1 for its first text.
  const run: RunStatement = (statement) => query(connection, statement)
  const faults = await findFaults(run, relation, { errors, statements })
  if (faults.length > 0) throw new Error(faults.join('; '))
}

function explain(error: unknown, { name }: Relation): unknown {
  if (!errors.isStatementTooSlow(error)) return explainLoss(error, errors)
  return new Error(
    `another program has kept ${name} locked for ${LOCK_TIMEOUT_SECONDS} s. Try again when it has ended`,
  )
}
