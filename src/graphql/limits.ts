// Limits of a document, which `cost.ts` does not count. Stored operations of the legacy interface have none.

import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import {
  type DocumentNode,
  GraphQLError,
  NoFragmentCyclesRule,
  NoSchemaIntrospectionCustomRule,
  parse,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import type { QueryLimits } from '../config/settings.ts'

/** graphql-js has no code for this error. */
const tooManyTokens = /^Syntax Error: Document contains more tha[nt] \d+ tokens/

/**
 * To locate an error, graphql-js reads all lines before it: 14 ms for 64,000. A longer document has no
 * locations.
 */
const MAX_LINES = 1000

/** @throws GraphQLError if the text is no document, or has too many tokens */
export function parseWithin(tokens: number, text: string): DocumentNode {
  const noLocation = text.split(/\r\n|[\n\r]/, MAX_LINES + 1).length > MAX_LINES
  try {
    return parse(text, { noLocation, maxTokens: tokens })
  } catch (error) {
    const isTooLong = error instanceof GraphQLError && tooManyTokens.test(error.message)
    if (!isTooLong) throw error
    throw new GraphQLError(`The query has more than ${tokens} tokens. Values in variables do not count.`, {
      extensions: { code: 'TOO_MANY_TOKENS' },
    })
  }
}

/** The rules of validation that set limits. */
export function limitRules({ depth, aliases, introspection }: QueryLimits): readonly ValidationRule[] {
  return [
    onlyQueries,
    // Here, because other rules of graphql-js run out of stack in a long circle of fragments.
    NoFragmentCyclesRule,
    shortAliases,
    maxDepthRule({
      n: depth,
      flattenFragments: true,
      propagateOnRejection: false,
      onReject: [refuse('TOO_DEEP', `The query is nested more than ${depth} levels deep.`)],
    }),
    maxAliasesRule({
      n: aliases,
      propagateOnRejection: false,
      onReject: [refuse('TOO_MANY_ALIASES', `The query has more than ${aliases} aliases.`)],
    }),
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ]
}

const refuse = (code: string, message: string) => (context: ValidationContext | null) =>
  context?.reportError(new GraphQLError(message, { extensions: { code } }))

const onlyQueriesHere = 'There are only queries here'

/** Whether an error says that a document has a mutation or a subscription. */
export function isOfOtherOperation({ message }: GraphQLError): boolean {
  return message.startsWith(onlyQueriesHere)
}

// Without this rule, graphql-js would refuse a mutation only when it runs.
const onlyQueries: ValidationRule = (context) => ({
  OperationDefinition: ({ operation }) => {
    if (operation === 'query') return
    context.reportError(new GraphQLError(`${onlyQueriesHere}, no ${operation}.`))
  },
})

/** The response repeats an alias for each item: 2 MB of them in 10,000 fields. */
const MAX_ALIAS_LENGTH = 200

const shortAliases: ValidationRule = (context) => ({
  Field: ({ alias }) => {
    if (alias !== undefined && alias.value.length > MAX_ALIAS_LENGTH)
      refuse('TOO_LONG_ALIAS', `An alias can have ${MAX_ALIAS_LENGTH} characters.`)(context)
  },
})
