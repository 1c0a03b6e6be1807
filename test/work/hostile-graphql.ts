// GraphQL requests made to be expensive.

import fc from 'fast-check'
import { requestFor } from '../http/raw.ts'
import { fill } from './hostile-legacy.ts'
import type { Hostile } from './meter.ts'

/** Bytes that a body may have. */
const LONGEST = 65_536

/** A POST of a body, cut to the length that is allowed. */
export function posted(body: string, type = 'application/json', accept = 'application/json'): string {
  const bytes = Buffer.from(body).toString('latin1').slice(0, LONGEST)
  const headers = ['Host: a', `Content-Type: ${type}`, `Accept: ${accept}`, `Content-Length: ${bytes.length}`]
  return requestFor('/graphql', headers, 'POST') + bytes
}

/** A request for a query. A text of its own is never found in a cache. */
export const asked =
  (query: string, variables: unknown = {}): Hostile =>
  (nonce) =>
    posted(JSON.stringify({ query: `${query} #${nonce}`, variables }))

export const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ')

const smallish = fc.integer({ min: 1, max: 40 })
const many = fc.oneof(fc.constantFrom(1, 15, 90, 99, 100, 300, 480), fc.integer({ min: 1, max: 500 }))
const userFields = fc.constantFrom('id', 'rank', 'username', 'a: id', '__typename', 'id rank banned')
const typeFields = fc.constantFrom(
  ...['name', 'kind', 'description', 'fields { name }', 'a: ofType { name } b: ofType { kind }'],
)

/** Fragments that spread fragments, in data and in the schema. */
export const fragmentChains = fc
  .record({
    root: fc.constantFrom('users(values: ["1"])', '__schema', '__type(name: "User")', 'query'),
    depth: fc.integer({ min: 1, max: 90 }),
    branches: fc.integer({ min: 1, max: 4 }),
    field: fc.constantFrom('', 'ofType', 'type', 'fields', 'args', 'interfaces', 'types'),
    alias: fc.boolean(),
    leaf: fc.oneof(userFields, typeFields),
  })
  .map(({ root, depth, branches, field, alias, leaf }) => {
    const type = root.startsWith('users') ? 'User' : root === 'query' ? 'Query' : '__Type'
    const spread = (to: number) =>
      times(branches, (branch) =>
        field === '' ? `...F${to}` : `${alias ? `a${branch}: ` : ''}${field} { ...F${to} }`,
      )
    const chain = times(
      depth,
      (at) => `fragment F${at} on ${type} { ${at === depth - 1 ? leaf : spread(at + 1)} }`,
    )
    const inside = root === '__schema' ? 'types { ...F0 }' : '...F0'
    return asked(root === 'query' ? `{ ...F0 } ${chain}` : `{ ${root} { ${inside} } } ${chain}`)
  })

/** Many fields of many values. */
export const wideSelections = fc
  .record({
    roots: fc.integer({ min: 1, max: 100 }),
    values: fc.constantFrom(0, 1, 10, 100, 500, 1_000),
    by: fc.constantFrom('ID', 'USERNAME', 'CHAT'),
    fields: fc.integer({ min: 1, max: 110 }),
    name: fc.constantFrom(
      ...['1', 'ada', 'e\u0301'.repeat(128), '\ufdfa'.repeat(256), '\u0301\u0323\u0327'.repeat(85)],
    ),
    inFragment: fc.boolean(),
  })
  .map(({ roots, values, by, fields, name, inFragment }) => {
    const selected = times(fields, (index) => (index < 7 ? (wide[index] ?? '') : `f${index}: displayName`))
    const selection = inFragment ? '...F' : selected
    const fragment = inFragment ? ` fragment F on User { ${selected} }` : ''
    const root = (index: number) => `r${index}: users(by: ${by}, values: $v) { ${selection} }`
    const list = Array.from({ length: values }, (_, index) => (by === 'ID' ? String(1 + (index % 13)) : name))
    return asked(`query ($v: [ID!]!) { ${times(roots, root)} }${fragment}`, { v: list })
  })
