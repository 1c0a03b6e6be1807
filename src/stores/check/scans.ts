// Finds lookups that read a whole table, by EXPLAIN, or by counting the rows that a lookup reads.

import type { Relation } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { count, messageOf } from '../../text.ts'
import { statements as mysql } from '../mysql/statements.ts'
import { statements as postgres } from '../postgres/statements.ts'
import { findSql } from '../sqlite/lookups.ts'
import { findComparedColumns, findScan, MAX_SCANNED_ROWS, measureSlowness } from '../sqlite/scans.ts'
import { type DatabaseAccess, type DatabaseFault, type RowObject, selectOf } from './access.ts'

export interface KeyLookup {
  readonly name: string
  readonly relation: Relation
  readonly key: string
  readonly statement: 'usersById' | 'usersByUsername' | 'usersByChat' | 'appsById'
}

const { users, apps } = relations
export const lookups: readonly KeyLookup[] = [
  { name: 'users by id', relation: users, key: 'id', statement: 'usersById' },
  { name: 'users by username', relation: users, key: 'username_key', statement: 'usersByUsername' },
  { name: 'users by chat id', relation: users, key: 'chat_id', statement: 'usersByChat' },
  { name: 'apps by id', relation: apps, key: 'id', statement: 'appsById' },
]

/** Runs a lookup as the gateway does. @param before such as EXPLAIN; SQLite ignores it */
export function lookUp(
  { engine, query }: DatabaseAccess,
  { relation, key, statement }: KeyLookup,
  texts: readonly string[],
  before = '',
): Promise<readonly RowObject[]> {
  if (engine === 'sqlite') return query(findSql(relation, key, `, found.${key}`), [texts])
  const { text, values } = (engine === 'mysql' ? mysql : postgres)[statement](texts)
  return query(`${before} ${text}`, values)
}

/** A table that a lookup reads from its first row to its last. */
interface Scan {
  readonly table: string
  /** How many rows the lookup reads, in words. */
  readonly rows: string
  /** The columns that an index needs; empty if unknown. */
  readonly columns: readonly string[]
  readonly example: string
}

const scansOf = { sqlite: scansOfSqlite, postgres: scansOfPostgres, mysql: scansOfMysql } as const

export async function findScans(
  access: DatabaseAccess,
  lookup: KeyLookup,
): Promise<readonly DatabaseFault[]> {
  const scans = await scansOf[access.engine](access, lookup)
  return scans.map(({ table, rows, columns, example }) => ({
    what: `${lookup.name} reads ${rows} of ${table} for each value`,
    example,
    mend: indexFor(table, columns, access.engine, lookup),
  }))
}

function indexFor(
  table: string,
  columns: readonly string[],
  engine: DatabaseAccess['engine'],
  { relation, key }: KeyLookup,
): string {
  const list = columns.join(', ')
  if (list === '')
    return `Add an index on what the view ${relation.name} compares: the column or expression behind ${key}, or the column of a join. SQLite needs subqueries instead of joins.`
  if (engine === 'mysql') return `ALTER TABLE ${table} ADD INDEX (${list});`
  return `CREATE INDEX ${engine === 'sqlite' ? `lookup_${table} ` : ''}ON ${table} (${list});`
}

