// What keeps one query from costing more than a lookup should. The facade's stored operations do not pass here:
// they are our own.

import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'

export const limits = {
  /** Lexical tokens of a document; a value written into the query text counts, one in `variables` does not. */
  tokens: 1000,
  /** Levels of nested selections. Introspection is exempt: GraphiQL's own query is deeper. */
  depth: 6,
  aliases: 15,
} as const

const refuse = (code: string, message: string) => (context: ValidationContext | null) =>
  context?.reportError(new GraphQLError(message, { extensions: { code } }))

// There is nothing to write and nothing to wait for; said here, it is an error of the request like any other.
const onlyQueries: ValidationRule = (context) => ({
  OperationDefinition: ({ operation }) => {
    if (operation === 'query') return
    context.reportError(new GraphQLError(`There are only queries here, no ${operation}.`))
  },
})

const rules: ValidationRule[] = [
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
]

/** Applies the limits to every document that comes over HTTP. */
export function limitQueries(introspection: boolean): Plugin {
  return {
    onParse: ({ setParseFn }) =>
      setParseFn((source, options) => parse(source, { ...options, maxTokens: limits.tokens })),
    onValidate: ({ addValidationRule }) => {
      for (const rule of rules) addValidationRule(rule)
      if (!introspection) addValidationRule(NoSchemaIntrospectionCustomRule)
    },
  }
}
