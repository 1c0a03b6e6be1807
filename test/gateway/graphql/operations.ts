// Operations on which a compiler and an interpreter might differ, with variables that do and do not fit.

import type { Variables } from './execution-support.ts'

interface Operation {
  readonly query: string
  readonly variables?: readonly Variables[]
  readonly operationName?: string
}

const USER = 'id username displayName rank joinDate isConfirmed banned'
const LONG = JSON.stringify(Array.from({ length: 21 }, (_, index) => String(index)))

export const operations: Readonly<Record<string, Operation>> = {
  'all fields of users': { query: `{ users(values: ["1", "13", "99", "9007199254740991"]) { ${USER} } }` },
  'all fields of apps': {
    query: '{ apps(ids: [1, "5", 99]) { id title version category changelogLink downloadLink } }',
  },
  'empty lists': { query: '{ users(values: []) { id } apps(ids: []) { id } }' },
  'one value in place of a list': { query: '{ users(values: "1") { id } apps(ids: 2) { id } }' },
  'one user and one app': {
    query: `{ user(value: "1") { ${USER} } app(id: 1) { title } none: user(value: "99") { id } no: app(id: "x") { id } }`,
  },
  'one user by variables': {
    query: 'query ($by: UserLookupMethod! = ID, $value: String!) { user(by: $by, value: $value) { id } }',
    variables: [
      { value: '1' },
      { by: 'USERNAME', value: 'ada' },
      { by: null, value: '1' },
      { value: null },
      { value: 1 },
      { value: ['1'] },
      {},
    ],
  },
  'one app by variables': {
    query: 'query ($id: ID!) { app(id: $id) { id } }',
    variables: [{ id: 1 }, { id: '1' }, { id: 1.5 }, { id: null }, {}],
  },
  'type names': { query: '{ __typename users(values: ["1"]) { __typename t: __typename } }' },
  'aliases and merged fields': {
    query: `{ a: users(values: ["1"]) { x: id id } a: users(values: ["1"]) { rank x: id } b: apps(ids: [1]) { id } }`,
  },
  fragments: {
    query: `{ ...Q users(values: ["2"]) { rank ...U } } fragment U on User { id ...N ... { banned } }
      fragment N on User { username rank } fragment Q on Query { users(values: ["2"]) { joinDate } }`,
  },
  'order of fields': { query: '{ apps(ids: [1]) { title id } __typename users(values: ["1"]) { rank id } }' },
  'aliases that mean something to JavaScript': {
    query: `{ constructor: __typename then: __typename toString: __typename hasOwnProperty: __typename
      users(values: ["1"]) { constructor: id then: rank valueOf: id __context: id } }`,
  },
  'the alias __proto__': { query: '{ __proto__: __typename users(values: ["1"]) { __proto__: id rank } }' },
  'texts that mean something to JavaScript': {
    query: String.raw`{ users(by: CHAT, values: ["\"); throw 1; (\"", "\\", "\n\u2028\u0000\ud83c\udf38", "\u0024{1}", "'", "chat-1001"]) { id } }`,
  },
  'variables that mean something to JavaScript': {
    query: `query ($constructor: [String!]!, $toString: ID = 1) {
      users(values: $constructor) { id } apps(ids: [$toString]) { id } }`,
    variables: [{ constructor: ['1'] }, { constructor: ['1'], toString: 2 }, {}],
  },
  'the variable __proto__': {
    query: 'query ($__proto__: [ID!]!) { apps(ids: $__proto__) { id } }',
    variables: [{}, JSON.parse('{"__proto__":["1"]}')],
  },
  introspection: {
    query: '{ __schema { types { name } } __type(name: "User") { fields { name description } } }',
  },
  'introspection of defaults': {
    query: '{ __type(name: "Query") { fields { args { name defaultValue } } } }',
  },

  'the method by variable': {
    query: 'query ($by: UserLookupMethod!) { users(by: $by, values: ["1", "ada", "chat-1002"]) { id } }',
    variables: [
      { by: 'ID' },
      { by: 'USERNAME' },
      { by: 'CHAT' },
      { by: 'chat' },
      { by: '' },
      { by: 1 },
      { by: null },
      {},
    ],
  },
  'a nullable method': {
    query: 'query ($by: UserLookupMethod) { users(by: $by, values: ["1", "ada"]) { id } }',
    variables: [{}, { by: null }, { by: 'USERNAME' }],
  },
  'a nullable method with a default': {
    query: 'query ($by: UserLookupMethod = USERNAME) { users(by: $by, values: ["1", "ada"]) { id } }',
    variables: [{}, { by: null }, { by: 'ID' }, { by: 'NAME' }],
  },
  'a required method with a default': {
    query: 'query ($by: UserLookupMethod! = USERNAME) { users(by: $by, values: ["1", "ada"]) { id } }',
    variables: [{}, { by: null }, { by: 'ID' }],
  },
  'both arguments by variables': {
    query: `query ($by: UserLookupMethod!, $values: [String!]!) { users(by: $by, values: $values) { ${USER} } }`,
    variables: [
      { by: 'ID', values: ['1', '2', 'abc', '', '007', '99'] },
      { by: 'USERNAME', values: ['ada', 'SØREN', 'none', '\0', '\ud800', '🌸'] },
      { by: 'CHAT', values: ['chat-1001', 'chat:13'] },
      { by: 'ID', values: [] },
      { by: 'ID', values: '1' },
      { by: 'ID', values: ['1', null] },
      { by: 'ID', values: [1, '2'] },
      { by: 'ID', values: [true] },
      { by: 'ID', values: [['1']] },
      { by: 'ID', values: { 0: '1' } },
      { by: 'ID', values: null },
      { by: 'ID', values: 1.5 },
      { by: 'ID', values: Array(200).fill(1) },
      { by: ['ID'], values: ['1'] },
      { by: 'ID' },
      { values: ['1'] },
      { by: 'ID', values: ['1'], more: 'unknown variables are ignored' },
      { by: 'ID', values: JSON.parse(LONG) },
      { by: 'ID', values: ['100', '1'] },
      {},
    ],
  },
  'lists with defaults': {
    query: 'query ($values: [String!]! = ["2", "3"]) { users(values: $values) { id } }',
    variables: [{}, { values: [] }, { values: ['1'] }, { values: null }],
  },
  'a variable within a list': {
    query: 'query ($one: String!, $id: ID!) { users(values: ["1", $one]) { id } apps(ids: [$id, 2]) { id } }',
    variables: [
      { one: '2', id: 1 },
      { one: '2', id: '1' },
      { one: 2, id: 1 },
      { one: '2', id: 1.5 },
      { one: '2' },
    ],
  },
  'ids of several kinds': {
    query: 'query ($ids: [ID!]!) { apps(ids: $ids) { id } }',
    variables: [
      { ids: [1, '2', 3] },
      { ids: 1 },
      { ids: [1.5] },
      { ids: [2 ** 53] },
      { ids: [-1] },
      { ids: [true] },
      { ids: [{}] },
      { ids: [[1]] },
      { ids: [null] },
    ],
  },

  'skip and include': {
    query: `query ($a: Boolean!, $b: Boolean!) { x: __typename @skip(if: $a) y: __typename @include(if: $b)
      z: __typename @skip(if: $a) @include(if: $b) users(values: ["1"]) @include(if: $b) { id ...N @skip(if: $a) } }
      fragment N on User { username }`,
    variables: [
      { a: true, b: true },
      { a: true, b: false },
      { a: false, b: true },
      { a: false, b: false },
      { a: null, b: true },
      { a: 'true', b: 1 },
      { a: true },
    ],
  },
  'skip and include with defaults': {
    query:
      'query ($a: Boolean = true, $b: Boolean! = false) { x: __typename @skip(if: $a) y: __typename @include(if: $b) }',
    variables: [{}, { a: false }, { b: true }, { a: false, b: true }, { b: null }],
  },
  'skip and include by constants': {
    query:
      '{ a: __typename @skip(if: true) b: __typename @include(if: true) ... @include(if: false) { c: __typename } }',
  },
  'everything left out': { query: '{ __typename @skip(if: true) }' },

  'too many values in one list': { query: `{ users(values: ${LONG}) { id } }` },
  'too many values over two fields': {
    query: `{ a: apps(ids: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) { id } b: users(values: ${LONG.replace('"0",', '')}) { id } }`,
  },
  'a rank beyond 32 bits': { query: '{ users(values: ["1", "100", "2"]) { id rank } }' },
  'a category beyond 32 bits': { query: '{ apps(ids: [1, 100]) { id category } }' },
  'fractions where integers are due': {
    query: '{ users(values: ["101"]) { rank } b: users(values: ["101", "1"]) { joinDate } }',
  },
  'several words in one object': {
    query: '{ users(values: ["103"]) { rank joinDate } b: users(values: ["103"]) { joinDate rank } }',
  },
  'an integer the store cannot read': { query: '{ users(values: ["102"]) { id } __typename }' },
  'one user whose rank is beyond 32 bits': { query: '{ user(value: "100") { id } app(id: 100) { id } }' },
  'errors in several places': {
    query: '{ users(values: ["100", "100"]) { rank } apps(ids: [100]) { category title } }',
  },
}
