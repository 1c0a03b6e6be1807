// GraphQL requests that no client would send: right ones, right but for a detail, and any text at all.

import fc from 'fast-check'
import type { Params } from './client.ts'

const words = fc.constantFrom(
  ...'{ } ( ) [ ] : = ! $ @ ... | & # " """ query mutation subscription fragment on null true 1 -1'.split(
    ' ',
  ),
  ...'1.5e9 "1" $a $v users apps user app values: value: id: ids: by: ID CHAT User Query id rank'.split(' '),
  ...'__typename __schema __proto__ constructor A \\u{1F338} 🌸 types name @include(if:$a)'.split(' '),
  ...['\n', ',', '\ufeff', '\0', '@skip(if: true)'],
)
const soup = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' '))

const userFields = fc.constantFrom(
  ...['id', 'rank', 'joinDate', '__typename', 'x: username', '... on User { banned }', '...U'],
)
const appFields = fc.constantFrom(
  ...['id', 'title', 'version @skip(if: true)', 'then: category', '__typename', 'id: id'],
)
const joined = (parts: fc.Arbitrary<string>) =>
  fc.array(parts, { minLength: 1, maxLength: 5 }).map((all) => all.join(' '))

const text = fc.oneof(
  fc.constantFrom('1', '2', 'ada', 'chat-1001', '007', 'abc', '\0', '"""'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const texts = fc.oneof(
  fc.array(text, { maxLength: 5 }).map((all) => `[${all.map((value) => JSON.stringify(value)).join(', ')}]`),
  fc.constantFrom('$v', '$v', '"1"', '[2, "ada", 1234]'),
)
const ids = fc.oneof(
  fc.constantFrom('[1, "2"]', '3', '[]', '[70000]', '$ids'),
  texts.filter((list) => list !== '$v'),
)
const method = fc.constantFrom('', 'by: ID, ', 'by: USERNAME, ', 'by: CHAT, ', 'by: $by, ')

const one = fc.oneof(
  text.map((value) => JSON.stringify(value)),
  fc.constantFrom('$one', '1', '70000'),
)
const id = fc.constantFrom('1', '"2"', '70000', '$one')
const look = fc.oneof(
  fc
    .tuple(method, one, joined(userFields))
    .map(([by, value, fields]) => `user(${by}value: ${value}) { ${fields} }`),
  fc.tuple(id, joined(appFields)).map(([value, fields]) => `app(id: ${value}) { ${fields} }`),
  fc
    .tuple(method, texts, joined(userFields))
    .map(([by, values, fields]) => `users(${by}values: ${values}) { ${fields} }`),
  fc.tuple(ids, joined(appFields)).map(([list, fields]) => `apps(ids: ${list}) { ${fields} }`),
  fc.constantFrom('__typename', '... @skip(if: true) { __typename }', '__schema { types { name } }'),
)

const declarations = {
  $v: ['$v: [ID!]!', '$v: [ID!]! = ["1"]', '$v: ID!'],
  $one: ['$one: ID!', '$one: ID! = 1', '$one: ID! = "1"'],
  $by: ['$by: UserLookupMethod!', '$by: UserLookupMethod! = USERNAME', '$by: UserLookupMethod = ID'],
  $ids: ['$ids: [ID!]!', '$ids: [ID!]! = [1, "2"]', '$ids: ID!'],
}

/** A query with every variable declared, every field under an alias of its own, every fragment there. */
export const rightQuery = fc
  .tuple(fc.array(look, { minLength: 1, maxLength: 3 }), fc.nat(2))
  .map(([looks, choice]) => {
    const body = looks.map((field, index) => field.replace(/^(users?|apps?)/, `a${index}: $1`)).join(' ')
    const used = Object.entries(declarations).filter(([name]) => new RegExp(`\\${name}\\b`).test(body))
    const declared = used.map(([, variants]) => variants[choice]).join(', ')
    const fragment = body.includes('...U') ? ' fragment U on User { id displayName }' : ''
    return `query A${declared === '' ? '' : `(${declared})`} { ${body} }${fragment}`
  })

const edited = fc
  .tuple(rightQuery, fc.double({ min: 0, max: 1, noNaN: true }), words, fc.nat(3))
  .map(([query, place, word, removed]) => {
    const at = Math.floor(place * query.length)
    return query.slice(0, at) + word + query.slice(at + removed)
  })

const query: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: rightQuery, weight: 60 },
  { arbitrary: edited, weight: 30 },
  { arbitrary: soup, weight: 20 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 60 }), weight: 10 },
  { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 10 },
)

const list = fc.oneof(
  { arbitrary: fc.array(text, { maxLength: 6 }), weight: 3 },
  { arbitrary: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }), weight: 1 },
  { arbitrary: fc.oneof(text, fc.jsonValue({ maxDepth: 1 })), weight: 1 },
)
export const anyVariables = fc.record(
  {
    v: list,
    ids: list,
    one: fc.oneof(text, fc.integer()),
    by: fc.constantFrom('ID', 'USERNAME', 'CHAT', 'id', null),
  },
  { requiredKeys: [] },
)
const variables = fc.oneof({ arbitrary: anyVariables, weight: 5 }, { arbitrary: fc.jsonValue(), weight: 1 })

export const anyRequest: fc.Arbitrary<Params> = fc.record(
  {
    query,
    variables,
    operationName: fc.constantFrom('A', 'A', 'A', '', null, 'B'),
    extensions: fc.constant({ a: [1] }),
  },
  { requiredKeys: ['query'] },
)
