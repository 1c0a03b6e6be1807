// What keeps one query from costing more than a lookup should. The facade's stored operations do not pass here:
// they are our own.

import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import {
  type DocumentNode,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  type ParseOptions,
  parse,
  type Source,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'

const limits = {
  /** Lexical tokens of a document; a value written into the query text counts, one in `variables` does not. */
  tokens: 1000,
  /** Levels of nested selections. Introspection is exempt: GraphiQL's own query is deeper. */
  depth: 6,
  aliases: 15,
} as const

/** @throws GraphQLError where the text is no document, or too long a one */
export function parseLimited(source: string | Source, options?: ParseOptions): DocumentNode {
  return parse(source, { ...options, maxTokens: limits.tokens })
}

const refuse = (code: string, message: string) => (context: ValidationContext | null) =>
  context?.reportError(new GraphQLError(message, { extensions: { code } }))

// There is nothing to write and nothing to wait for; said here, it is an error of the request like any other.
const onlyQueries: ValidationRule = (context) => ({
  OperationDefinition: ({ operation }) => {
    if (operation === 'query') return
    context.reportError(new GraphQLError(`There are only queries here, no ${operation}.`))
  },
})

/** The rules for documents of clients, beside GraphQL's own. */
export function limitRules(introspection: boolean): readonly ValidationRule[] {
  return [
    onlyQueries,
    maxDepthRule({
      n: limits.depth,
      flattenFragments: true,
      propagateOnRejection: false,
      onReject: [refuse('TOO_DEEP', `The query is nested more than ${limits.depth} levels deep.`)],
    }),
    maxAliasesRule({
      n: limits.aliases,
      propagateOnRejection: false,
      onReject: [refuse('TOO_MANY_ALIASES', `The query has more than ${limits.aliases} aliases.`)],
    }),
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ]
}
