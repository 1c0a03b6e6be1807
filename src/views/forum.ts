// The tables of a forum that are there, and the SQL of a declaration over them.

import type { DatabaseAccess } from '../stores/check/access.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { ForumProgram, Sql } from './program.ts'

export type Forum = Awaited<ReturnType<typeof readForum>>

/** Two texts of so many characters of four bytes fit into an index of MyISAM, which has 1,000 bytes. */
export const INDEX_LENGTH = 100

/** @throws CommandError if the table of the users is missing */
export async function readForum({ query }: DatabaseAccess, program: ForumProgram, prefix: string) {
  const isMysql = program.engine === 'mysql'
  const here = isMysql ? 'database()' : 'current_schema()'
  const [place] = await query(`SELECT ${here} AS name`)
  const schema = String(place?.name)
  const rows = await query(`
    SELECT table_name AS tbl, column_name AS name, data_type AS type, character_maximum_length AS length,
      collation_name AS collation FROM information_schema.columns WHERE table_schema = ${here}`)
  const tables = new Set(rows.map(({ tbl }) => String(tbl)))
  const columns = new Map(
    rows.map(({ tbl, name, type, length, collation }) => [
      `${String(tbl)}.${String(name)}`,
      // The length is that of a text.
      { type: String(type), length: Number(length), collation: String(collation) },
    ]),
  )
  const indexes = isMysql ? await query(indexesOfMysql) : []
  const [main] = isMysql ? await query(engineOfMysql, [`${prefix}${program.users.table}`]) : []
  /** MySQL's engine of the users' table. */
  const storage = String(main?.name)
  const quote = (name: string) => (isMysql ? `\`${name}\`` : `"${name}"`)
  const tableName = (table: string) => `${prefix}${table}`
  /** @returns undefined if there is no such column */
  const column = (table: string, name: string) => columns.get(`${tableName(table)}.${name}`)

  /** SQL as the engine reads it. */
  function sql(text: Sql): string {
    const chosen = typeof text === 'string' ? text : columns.has(tableName(text.if)) ? text.yes : text.no
    const withPrefix = chosen.replaceAll('{prefix}', prefix)
    return withPrefix.replace(/\{(\w+)\}/g, (_, table) => `${quote(schema)}.${quote(tableName(table))}`)
  }

  /**
   * Statements that make and drop an index; none if the forum has an index that begins with these columns.
   */
  function indexOn(table: string, wanted: readonly string[]): { make: string[]; drop: string[] } {
    const fitting = indexes
      .filter(
        ({ tbl, list }) => tbl === tableName(table) && `${String(list)},`.startsWith(`${wanted.join()},`),
      )
      .map(({ name }) => String(name))
    const name = `lookup_${wanted.at(-1)}`
    // PostgreSQL has one engine for all tables, and the programs over it have all indexes.
    if (!isMysql || (fitting.length > 0 && !fitting.includes(name))) return { make: [], drop: [] }
    const parts = wanted.map((part) => {
      const { type = '', length = 0 } = column(table, part) ?? {}
      const isLong = /text|blob/.test(type) || length > INDEX_LENGTH
      return `${quote(part)}${isLong ? `(${INDEX_LENGTH})` : ''}`
    })
    const target = sql(`{${table}}`)
    const make = `ALTER TABLE ${target} ADD INDEX ${quote(name)} (${parts.join(', ')})`
    return {
      make: fitting.length > 0 ? [] : [make],
      drop: [`ALTER TABLE ${target} DROP INDEX ${quote(name)}`],
    }
  }

  const { title, users } = program
  if ([users.id, users.name].some((name) => column(users.table, name) === undefined)) {
    const similar = [...tables].filter((name) => name.endsWith(users.table))
    const prefixes = similar.map((name) => `--prefix "${name.slice(0, -users.table.length)}"`).join(' or ')
    throw new CommandError(
      `${schema} has no table ${tableName(users.table)} with the columns ${users.id} and ${users.name} of ${title}. Name the database of the forum with --database, and its prefix: ${prefixes || 'there is no such table with any prefix'}.`,
    )
  }
  /** The database (MySQL) or the schema (PostgreSQL) of the views; `schema` is that of the forum. */
  const home = isMysql ? `${schema}_lookup` : 'lookup'
  const hasTable = (table: string) => tables.has(tableName(table))
  return { program, isMysql, schema, home, storage, quote, tableName, sql, column, hasTable, indexOn }
}

const engineOfMysql =
  'SELECT engine AS name FROM information_schema.tables WHERE table_schema = database() AND table_name = ?'

const indexesOfMysql = `
  SELECT table_name AS tbl, index_name AS name, group_concat(column_name ORDER BY seq_in_index) AS list
  FROM information_schema.statistics WHERE table_schema = database() GROUP BY table_name, index_name`
