// The tables of each SQL store, from the declarations: created by imports, and published as schema/*.sql.

import type { Column, Relation } from './relation.ts'

export const engines = ['sqlite', 'postgres', 'mysql'] as const
type Engine = (typeof engines)[number]

/** A column as an engine's type depends on it. */
type TypedColumn = Pick<Column, 'type' | 'bits' | 'maxLength'>

interface Sql {
  readonly typeOf: (column: TypedColumn, isUnique: boolean) => string
  /** Counts the characters of a text in a CHECK; null if the type has the limit. */
  readonly lengthFunction: string | null
  /** Whether a boolean is an integer with a CHECK. */
  readonly lacksBooleans: boolean
  readonly quote: (name: string) => string
  /** Whether the statement of a table has its indexes. */
  readonly hasIndexesWithin: boolean
  readonly options: string
  readonly heading: string
}

/** Bytes of a unique text: 256 characters of four bytes. */
const MAX_KEY_BYTES = 1024

const sqlOf: Readonly<Record<Engine, Sql>> = {
  sqlite: {
    typeOf: ({ type }) => (type === 'string' ? 'TEXT' : 'INTEGER'),
    lengthFunction: 'length',
    lacksBooleans: true,
    quote: (name) => name,
    hasIndexesWithin: false,
    options: '',
    heading: `-- The relations the gateway reads, for SQLite. They may as well be views over other tables: see views.example.sqlite.sql.
`,
  },
  postgres: {
    typeOf: ({ type, bits }) =>
      type === 'string' ? 'text' : type === 'boolean' ? 'boolean' : bits === 32 ? 'integer' : 'bigint',
    lengthFunction: 'char_length',
    lacksBooleans: false,
    quote: (name) => name,
    hasIndexesWithin: false,
    options: '',
    heading: `-- The relations the gateway reads, for PostgreSQL and what speaks its protocol. They may as well be views over other
-- tables: see views.example.sql.
`,
  },
  mysql: {
    typeOf: ({ type, bits, maxLength }, isUnique) => {
      if (type === 'boolean') return 'boolean'
      if (type === 'integer') return bits === 32 ? 'int' : 'bigint'
      // Every collation of MySQL takes some different texts as equal, such as texts with a space at the end.
      return isUnique ? `varbinary(${MAX_KEY_BYTES})` : `varchar(${maxLength})`
    },
    lengthFunction: null,
    lacksBooleans: false,
    quote: (name) => `\`${name}\``,
    hasIndexesWithin: true,
    options: ' ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    heading: `-- The relations the gateway reads, for MySQL and MariaDB. They may as well be views over other tables: see
-- views.example.mysql.sql. What is looked up by text is kept as its bytes in UTF-8.
`,
  },
}

/** The statements that create a table and its indexes, unless they exist. */
export function createStatements(relation: Relation, engine: Engine): readonly string[] {
  // The encoding of a database may lack the characters of the comments.
  return [createTable(relation, engine, false), ...createIndexes(relation, engine)]
}

/** The published file of an engine. */
export function printTables(relations: readonly Relation[], engine: Engine): string {
  const parts = relations.map((relation) => {
    const indexes = createIndexes(relation, engine).map((statement) => `${statement};\n`)
    const separator = indexes.length === 0 ? '' : '\n'
    return `${createTable(relation, engine, true)};\n${separator}${indexes.join('')}`
  })
  return [sqlOf[engine].heading, ...parts].join('\n')
}

function createTable(relation: Relation, engine: Engine, hasComments: boolean): string {
  const { quote, hasIndexesWithin, options } = sqlOf[engine]
  const columns = tableColumns(relation, engine)
  const nameWidth = Math.max(...columns.map(({ name }) => name.length))
  const typeWidth = Math.max(...columns.map(({ type }) => type.length))
  const indexes = hasIndexesWithin ? indexedColumns(relation) : []
  const lines = [
    ...columns.map(({ name, type, rules, comment }) => ({
      definition: `${name.padEnd(nameWidth)} ${type.padEnd(typeWidth)} ${rules}`.trimEnd(),
      comment: hasComments ? `  -- ${comment}` : '',
    })),
    ...indexes.map((sql) => ({ definition: `UNIQUE KEY ${indexName(relation, sql)} (${sql})`, comment: '' })),
  ]
  const body = lines.map(({ definition, comment }, index) => {
    const comma = index < lines.length - 1 ? ',' : ''
    return `  ${definition}${comma}${comment}\n`
  })
  return `CREATE TABLE IF NOT EXISTS ${quote(relation.name)} (\n${body.join('')})${options}`
}

interface TableColumn {
  readonly name: string
  readonly type: string
  readonly rules: string
  readonly comment: string
}

function tableColumns({ columns, derived, taken }: Relation, engine: Engine): TableColumn[] {
  const { quote, typeOf } = sqlOf[engine]
  const all = columns.map((column) => ({
    name: quote(column.sql),
    type: typeOf(column, column.sql in taken),
    rules: rulesOf(column, engine),
    comment: column.description,
  }))
  if (derived === undefined) return all
  const own = { name: quote(derived.sql), type: typeOf({ type: 'string' }, true), rules: 'NOT NULL' }
  return all.toSpliced(derived.from + 1, 0, { ...own, comment: derived.description })
}

function rulesOf({ sql, type, maxLength, optional }: Column, engine: Engine): string {
  const { lengthFunction, lacksBooleans } = sqlOf[engine]
  if (sql === 'id') return 'PRIMARY KEY'
  const rules = optional ? [] : ['NOT NULL']
  if (maxLength !== undefined && lengthFunction !== null)
    rules.push(`CHECK (${lengthFunction}(${sql}) <= ${maxLength})`)
  if (type === 'boolean' && lacksBooleans) rules.push(`CHECK (${sql} IN (0, 1))`)
  return rules.join(' ')
}

function createIndexes(relation: Relation, engine: Engine): string[] {
  if (sqlOf[engine].hasIndexesWithin) return []
  return indexedColumns(relation).map((sql) => {
    const isOptional = relation.columns.some((column) => column.sql === sql && column.optional)
    // PostgreSQL leaves NULLs out by itself. SQLite's index gets smaller.
    const where = isOptional && engine === 'sqlite' ? ` WHERE ${sql} IS NOT NULL` : ''
    return `CREATE UNIQUE INDEX IF NOT EXISTS ${indexName(relation, sql)} ON ${relation.name} (${sql})${where}`
  })
}

/** The unique columns besides the primary key. */
function indexedColumns({ taken }: Relation): string[] {
  return Object.keys(taken).filter((sql) => sql !== 'id')
}

const indexName = ({ name }: Relation, sql: string) => `${name}_by_${sql}`
