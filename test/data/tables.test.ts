// The tables in schema/ are written by hand. They have the columns that users.ts and apps.ts declare.

import { expect, test } from 'vitest'
import { int32 } from '../../src/data/fields.ts'
import type { Relation, StoreColumn } from '../../src/data/relation.ts'
import { createStatements, relations } from '../../src/data/relations.ts'

const types = {
  sqlite: { text: 'TEXT', key: 'TEXT', 32: 'INTEGER', 53: 'INTEGER', boolean: 'INTEGER' },
  postgres: { text: 'text', key: 'text', 32: 'integer', 53: 'bigint', boolean: 'boolean' },
  mysql: { text: 'varchar', key: 'varbinary', 32: 'int', 53: 'bigint', boolean: 'boolean' },
} as const

const isUnique = ({ taken }: Relation, sql: string) => sql in taken && sql !== 'id'

/** The columns that a relation declares, as an engine has them. */
function declared(relation: Relation, engine: keyof typeof types) {
  const { columns, derived } = relation
  const typeOf = ({ sql, type, allowed }: StoreColumn) =>
    type === 'string'
      ? types[engine][isUnique(relation, sql) ? 'key' : 'text']
      : types[engine][type === 'boolean' ? type : allowed === int32.allowed ? 32 : 53]
  const all: { name: string; type: string; isRequired: boolean; limit: number | undefined }[] = columns.map(
    (column) => {
      const { sql, optional, maxLength } = column
      // Bytes of UTF-8: see schema/mysql.sql.
      const limit = engine === 'mysql' && isUnique(relation, sql) ? 1024 : maxLength
      return { name: sql, type: typeOf(column), isRequired: optional !== true, limit }
    },
  )
  if (derived === undefined) return all
  const limit = engine === 'mysql' ? 1024 : undefined
  const key = { name: derived.sql, type: types[engine].key, isRequired: true, limit }
  return all.toSpliced(derived.from + 1, 0, key)
}

/** The columns of a CREATE TABLE. */
function columnsOf(statement: string) {
  const lines = statement.split('\n').filter((line) => /^ {2}`?[a-z]/.test(line))
  return lines.map((line) => {
    const [, name = '', type = '', rules = ''] = /^ {2}`?(\w+)`? +(\w+)(.*)/.exec(line) ?? []
    const limit = /^\((\d+)\)/.exec(rules)?.[1] ?? /length\(\w+\) <= (\d+)/.exec(rules)?.[1]
    const isRequired = /PRIMARY KEY|NOT NULL/.test(rules)
    return { name, type, isRequired, limit: limit === undefined ? undefined : Number(limit) }
  })
}

test.for(
  (['sqlite', 'postgres', 'mysql'] as const).flatMap((engine) =>
    Object.values(relations).map((relation) => [engine, relation.name, relation] as const),
  ),
)('%s: the table %s has the declared columns and unique keys', ([engine, , relation]) => {
  const [table = '', ...indexes] = createStatements(relation, engine)
  expect(columnsOf(table)).toEqual(declared(relation, engine))
  const unique = Object.keys(relation.taken).filter((sql) => sql !== 'id')
  for (const sql of unique)
    expect([table, ...indexes].join('\n')).toMatch(
      new RegExp(`UNIQUE (?:INDEX IF NOT EXISTS|KEY) ${relation.name}_by_${sql}`),
    )
  expect(indexes).toHaveLength(engine === 'mysql' ? 0 : unique.length)
})
