import { getOperationAST, parse } from 'graphql'
import { expect, test } from 'vitest'
import { type Compiled, compiledFields, createCompiler } from '../../../src/gateway/graphql/compiled.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'

const compiler = createCompiler(schema, 1)

function use(query: string): { readonly compiled: Compiled | null; readonly fields: number } {
  const document = parse(query)
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('no operation')
  return { compiled: compiler(document, operation)(), fields: compiledFields(document) }
}

/** A fragment of so many fields, spread so many times. */
const spread = (fields: number, times: number) =>
  `{ users(values: "1") { ${'...F '.repeat(times)} } } fragment F on User { ${'id '.repeat(fields)} }`

test('operations of up to 200 fields are compiled, their fragments spread', async () => {
  await expect.poll(() => use('{ users(values: "1") { id } }').compiled).not.toBe(null)
  const largest = use(spread(199, 1))
  expect([largest.compiled === null, largest.fields]).toEqual([false, 200])
  for (const query of [spread(200, 1), spread(20, 10), spread(100, 2)]) {
    const { compiled, fields } = use(query)
    expect([compiled, fields]).toEqual([null, 0])
  }
})

test.each([
  '{ __schema { queryType { name } } }',
  '{ __type(name: "User") { name } }',
  '{ ...F } fragment F on Query { __schema { queryType { name } } }',
])('introspection is not: %s', (query) => {
  expect(use(query)).toEqual({ compiled: null, fields: 0 })
})
