import { parse } from 'graphql'
import { expect, test } from 'vitest'
import { compiledFields } from '../../../src/gateway/graphql/compiled.ts'

const fieldsOf = (query: string) => compiledFields(parse(query))

/** A fragment of so many fields, spread so many times. */
const spread = (fields: number, times: number) =>
  `{ users(values: "1") { ${'...F '.repeat(times)} } } fragment F on User { ${'id '.repeat(fields)} }`

test('operations of up to 200 fields are compiled, their fragments spread', () => {
  expect(fieldsOf(spread(199, 1))).toBe(200)
  for (const query of [spread(200, 1), spread(20, 10), spread(100, 2)]) expect(fieldsOf(query)).toBe(0)
})

test('introspection is not', () => {
  expect(fieldsOf('{ ...F } fragment F on Query { __schema { queryType { name } } }')).toBe(0)
})
