// The published schema is not stale, it is described, and what breaks clients is in the changelog.

import { readFileSync } from 'node:fs'
import * as graphql from 'graphql'
import { expect, test } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { createSchema, schema } from '../../src/graphql/schema.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('schema/schema.graphql is what the code prints', () => {
  expect(read('../../schema/schema.graphql')).toBe(`${graphql.printSchema(schema)}\n`)
})

const dated = createSchema('seconds')

test('the schema is valid', () => {
  const unchecked = new graphql.GraphQLSchema({ ...dated.toConfig(), assumeValid: false })
  expect(graphql.validateSchema(unchecked)).toEqual([])
})

test('JOIN_DATE_UNIT adds a field and its scalar, and removes nothing', () => {
  const linesOf = (one: graphql.GraphQLSchema) => graphql.printSchema(one).split('\n')
  const added = linesOf(dated).filter((line) => !linesOf(schema).includes(line))
  expect(added.filter((line) => /^ *(?:scalar|\w+:)/.test(line))).toEqual([
    expect.stringMatching(/^scalar DateTime @specifiedBy/),
    '  joinedAt: DateTime',
  ])
  expect(graphql.findBreakingChanges(schema, dated)).toEqual([])
})

test.for<[unit: 'seconds' | 'milliseconds', joinDate: number, joinedAt: string | null]>([
  ['seconds', -1, '1969-12-31T23:59:59.000Z'],
  ['seconds', 253402300799, '9999-12-31T23:59:59.000Z'],
  ['seconds', 253402300800, null],
  ['seconds', -62167219200, '0000-01-01T00:00:00.000Z'],
  ['seconds', -62167219201, null],
  ['seconds', Number.MAX_SAFE_INTEGER, null],
  ['milliseconds', 253402300799999, '9999-12-31T23:59:59.999Z'],
  ['milliseconds', 253402300800000, null],
])('in %s, %d is %s', async ([unit, joinDate, joinedAt]) => {
  const lookups = { findUsers: async () => [{ joinDate }] }
  const { data } = await graphql.graphql({
    schema: createSchema(unit),
    source: '{ user(value: 1) { joinedAt } }',
    contextValue: { lookups },
  })
  expect(data?.user).toEqual({ joinedAt })
})

test('every type, field, argument and value of an enum is described', () => {
  const own = Object.values(dated.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !graphql.isSpecifiedScalarType(type),
  )
  const described = own.flatMap((type) => {
    const values = graphql.isEnumType(type) ? type.getValues() : []
    const fields = graphql.isObjectType(type) ? Object.values(type.getFields()) : []
    return [type, ...values, ...fields, ...fields.flatMap(({ args }) => args)]
  })
  // 7 types; 4 + 8 + 6 fields; 6 arguments; 3 values of the enum.
  expect(described).toHaveLength(7 + 18 + 6 + 3)
  for (const { name, description } of described) expect(description?.trim(), name).toMatch(/^[A-Z].{10,}\.$/s)
})

// The schema of the last release is kept here without descriptions, under the version of package.json.
test('what breaks clients since the last release is in CHANGELOG.md, under Unreleased', () => {
  const sections = read('../../CHANGELOG.md').split(/^## /m)
  const unreleased = sections.find((one) => one.startsWith('Unreleased\n'))?.replace(/\s+/g, ' ') ?? ''
  const last = graphql.buildSchema(read(`schema-${about.version}.graphql`))
  // To name a change there, copy the sentence of this failure.
  const changes = graphql.findBreakingChanges(last, schema).map(({ description }) => description)
  expect(changes.filter((description) => !unreleased.includes(description))).toEqual([])
})
