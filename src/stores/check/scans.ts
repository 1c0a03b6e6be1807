// Finds lookups that read a whole table, by EXPLAIN, or by counting the rows that a lookup reads.

import type { Relation } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { count, messageOf } from '../../text.ts'
import { selectList } from '../rows.ts'
import { findSql } from '../sqlite/lookups.ts'
import { findComparedColumns, findScan, measureSlowness } from '../sqlite/scans.ts'
import { type DatabaseAccess, type DatabaseFault, selectOf } from './access.ts'

/** Rows that a lookup may read for one value. */
const MAX_ROWS = 1_000

export interface KeyLookup {
  readonly name: string
  readonly relation: Relation
  readonly key: string
}

const { users, apps } = relations
export const lookups: readonly KeyLookup[] = [
  { name: 'users by id', relation: users, key: 'id' },
  { name: 'users by username', relation: users, key: 'username_key' },
  { name: 'users by chat id', relation: users, key: 'chat_id' },
  { name: 'apps by id', relation: apps, key: 'id' },
]

/** A table that a lookup reads from its first row to its last. */
interface Scan {
  readonly table: string
  /** How many rows the lookup reads, in words. */
  readonly rows: string
  /** The columns or expressions of the missing index; empty if unknown. */
  readonly columns: readonly string[]
  readonly example: string
  /** The instruction for the operator, if no index helps. */
  readonly mend?: string
}

const scansOf = { sqlite: scansOfSqlite, postgres: scansOfPostgres, mysql: scansOfMysql } as const

export async function findScans(
  access: DatabaseAccess,
  lookup: KeyLookup,
): Promise<readonly DatabaseFault[]> {
  const scans = await scansOf[access.engine](access, lookup)
  return scans.map((scan) => ({
    what: `${lookup.name} reads ${scan.rows} of ${scan.table} for each value`,
    example: scan.example,
    mend: scan.mend ?? indexFor(scan, access.engine, lookup),
  }))
}

function indexFor(
  { table, columns }: Scan,
  engine: DatabaseAccess['engine'],
  { relation, key }: KeyLookup,
): string {
  const list = columns.join(', ')
  if (list === '')
    return `Add an index on what the view ${relation.name} compares: the column behind ${key}, or the column of a join.`
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
  const columns = findComparedColumns(file, sql, table)
  const scan = { table, rows: `more than ${count(MAX_ROWS)} rows`, columns, example: steps.join('; ') }
  if (!steps.includes(`MATERIALIZE ${relation.name}`)) return [scan]
  const mend = `Replace the joins of the view ${relation.name} by subqueries: SQLite makes the whole of a view that joins, for each lookup.`
  return [{ ...scan, mend }]
}

/** A value that no row has. In a plan, it marks the place of the comparison. */
const MARKER = '9007199254740990'

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