const wide = ['id', 'username', 'displayName', 'rank', 'joinDate', 'isConfirmed', 'banned']

/** The same again and again, in a selection set or in lists. */
export const repetitions = fc
  .record({
    what: fc.constantFrom(
      ...['id', 'a: id', '... on User { id }', '... { id }', 'id @skip(if: false)', 'id @include(if: $a)'],
      ...['...F', 'nothing', 'users'],
    ),
    where: fc.constantFrom('user', 'query', 'fragment'),
    count: many,
  })
  .map(({ what, where, count }) => {
    const some = times(count, () => what)
    if (where === 'query') return asked(`query ($a: Boolean = true) { ${some} } fragment F on User { id }`)
    if (where === 'fragment')
      return asked(
        `{ users(values: "1") { ...G } } fragment G on User { ${some} } fragment F on User { rank }`,
      )
    return asked(`query ($a: Boolean = true) { users(values: "1") { ${some} } } fragment F on User { id }`)
  })

/** Things that differ, of which each has to be compared with each. */
export const differences = fc
  .record({
    what: fc.constantFrom(
      (index: number) => `users(values: "${index}") { id }`,
      (index: number) => `a${index}: users(values: "${index}") { id }`,
      (index: number) => `a${index}: app(id: ${index}) { id }`,
      (index: number) => `a${index}: user(by: USERNAME, value: "${index}") { id b: rank }`,
      (index: number) => `userz${index}`,
      (index: number) => `...F${index}`,
      (index: number) => `...F${index} ...F${index + 1}`,
      (index: number) => `users(values: $v${index}) { id }`,
      (index: number) => `users(by: CHAR${index}, values: "1") { usernam${index} }`,
      (index: number) => `users(valuez${index}: "1") { id }`,
      (index: number) => `a @skap${index}`,
    ),
    rest: fc.constantFrom(
      (_index: number) => '',
      (index: number) => `fragment F${index} on Query { ...F${index + 1} apps(ids: ${index}) { id } }`,
      (index: number) => `fragment F${index} on Query { users(values: "${index % 2}") { id } }`,
      (index: number) => `query Q${index} { __typename }`,
    ),
    count: many,
    others: many,
  })
  .map(({ what, rest, count, others }) => asked(`{ ${times(count, what)} } ${times(others, rest)}`))

/** A value as JSON: deep ones would be too deep for `JSON.stringify`. */
const jsonValues = fc.oneof(
  fc
    .record({
      unit: fc.constantFrom('x', '\\"', '\\\\', '\\u0001', 'I', 'ID', 'é', '🌸', '\\ud800'),
      size: fc.integer({ min: 1, max: 65_000 }),
    })
    .map(({ unit, size }) => `"${fill(unit, size)}"`),
  fc
    .record({
      count: fc.integer({ min: 1, max: 30_000 }),
      item: fc.constantFrom('1', 'null', '"x"', '{}', '[]', '{"a":1}', '1.5', '"ID"'),
    })
    .map(({ count, item }) => `[${Array(count).fill(item)}]`),
  fc.integer({ min: 1, max: 30_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 1, max: 10_000 }).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc
    .integer({ min: 1, max: 6_000 })
    .map((count) => `{${Array.from({ length: count }, (_, at) => `"k${at}":${at}`)}}`),
  fc.constantFrom(
    ...['1e308', '-1', '9007199254740993', '9'.repeat(60_000), `0.${'1'.repeat(60_000)}`, '1e999999'],
  ),
)

