// What an operation is counted as: who asks, by what name, and for which fields.

import type { IncomingHttpHeaders } from 'node:http'
import {
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { createHeaderReader } from '../gateway/header-reader.ts'
import { factsOf, isIntrospection } from './facts.ts'

/** Characters of a client's name, or of an operation's. */
const MAX_NAME_LENGTH = 64
const UNNAMED = 'unnamed'
const OTHER = 'other'

/** What a name in a metric may be made of: neither quotes nor line breaks, nor an address of mail. */
const plainName = /^[\w.:/+() -]+$/

const readClientName = createHeaderReader(MAX_NAME_LENGTH + 1, (name) => {
  // Of a longer text, only so much is read: what is left of it without blanks is no name that was sent.
  if (name.length > MAX_NAME_LENGTH) return OTHER
  const trimmed = name.trim()
  if (trimmed === '') return UNNAMED
  return plainName.test(trimmed) ? trimmed : OTHER
})

/** The name that a client has for itself, as Apollo Client and others send it. */
export function clientNameOf(headers: IncomingHttpHeaders): string {
  const name = headers['apollographql-client-name'] ?? headers['graphql-client-name']
  return typeof name === 'string' ? readClientName(name) : UNNAMED
}

export function operationNameOf({ name }: OperationDefinitionNode): string {
  if (name === undefined) return UNNAMED
  return name.value.length <= MAX_NAME_LENGTH ? name.value : OTHER
}

/** The fields that an operation selects, `User.rank` say, each once and whatever the conditions are. */
export function fieldsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly string[] {
  const { fragments } = factsOf(document)
  const types = new TypeInfo(schema)
  const found = new Set<string>()
  const spread = new Set<string>()
  const visitor = visitWithTypeInfo(types, {
    Field: ({ name: { value } }) => {
      const parent = types.getParentType()?.name
      if (parent === undefined || value === '__typename') return undefined
      found.add(`${parent}.${value}`)
      // What is below is of the schema, and not of the data.
      return isIntrospection(value) ? false : undefined
    },
    FragmentSpread: ({ name }) => {
      spread.add(name.value)
    },
  })
  visit(operation, visitor)
  // A set goes on to what is added meanwhile.
  for (const name of spread) {
    const fragment = fragments.get(name)
    if (fragment !== undefined) visit(fragment, visitor)
  }
  return [...found]
}