async function scansOfPostgres(
  { query }: DatabaseAccess,
  { relation, key }: KeyLookup,
): Promise<readonly Scan[]> {
  const type = key === 'id' ? 'bigint' : 'text'
  const [row] = await query(
    `EXPLAIN (FORMAT JSON, VERBOSE) SELECT ${selectList(relation)}, ${key} FROM ${relation.name}
     WHERE ${key} = ANY('{${MARKER}}'::${type}[])`,
  )
  const [{ Plan: root }]: readonly [{ readonly Plan: PlanNode }] = JSON.parse(String(row?.['QUERY PLAN']))
  const scans: Scan[] = []
  for (const [node = root, ...above] of pathsOf([root])) {
    const { Schema: schema = '', 'Relation Name': name, Alias: alias = '', 'Node Type': kind } = node
    const isWhole = kind === 'Seq Scan' || (/^Index (?:Only )?Scan$/.test(kind) && !node['Index Cond'])
    if (name === undefined || !isWhole) continue
    // A plan has names without quotes: "User" of Prisma is User there.
    const [size] = await query(
      `SELECT path AS table, reltuples::bigint AS rows, pg_relation_size(oid) / 100 AS guess
       FROM pg_class, concat(quote_ident($1), '.', quote_ident($2)) AS path WHERE oid = to_regclass(path)`,
      [schema, name],
    )
    // A table that was never analysed has no number of rows.
    const rows = Number(size?.rows) < 0 ? Number(size?.guess) : Number(size?.rows)
    if (size === undefined || rows <= MAX_ROWS) continue
    const table = String(size.table)
    const joins = above.map((join) => join['Hash Cond'] ?? join['Merge Cond'] ?? join['Join Filter'])
    const compared = [node.Filter, ...joins].filter(Boolean).join(' ')
    // A cast of a number needs an index like a function does. That of a varchar to text does not.
    const hasFunction = /\w\(|\)::(?:bigint|numeric) = ANY/.test(node.Filter?.split(MARKER)[0] ?? '')
    const columns = hasFunction
      ? await expressionOf({ query }, relation, key, alias)
      : namesIn(compared, alias)
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

/** Returns the expression of a column of the view. The plan has the expression without its collation. */
async function expressionOf(
  { query }: Pick<DatabaseAccess, 'query'>,
  { name }: Relation,
  key: string,
  alias: string,
): Promise<readonly string[]> {
  const [view] = await query(`SELECT pg_get_viewdef(to_regclass($1)) AS text`, [name])
  const [, expression] = new RegExp(`^\\s*(?:SELECT )?(.+) AS ${key},?$`, 'm').exec(String(view?.text)) ?? []
  return expression === undefined ? [] : [`(${expression.replace(new RegExp(prefixOf(alias), 'g'), '')})`]
}

/** Matches the name of a table before its columns, in quotes or not. */
const prefixOf = (alias: string) => `["\`]?(?<![\\w$])${alias.replace(/\W/g, '\\$&')}["\`]?\\.`

/** Returns the columns of a table in a condition. */
function namesIn(condition: string, alias: string): readonly string[] {
  const found = condition.matchAll(new RegExp(`${prefixOf(alias)}("[^"]+"|\`?[\\w$]+)`, 'g'))
  return [...new Set([...found].map(([, column = '']) => column.replace('`', '')))]
}

async function scansOfMysql(access: DatabaseAccess, lookup: KeyLookup): Promise<readonly Scan[]> {
  const { relation, key } = lookup
  const columns = selectList(relation).replace(/\w+/g, '`$&`')
  // If no row has the value, the plan of MySQL has no tables. So look up a value that a row has.
  const [row] = await access.query(
    `${selectOf('mysql', relation.name)} \`${key}\` AS value FROM \`${relation.name}\` WHERE \`${key}\` IS NOT NULL LIMIT 1`,
  )
  const value = String(row?.value ?? MARKER)
  const literal = key === 'id' ? value : `_utf8mb4 x'${Buffer.from(value).toString('hex')}'`
  const sql = `${selectOf('mysql', relation.name)} ${columns}, \`${key}\` FROM \`${relation.name}\` WHERE \`${key}\` IN (${literal})`
  try {
    const steps = await access.query(`EXPLAIN FORMAT=TRADITIONAL ${sql}`)
    const [json] = await access.query(`EXPLAIN FORMAT=JSON ${sql}`)
    const text = String(Object.values(json ?? {})[0])
    const [view] = await access.query(
      'SELECT view_definition AS text FROM information_schema.views WHERE table_schema = database() AND table_name = ?',
      [relation.name],
    )
    return steps.flatMap(({ table, type, rows, Extra: extra, select_type: part }) => {
      if ((type !== 'ALL' && type !== 'index') || Number(rows) <= MAX_ROWS) return []
      const name = String(table)
      const full = tableOf(String(view?.text ?? ''), name)
      const example = `${String(part)} of ${name}, type ${String(type)}, ${String(extra ?? '')}`
      const all = `all ${count(Number(rows))} rows`
      return [{ table: full, rows: all, columns: namesIn(text, name).slice(0, 3), example }]
    })
  } catch {
    // EXPLAIN of a view needs rights on its tables, which a reader does not have.
    return measure(access, lookup, sql)
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
  { query }: DatabaseAccess,
  { relation }: KeyLookup,
  sql: string,
): Promise<readonly Scan[]> {
  const reads = async () => {
    const rows = await query(`SHOW SESSION STATUS WHERE variable_name LIKE 'Handler_read%'`)
    return rows.reduce((sum, { Value: value }) => sum + Number(value), 0)
  }
  const before = await reads()
  const failure = await query(sql).then(
    () => '',
    (error: unknown) => messageOf(error),
  )
  const read = (await reads()) - before
  if (failure === '' && read <= MAX_ROWS) return []
  const example = failure === '' ? `${count(read)} rows were read for one value` : failure
  return [{ table: `the tables of ${relation.name}`, rows: `${count(read)} rows`, columns: [], example }]
}