async function scansOfSqlite(
  { file, query }: DatabaseAccess,
  { relation, key }: KeyLookup,
): Promise<readonly Scan[]> {
  if (file === null) return []
  const sql = findSql(relation, key)
  const table = findScan(file, sql)
  if (table === null) {
    const milliseconds = measureSlowness(file, sql, relation, key)
    if (milliseconds === null) return []
    const rows = `many rows (${Math.round(milliseconds)} ms)`
    return [{ table: `the tables of ${relation.name}`, rows, columns: [], example: sql }]
  }
  const steps = (await query(`EXPLAIN QUERY PLAN ${sql}`, ['[]'])).map(({ detail }) => String(detail))
  // SQLite makes the whole of a view that joins, for each lookup: no index helps.
  const isWhole = steps.includes(`MATERIALIZE ${relation.name}`)
  const columns = isWhole ? [] : findComparedColumns(file, sql, table)
  return [{ table, rows: `more than ${count(MAX_SCANNED_ROWS)} rows`, columns, example: steps.join('; ') }]
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Schema?: string
  readonly Alias?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly 'Join Filter'?: string
  readonly 'Hash Cond'?: string
  readonly 'Merge Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

async function scansOfPostgres(access: DatabaseAccess, lookup: KeyLookup): Promise<readonly Scan[]> {
  // No row has the value.
  const [row] = await lookUp(access, lookup, ['9007199254740990'], 'EXPLAIN (FORMAT JSON, VERBOSE)')
  const [{ Plan: root }]: readonly [{ readonly Plan: PlanNode }] = JSON.parse(String(row?.['QUERY PLAN']))
  const scans: Scan[] = []
  for (const [node = root, ...above] of pathsOf([root])) {
    const { Schema: schema = '', 'Relation Name': name, Alias: alias = '', 'Node Type': kind } = node
    const isWhole = kind === 'Seq Scan' || (/^Index (?:Only )?Scan$/.test(kind) && !node['Index Cond'])
    if (name === undefined || !isWhole) continue
    // A table that was never analysed has no number of rows.
    const [size] = await access.query(
      `SELECT path, CASE WHEN reltuples < 0 THEN pg_relation_size(oid) / 100 ELSE reltuples::bigint END AS rows
       FROM pg_class, concat(quote_ident($1), '.', quote_ident($2)) AS path WHERE oid = to_regclass(path)`,
      [schema, name],
    )
    const rows = Number(size?.rows ?? 0)
    if (rows <= MAX_SCANNED_ROWS) continue
    const table = String(size?.path)
    const joins = above.map((join) => join['Hash Cond'] ?? join['Merge Cond'] ?? join['Join Filter'])
    const compared = [node.Filter, ...joins].filter(Boolean).join(' ')
    // An index on a column does not help if a function or a cast of the column is compared.
    const isExpression = /\w\(|\)::(?:bigint|numeric) = ANY/.test(node.Filter ?? '')
    const columns = isExpression ? [] : namesIn(compared, alias)
    scans.push({
      table,
      rows: `all ${count(rows)} rows`,
      columns,
      example: `${kind} on ${table}, ${compared}`,
    })
  }
  return scans
}

/** Returns a path for each node of a plan: the node, and then the nodes above it. */
function pathsOf(path: readonly PlanNode[]): readonly (readonly PlanNode[])[] {
  return [path, ...(path[0]?.Plans ?? []).flatMap((child) => pathsOf([child, ...path]))]
}

/** Returns the columns of a table in a condition. */
function namesIn(condition: string, alias: string): readonly string[] {
  const prefix = `["\`]?(?<![\\w$])${alias.replace(/\W/g, '\\$&')}["\`]?\\.`
  const found = condition.matchAll(new RegExp(`${prefix}("[^"]+"|\`?[\\w$]+)`, 'g'))
  return [...new Set([...found].map(([, column = '']) => column.replace('`', '')))]
}

async function scansOfMysql(access: DatabaseAccess, lookup: KeyLookup): Promise<readonly Scan[]> {
  const { query } = access
  const { name } = lookup.relation
  // If no row has the value, the plan of MySQL has no tables. So look up a value that a row has.
  const [row] = await query(
    `${selectOf('mysql', name)} \`${lookup.key}\` AS value FROM \`${name}\` WHERE \`${lookup.key}\` IS NOT NULL LIMIT 1`,
  )
  const values = [String(row?.value ?? 0)]
  try {
    const steps = await lookUp(access, lookup, values, 'EXPLAIN FORMAT=TRADITIONAL')
    const [json] = await lookUp(access, lookup, values, 'EXPLAIN FORMAT=JSON')
    const plan = String(Object.values(json ?? {})[0])
    const [view] = await query(
      'SELECT view_definition AS text FROM information_schema.views WHERE table_schema = database() AND table_name = ?',
      [name],
    )
    return steps.flatMap(({ table, type, rows, Extra: extra, select_type: part }) => {
      if ((type !== 'ALL' && type !== 'index') || Number(rows) <= MAX_SCANNED_ROWS) return []
      const alias = String(table)
      return {
        table: tableOf(String(view?.text ?? ''), alias),
        rows: `all ${count(Number(rows))} rows`,
        columns: namesIn(plan, alias).slice(0, 3),
        example: `${String(part)} of ${alias}, type ${String(type)}, ${String(extra ?? '')}`,
      }
    })
  } catch {
    // EXPLAIN of a view needs rights on its tables, which a reader does not have.
    return measure(access, lookup, values)
  }
}

/** Returns the table, with its database, that has this name or alias in a view. */
function tableOf(view: string, name: string): string {
  const tables = view.slice(view.indexOf(' from ')).matchAll(/`([^`]+)`\.`([^`]+)`(?: `([^`]+)`)?/g)
  const [found] = [...tables].filter(([, , table, alias = table]) => alias === name)
  return found === undefined ? name : `${found[1]}.${found[2]}`
}

/** Runs the lookup, and counts the rows that it reads. */
async function measure(
  access: DatabaseAccess,
  lookup: KeyLookup,
  values: readonly string[],
): Promise<readonly Scan[]> {
  const countReads = async () => {
    const rows = await access.query(`SHOW SESSION STATUS WHERE variable_name LIKE 'Handler_read%'`)
    return rows.reduce((sum, { Value: value }) => sum + Number(value), 0)
  }
  const before = await countReads()
  const failure = await lookUp(access, lookup, values).then(() => null, messageOf)
  const read = (await countReads()) - before
  if (failure === null && read <= MAX_SCANNED_ROWS) return []
  const rows = `${count(read)} rows`
  const example = failure ?? `${rows} were read for one value`
  return [{ table: `the tables of ${lookup.relation.name}`, rows, columns: [], example }]
}