/** Variables of any type, given values of any shape. */
export const oddVariables = fc
  .record({
    type: fc.constantFrom(...['UserLookupMethod!', 'String', 'ID', '[ID!]!', 'Int', 'SafeInt', 'Nothing']),
    value: jsonValues,
    definitions: smallish,
  })
  .map(({ type, value, definitions }): Hostile => {
    const names = Array.from({ length: definitions }, (_, index) => `v${index}`)
    const fields = times(definitions, (index) => `a${index}: apps(ids: $v${index}) { id }`)
    const query = `query (${names.map((name) => `$${name}: ${type}`).join(' ')}) { users(by: $v0, values: $v0) { id } ${fields} }`
    const variables = names.map((name, index) => `"${name}":${index < 3 ? value : '1'}`)
    return (nonce) => posted(`{"query":${JSON.stringify(`${query} #${nonce}`)},"variables":{${variables}}}`)
  })

/** Texts and lists within a query, in one piece or in thousands. */
export const literals = fc
  .record({
    unit: fc.constantFrom(
      ...['x', '\\n', '\\u0301', '\\u{1F338}', ' ', '\n', '\n  ', '{', '[', '#', ',', '"', '\\"""'],
      ...['1', '花', '\t', '\ufeff'],
    ),
    size: fc.integer({ min: 1, max: 64_000 }),
    around: fc.constantFrom(
      ['{ users(values: "', '") { id } }'],
      ['{ users(values: """', '""") { id } }'],
      ['{ users(values: [', ']) { id } }'],
      ['{ users(values: ', ') { id } }'],
      ['{ apps(ids: [', ']) { id } }'],
      ['{ ', ' }'],
      ['{ __typename ', ' }'],
      ['"""', '""" query { __typename }'],
      ['', ''],
    ),
  })
  .map(({ unit, size, around: [before = '', after = ''] }) => asked(`${before}${fill(unit, size)}${after}`))

/** Whatever may be asked of the schema, to any depth. */
const typeSelection: fc.Arbitrary<string> = fc.letrec<{ type: string; field: string }>((tie) => ({
  type: fc
    .array(
      fc.oneof(
        { depthSize: 'medium', maxDepth: 6 },
        fc.constantFrom('name', 'kind', 'description', '__typename', 'enumValues { name description }'),
        tie('field').map((inner) => `fields(includeDeprecated: true) { ${inner} }`),
        tie('type').map((inner) => `ofType { ${inner} }`),
        tie('type').map((inner) => `interfaces { ${inner} }`),
        tie('type').map((inner) => `possibleTypes { ${inner} }`),
        tie('field').map((inner) => `inputFields { ${inner} }`),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join(' ')),
  field: fc
    .array(
      fc.oneof(
        { depthSize: 'medium', maxDepth: 6 },
        fc.constantFrom('name', 'description', 'isDeprecated'),
        tie('type').map((inner) => `type { ${inner} }`),
        tie('type').map((inner) => `args { name type { ${inner} } }`),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => parts.join(' ')),
})).type
export const introspections = fc
  .record({
    type: typeSelection,
    root: fc.constantFrom('__schema { types {', '__type(name: "User") { ofType {', '__schema { queryType {'),
  })
  .map(({ type, root }) => asked(`{ ${root} ${type} } } }`))

/** Bodies that are hardly JSON, or much of it. */
export const bodies = fc
  .record({
    unit: fc.constantFrom(
      ...['[', '[0,', '{"a":', '"', '\\', '{"query":"{ __typename }"},', 'query=%7B&', 'a=b&', '1', ' '],
      ...['\0', '%'],
    ),
    size: fc.integer({ min: 1, max: 65_536 }),
    before: fc.constantFrom(
      ...['', '[', '{"query":"{__typename}","extensions":', '{"query":"{__typename}","variables":'],
      '{"operationName":"',
    ),
    after: fc.constantFrom('', '0', ']'),
    type: fc.constantFrom(
      ...['application/json', 'application/graphql', 'application/x-www-form-urlencoded', 'text/plain'],
      'multipart/form-data; boundary=a',
    ),
    accept: fc.constantFrom('application/json', '*/*', 'text/event-stream', 'multipart/mixed', 'text/html'),
  })
  .map(
    ({ unit, size, before, after, type, accept }): Hostile =>
      (_nonce) =>
        posted(before + fill(unit, size - after.length) + after, type, accept),
  )
