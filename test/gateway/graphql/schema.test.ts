// The published schema: the contract's types, described, and not stale.

import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLNamedType,
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
import { describe, expect, test } from 'vitest'
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

test('types list their fields in the order of the contract', () => {
  const expected = buildSchema(contract)
  for (const name of ['User', 'App', 'Query']) {
    const fieldsOf = (type: GraphQLNamedType | undefined) =>
      isObjectType(type) ? Object.keys(type.getFields()) : []
    expect(fieldsOf(schema.getType(name)), name).toEqual(fieldsOf(expected.getType(name)))
  }
})

test('schema/schema.graphql is what the code prints', () => {
  const file = readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8')
  expect(file).toBe(`${printSchema(schema)}\n`)
})

describe('is described', () => {
  const own = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  )
  const described = own.flatMap((type) => [[type.name, type.description] as const, ...partsOf(type)])

  test.each(described)('%s', (_name, description) => {
    expect(description?.trim()).toMatch(/^[A-Z].{10,}\.$/s)
  })

  test('all parts of the schema are looked at', () => {
    // 5 types; 4 + 7 + 6 fields; 6 arguments; 3 enum values.
    expect(described).toHaveLength(5 + 17 + 6 + 3)
  })
})

function partsOf(type: GraphQLNamedType): (readonly [string, string | null | undefined])[] {
  if (isEnumType(type))
    return type.getValues().map((value) => [`${type.name}.${value.name}`, value.description])
  if (!isObjectType(type)) return []
  return Object.values(type.getFields()).flatMap((field) => [
    [`${type.name}.${field.name}`, field.description] as const,
    ...field.args.map((arg) => [`${type.name}.${field.name}(${arg.name}:)`, arg.description] as const),
  ])
}
