// Filling MySQL and MariaDB: one transaction, of which readers see nothing until it is committed.

import type { Connection } from 'mysql2'
import type { Relation } from '../../data/relation.ts'
import { explainLoss, settle, viewError } from '../import-errors.ts'
import type { Importer, ImportOptions, Refusal, Row } from '../importer.ts'
import { checkColumns } from './check.ts'
import { errors } from './errors.ts'
import { openInsert } from './insert.ts'
import { openLoad } from './load.ts'
import { query } from './login.ts'
import { quote } from './statements.ts'
import { findTable, makeTables, refuseReadOnly, takeLock } from './tables.ts'
import { connectWriter, LOCK_TIMEOUT_SECONDS } from './writer.ts'

/**
 * Begins an import. Tables that are missing are made first, and stay.
 *
 * Rows to be replaced are deleted within the transaction. A table of its own for the new rows, exchanged by
 * RENAME TABLE, would be faster; but RENAME waits for all readers that have begun, and others wait for it. It
 * would lose triggers, and foreign keys would refer to the old rows.
 */
export async function beginImport(
  url: string,
  relation: Relation,
  options: ImportOptions,
): Promise<Importer> {
  const { connection, close, abandon } = await connectWriter(url)
  const explaining = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw explain(error, relation)
    })
  let isCommitted = false
  try {
    const { hadRows, add, finish, warning } = await explaining(begin(connection, relation, options))
    const commit = async (signal?: AbortSignal) => {
      await finish()
      signal?.throwIfAborted()
      await settle(query(connection, 'COMMIT'), errors)
      isCommitted = true
    }
    return {
      hadRows,
      add: (rows) => explaining(add(rows)),
      commit: (signal) => explaining(commit(signal)),
      warning: () => warning,
      close: async (signal) => (isCommitted ? close() : abandon(signal)),
    }
  } catch (error) {
    await abandon()
    throw error
  }
}

interface Way {
  readonly hadRows: boolean
  readonly add: (rows: readonly Row[]) => Promise<readonly Refusal[]>
  readonly finish: () => Promise<void>
  readonly warning: string | null
}

async function begin(
  connection: Connection,
  relation: Relation,
  { replace, bulk }: ImportOptions,
): Promise<Way> {
  const { maxPacket, splitsLoads } = await readFacts(connection)
  await refuseReadOnly(connection)
  await awaitTurn(connection, relation)
  await makeTables(connection, relation)
  await checkTable(connection, relation)
  // Outside of the transaction: once that has read, the server keeps all versions of rows for it.
  const hadRows = !replace && !(await isEmpty(connection, relation))
  const inOneGo = bulk && !hadRows
  const insert = await openInsert(connection, relation, maxPacket)
  await query(connection, 'START TRANSACTION')
  // Readers go on; another program that writes waits.
  if (replace) await query(connection, `DELETE FROM ${quote(relation.name)}`)
  if (!inOneGo) return { hadRows, add: insert.add, finish: async () => {}, warning: null }
  const load = splitsLoads ? null : await openLoad(connection, relation)
  const { add, finish } = load ?? insert.inBulk
  const setting = splitsLoads ? 'wsrep_load_data_splitting = ON' : 'local_infile = OFF'
  return {
    hadRows,
    add: async (rows) => {
      await add(rows)
      return []
    },
    finish,
    warning:
      load === null
        ? `Rows were imported by INSERT, since the server has ${setting}. LOAD DATA LOCAL would be faster.`
        : null,
  }
}

/** What depends on the server's settings. */
async function readFacts(connection: Connection) {
  const rows = await query(
    connection,
    `SHOW VARIABLES WHERE variable_name IN
      ('max_allowed_packet', 'wsrep_on', 'wsrep_load_data_splitting')`,
  )
  const facts = new Map(rows.map(([name, value]) => [String(name), String(value)]))
  const isOn = (name: string) => !/^(?:OFF|0|)$/.test(facts.get(name) ?? '')
  return {
    maxPacket: Number(facts.get('max_allowed_packet')),
    // An old node of Galera would commit after every ten thousand rows.
    splitsLoads: isOn('wsrep_on') && isOn('wsrep_load_data_splitting'),
  }
}

/** One import at a time into a table; it is over with its session. */
async function awaitTurn(connection: Connection, { name }: Relation): Promise<void> {
  const { database = '' } = connection.config
  if (!(await takeLock(connection, `lookup ${name} ${database}`)))
    throw new Error(
      `another import into ${name} is running or being rolled back. Try again when it has ended`,
    )
}

async function checkTable(connection: Connection, relation: Relation): Promise<void> {
  const table = await findTable(connection, relation)
  if (table === null) throw new Error(`there is no table ${relation.name}`)
  if (!table.isTable) throw viewError(relation)
  if (!table.isTransactional) {
    const { name } = relation
    throw new Error(
      `${name} uses the engine ${table.engine}, which has no transactions. ` +
        `Run ALTER TABLE ${name} ENGINE = InnoDB`,
    )
  }
  await checkColumns(connection, relation)
}

async function isEmpty(connection: Connection, { name }: Relation): Promise<boolean> {
  return (await query(connection, `SELECT 1 FROM ${quote(name)} LIMIT 1`)).length === 0
}

function explain(error: unknown, { name }: Relation): unknown {
  if (!errors.isStatementTooSlow(error)) return explainLoss(error, errors)
  return new Error(
    `another program has kept ${name} locked for ${LOCK_TIMEOUT_SECONDS} s. Try again when it has ended`,
  )
}
