// The tables and indexes of each SQL store, made of the declarations. schema/*.sql has them, too.

import type { Column, Relation } from './relation.ts'

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

interface Dialect {
  readonly typeOf: (column: Pick<Column, 'type' | 'bits'>) => string
  /** The function that counts the characters of a text. */
  readonly length: string
  readonly heading: string
}

const dialects: Readonly<Record<Engine, Dialect>> = {
  sqlite: {
    typeOf: ({ type }) => (type === 'string' ? 'TEXT' : 'INTEGER'),
    length: 'length',
    heading: `-- The relations the gateway reads, for SQLite. They may as well be views over other tables: see views.example.sqlite.sql.
`,
  },
  postgres: {
    typeOf: ({ type, bits }) =>
      type === 'string' ? 'text' : type === 'boolean' ? 'boolean' : bits === 32 ? 'integer' : 'bigint',
    length: 'char_length',
    heading: `-- The relations the gateway reads, for PostgreSQL and what speaks its protocol. They may as well be views over other
-- tables: see views.example.sql.
`,
  },
}

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
  const text = lines.map(({ name, type, rules, comment }, index) => {
    const definition = `  ${name.padEnd(names)} ${type.padEnd(types)} ${rules}`
    return `${definition}${index < lines.length - 1 ? ',' : ''}${commented ? `  -- ${comment}` : ''}`
  })
  return `CREATE TABLE IF NOT EXISTS ${relation.name} (\n${text.join('\n')}\n)`
}

function linesOf({ columns, derived }: Relation, engine: Engine): Line[] {
  const { typeOf } = dialects[engine]
  return columns.flatMap((column, index) => {
    const { sql, description } = column
    const line = { name: sql, type: typeOf(column), rules: rulesOf(column, engine), comment: description }
    if (derived?.from !== index) return [line]
    const made = { type: typeOf({ type: 'string' }), rules: 'NOT NULL', comment: derived.description }
    return [line, { name: derived.sql, ...made }]
  })
}

function rulesOf({ sql, type, optional, maxLength }: Column, engine: Engine): string {
  if (sql === 'id') return 'PRIMARY KEY'
  const rules: string[] = optional ? [] : ['NOT NULL']
  if (maxLength !== undefined) rules.push(`CHECK (${dialects[engine].length}(${sql}) <= ${maxLength})`)
  if (type === 'boolean' && engine === 'sqlite') rules.push(`CHECK (${sql} IN (0, 1))`)
  return rules.join(' ')
}

function createIndexes({ name, columns, taken }: Relation, engine: Engine): string[] {
  const unique = Object.keys(taken).filter((sql) => sql !== 'id')
  return unique.map((sql) => {
    const isOptional = columns.some((column) => column.sql === sql && column.optional === true)
    // PostgreSQL leaves the same out by itself; SQLite's index is smaller for it.
    const where = isOptional && engine === 'sqlite' ? ` WHERE ${sql} IS NOT NULL` : ''
    return `CREATE UNIQUE INDEX IF NOT EXISTS ${name}_by_${sql} ON ${name} (${sql})${where}`
  })
}
