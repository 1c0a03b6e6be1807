// The tables in schema/ are written by hand. They have the columns that users.ts and apps.ts declare.

import { expect, test } from 'vitest'
import { int32 } from '../../src/data/fields.ts'
import type { Relation } from '../../src/data/relation.ts'
import { createStatements, relations } from '../../src/data/relations.ts'

const types = {
  sqlite: { text: 'TEXT', key: 'TEXT', 32: 'INTEGER', 53: 'INTEGER', boolean: 'INTEGER' },
  postgres: { text: 'text', key: 'text', 32: 'integer', 53: 'bigint', boolean: 'boolean' },
  mysql: { text: 'varchar', key: 'varbinary', 32: 'int', 53: 'bigint', boolean: 'boolean' },
} as const

/** The columns that a relation declares, as an engine has them: name, type, whether required, limit. */
function declared({ columns, derived, taken }: Relation, engine: keyof typeof types): unknown[][] {
  // Bytes of UTF-8: see schema/mysql.sql.
  const keyLimit = engine === 'mysql' ? 1024 : undefined
  const all = columns.map(({ sql, type, allowed, optional, maxLength }): unknown[] => {
    const isKey = sql in taken && sql !== 'id'
    const number = allowed === int32.allowed ? 32 : 53
    const kind = type === 'string' ? (isKey ? 'key' : 'text') : type === 'boolean' ? type : number
    return [sql, types[engine][kind], optional !== true, isKey ? (keyLimit ?? maxLength) : maxLength]
  })
  if (derived === undefined) return all
  return all.toSpliced(derived.from + 1, 0, [derived.sql, types[engine].key, true, keyLimit])
}

/** The columns of a CREATE TABLE. */
function columnsOf(statement: string): unknown[][] {
  const lines = statement.split('\n').filter((line) => /^ {2}`?[a-z]/.test(line))
  return lines.map((line) => {
    const [, name, type, rules = ''] = /^ {2}`?(\w+)`? +(\w+)(.*)/.exec(line) ?? []
    const limit = /^\((\d+)\)/.exec(rules)?.[1] ?? /length\(\w+\) <= (\d+)/.exec(rules)?.[1]
    return [name, type, /PRIMARY KEY|NOT NULL/.test(rules), limit === undefined ? undefined : Number(limit)]
  })
}

const cases = (['sqlite', 'postgres', 'mysql'] as const).flatMap((engine) =>
  Object.values(relations).map((relation) => [engine, relation] as const),
)
test.for(cases)('$0: the table $1.name has the declared columns and unique keys', ([engine, relation]) => {
  const [table = '', ...indexes] = createStatements(relation, engine)
  expect(columnsOf(table)).toEqual(declared(relation, engine))
  const unique = Object.keys(relation.taken).filter((sql) => sql !== 'id')
  for (const sql of unique)
    expect([table, ...indexes].join('\n')).toMatch(
      new RegExp(`UNIQUE (?:INDEX IF NOT EXISTS|KEY) ${relation.name}_by_${sql}`),
    )
  expect(indexes).toHaveLength(engine === 'mysql' ? 0 : unique.length)
})
