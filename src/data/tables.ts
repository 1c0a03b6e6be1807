// The tables and indexes of each SQL store, made of the declarations. schema/*.sql has them, too.

import type { Column, Relation } from './relation.ts'

export const engines = ['sqlite', 'postgres', 'mysql'] as const
type Engine = (typeof engines)[number]

interface Dialect {
  /** @param isUnique whether no two rows have the same value in it */
  readonly typeOf: (column: Pick<Column, 'type' | 'bits' | 'maxLength'>, isUnique: boolean) => string
  readonly rulesOf: (column: Pick<Column, 'sql' | 'type' | 'maxLength'>) => readonly string[]
  readonly quote: (name: string) => string
  /** Whether indexes are part of the table's own statement. */
  readonly indexesWithin: boolean
  /** What follows the columns of a table. */
  readonly options: string
  readonly heading: string
}

const bare = (name: string) => name
/** @param count the function that counts the characters of a text */
const shortEnough = (count: string, { sql, maxLength }: Pick<Column, 'sql' | 'maxLength'>) =>
  maxLength === undefined ? [] : [`CHECK (${count}(${sql}) <= ${maxLength})`]

const dialects: Readonly<Record<Engine, Dialect>> = {
  sqlite: {
    typeOf: ({ type }) => (type === 'string' ? 'TEXT' : 'INTEGER'),
    rulesOf: (column) => [
      ...shortEnough('length', column),
      ...(column.type === 'boolean' ? [`CHECK (${column.sql} IN (0, 1))`] : []),
    ],
    quote: bare,
    indexesWithin: false,
    options: '',
    heading: `-- The relations the gateway reads, for SQLite. They may as well be views over other tables: see views.example.sqlite.sql.
`,
  },
  postgres: {
    typeOf: ({ type, bits }) =>
      type === 'string' ? 'text' : type === 'boolean' ? 'boolean' : bits === 32 ? 'integer' : 'bigint',
    rulesOf: (column) => shortEnough('char_length', column),
    quote: bare,
    indexesWithin: false,
    options: '',
    heading: `-- The relations the gateway reads, for PostgreSQL and what speaks its protocol. They may as well be views over other
-- tables: see views.example.sql.
`,
  },
  mysql: {
    typeOf: ({ type, bits, maxLength }, isUnique) => {
      if (type === 'boolean') return 'boolean'
      if (type === 'integer') return bits === 32 ? 'int' : 'bigint'
      // Every collation of MySQL takes some texts that differ for equal, if only for a space at their end.
      if (isUnique) return `varbinary(${MAX_KEY_BYTES})`
      return maxLength === undefined ? 'mediumtext' : `varchar(${maxLength})`
    },
    rulesOf: () => [],
    quote: (name) => `\`${name}\``,
    indexesWithin: true,
    options: ' ENGINE = InnoDB ROW_FORMAT = DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    heading: `-- The relations the gateway reads, for MySQL and MariaDB. They may as well be views over other tables: see
-- views.example.mysql.sql. What is looked up by text is kept as its bytes in UTF-8.
`,
  },
}

/** The bytes of a text that is looked up by: 256 characters of four bytes. */
const MAX_KEY_BYTES = 1024

/** The statement for a table, and one for each of its indexes; each makes what is missing. */
export function createStatements(relation: Relation, engine: Engine): readonly string[] {
  // The encoding of a database may lack the characters of the comments.
  return [createTable(relation, engine, false), ...createIndexes(relation, engine)]
}

/** The published file for an engine. */
export function printTables(relations: readonly Relation[], engine: Engine): string {
  const parts = relations.map((relation) => {
    const indexes = createIndexes(relation, engine).map((statement) => `${statement};\n`)
    return [
      `${createTable(relation, engine, true)};\n`,
      ...(indexes.length === 0 ? [] : ['\n', ...indexes]),
    ].join('')
  })
  return [dialects[engine].heading, ...parts].join('\n')
}

interface Line {
  readonly name: string
  readonly type: string
  readonly rules: string
  readonly comment: string
}

function createTable(relation: Relation, engine: Engine, commented: boolean): string {
  const lines = linesOf(relation, engine)
  const widest = (part: 'name' | 'type') => Math.max(...lines.map((line) => line[part].length))
  const [names, types] = [widest('name'), widest('type')]
  const { quote, indexesWithin, options } = dialects[engine]
  const indexes = indexesWithin
    ? indexesOf(relation).map(({ name, on }) => `  UNIQUE KEY ${name} (${on})`)
    : []
  const text = lines.map(({ name, type, rules, comment }, index) => {
    const definition = `  ${name.padEnd(names)} ${type.padEnd(types)} ${rules}`.trimEnd()
    const isLast = index === lines.length - 1 && indexes.length === 0
    return `${definition}${isLast ? '' : ','}${commented ? `  -- ${comment}` : ''}`
  })
  const body = [...text, ...(indexes.length === 0 ? [] : [indexes.join(',\n')])].join('\n')
  return `CREATE TABLE IF NOT EXISTS ${quote(relation.name)} (\n${body}\n)${options}`
}

function linesOf({ columns, derived, taken }: Relation, engine: Engine): Line[] {
  const { typeOf, quote } = dialects[engine]
  return columns.flatMap((column, index) => {
    const { sql, description } = column
    const type = typeOf(column, sql in taken)
    const line = { name: quote(sql), type, rules: rulesOf(column, engine), comment: description }
    if (derived?.from !== index) return [line]
    const made = { type: typeOf({ type: 'string' }, true), rules: 'NOT NULL', comment: derived.description }
    return [line, { name: quote(derived.sql), ...made }]
  })
}

function rulesOf(column: Column, engine: Engine): string {
  if (column.sql === 'id') return 'PRIMARY KEY'
  return [...(column.optional ? [] : ['NOT NULL']), ...dialects[engine].rulesOf(column)].join(' ')
}

/** The index for each column, but the id, in which no two rows have the same value. */
function indexesOf({ name, taken }: Relation): { readonly name: string; readonly on: string }[] {
  const unique = Object.keys(taken).filter((sql) => sql !== 'id')
  return unique.map((sql) => ({ name: `${name}_by_${sql}`, on: sql }))
}

function createIndexes(relation: Relation, engine: Engine): string[] {
  if (dialects[engine].indexesWithin) return []
  return indexesOf(relation).map(({ name, on }) => {
    const isOptional = relation.columns.some(({ sql, optional }) => sql === on && optional === true)
    // PostgreSQL leaves the same out by itself; SQLite's index is smaller for it.
    const where = isOptional && engine === 'sqlite' ? ` WHERE ${on} IS NOT NULL` : ''
    return `CREATE UNIQUE INDEX IF NOT EXISTS ${name} ON ${relation.name} (${on})${where}`
  })
}
