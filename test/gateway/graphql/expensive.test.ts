// Queries made to be expensive are answered within a second, on every use.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask } from './client.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const doubling = (leaf: string) =>
  `{ ...F0 } ${Array.from({ length: 90 }, (_, i) => `fragment F${i} on Query { ${i === 89 ? leaf : `...F${i + 1} ...F${i + 1}`} }`).join(' ')}`
const nestedInline = `{ ${'... @include(if: $a) { '.repeat(100)} __typename ${'}'.repeat(100)} }`
test.each([
  ['fragments that double', doubling('__typename')],
  ['fragments in a circle', '{ ...A } fragment A on Query { ...B ...B } fragment B on Query { ...A ...A }'],
  ['inline fragments in each other', `query ($a: Boolean!) ${nestedInline}`],
  ['one field again and again', `{ users(values: ["1"]) { ${'id '.repeat(980)} } }`],
  ['conditions again and again', `query ($a: Boolean!) { ${'__typename @skip(if: $a) '.repeat(110)} }`],
  ['list in list', `{ users(values: ${'['.repeat(400)}"1"${']'.repeat(400)}) { id } }`],
  [
    'introspection in a circle',
    `{ __schema { types { ${'fields { type { ofType { '.repeat(3)} name ${'} } } '.repeat(3)} } } }`,
  ],
  [
    'introspection by 40 aliases',
    `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: __schema { types { fields { name type { ofType { ofType { name } } } } } }`).join(' ')} }`,
  ],
  [
    'as many root fields as there may be',
    `{ ${Array.from({ length: 90 }, (_, i) => `a${i}: app(id: ${i}) { id }`).join(' ')} }`,
  ],
  [
    'as many lists as there may be',
    `query ($v: [String!]! = ["1"]) { ${Array.from({ length: 70 }, (_, i) => `a${i}: users(values: $v) { ...f }`).join(' ')} } fragment f on User { id rank }`,
  ],
  ['fields that are not there', `{ ${Array.from({ length: 480 }, (_, i) => `userz${i}`).join(' ')} }`],
])('%s', async (_name, query) => {
  for (let use = 1; use <= 5; use++) {
    const started = performance.now()
    const { status } = await ask(gateway, { query, variables: { a: true } })
    expect(status).toBeLessThan(500)
    expect(performance.now() - started).toBeLessThan(1000)
  }
})

// Each wrong item is an error of its own: without a bound, 60 KB of request become megabytes of answer, and
// most of a second in which no other client is served.
test('variables of which every item is wrong', async () => {
  const query = 'query ($values: [String!]!) { users(values: $values) { id } }'
  for (let use = 1; use <= 5; use++) {
    const started = performance.now()
    const { status, text } = await ask(gateway, { query, variables: { values: Array(30_000).fill(1) } })
    expect(status).toBeLessThan(500)
    expect(text.length).toBeLessThan(100_000)
    expect(performance.now() - started, `use ${use}`).toBeLessThan(300)
  }
})
