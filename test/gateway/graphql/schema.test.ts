// The published schema: the contract's types, described, and not stale.

import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLSchema,
  isEnumType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../../src/gateway/graphql/schema.ts'

// As the contract has it (design/contract.md, GraphQL).
const contract = `
  type Query {
    users(by: UserLookupMethod! = ID, values: [String!]!): [User]
    apps(ids: [ID!]!): [App]
    user(by: UserLookupMethod! = ID, value: String!): User
    app(id: ID!): App
  }
  enum UserLookupMethod { ID USERNAME CHAT }
  type User { id: ID!  username: String!  displayName: String!  rank: Int!  joinDate: SafeInt!  isConfirmed: Boolean!  banned: Boolean! }
  type App  { id: ID!  title: String!  version: String!  category: Int!  changelogLink: String!  downloadLink: String! }
  scalar SafeInt @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc8259#section-6")
`

/** The schema as text, types and fields sorted, without descriptions. */
function outline(source: GraphQLSchema): string {
  const document = parse(printSchema(lexicographicSortSchema(source)), { noLocation: true })
  const bare = visit(document, {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  })
  return print(bare)
}

test('the schema is that of the contract', () => {
  expect(outline(schema)).toBe(outline(buildSchema(contract)))
})

test('schema/schema.graphql is what the code prints', () => {
  const file = readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8')
  expect(file).toBe(`${printSchema(schema)}\n`)
})

test('every type, field, argument and value of an enum is described', () => {
  const own = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  )
  const described = own.flatMap((type) => {
    const values = isEnumType(type) ? type.getValues() : []
    const fields = isObjectType(type) ? Object.values(type.getFields()) : []
    return [type, ...values, ...fields, ...fields.flatMap(({ args }) => args)]
  })
  // 5 types; 4 + 7 + 6 fields; 6 arguments; 3 enum values.
  expect(described).toHaveLength(5 + 17 + 6 + 3)
  for (const { name, description } of described) expect(description?.trim(), name).toMatch(/^[A-Z].{10,}\.$/s)
})
