// Limits of a document, which `cost.ts` does not count. Stored operations of the legacy interface have none.

import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import {
  GraphQLError,
  NoFragmentCyclesRule,
  NoSchemaIntrospectionCustomRule,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import type { QueryLimits } from '../config/settings.ts'
import { requestError } from './errors.ts'

/** The response repeats an alias for each item: 2 MB of them in 10,000 fields. */
const MAX_ALIAS_LENGTH = 200

/** @param limit tokens that all documents of a request may have together */
export function beyondTokens(limit: number): GraphQLError {
  const message = `The request has more than ${limit} tokens. Values in variables do not count.`
  return requestError(new GraphQLError(message), 'TOO_MANY_TOKENS')
}

/** The rules of validation that set limits. */
export function limitRules({ depth, aliases, introspection }: QueryLimits): readonly ValidationRule[] {
  const refusing = (code: string, message: string) => ({
    propagateOnRejection: false,
    onReject: [(context: ValidationContext | null) => context?.reportError(refusal(code, message))],
  })
  return [
    onlyQueries,
    // Here, because other rules of graphql-js run out of stack in a long circle of fragments.
    NoFragmentCyclesRule,
    shortAliases,
    maxDepthRule({
      n: depth,
      flattenFragments: true,
      ...refusing('TOO_DEEP', `The query is nested more than ${depth} levels deep.`),
    }),
    maxAliasesRule({
      n: aliases,
      ...refusing('TOO_MANY_ALIASES', `The query has more than ${aliases} aliases.`),
    }),
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ]
}

const refusal = (code: string, message: string) => new GraphQLError(message, { extensions: { code } })

const noMutation = 'There are only queries here, no mutation.'

/** Whether an error says that a document has a mutation. */
export function isOfMutation({ message }: GraphQLError): boolean {
  return message === noMutation
}

// Without this rule, graphql-js would refuse a mutation only when it runs.
const onlyQueries: ValidationRule = (context) => ({
  OperationDefinition: ({ operation }) => {
    if (operation === 'mutation') context.reportError(new GraphQLError(noMutation))
    if (operation === 'subscription')
      context.reportError(new GraphQLError('There are only queries here, no subscription.'))
  },
})

const shortAliases: ValidationRule = (context) => ({
  Field: ({ alias }) => {
    if (alias !== undefined && alias.value.length > MAX_ALIAS_LENGTH)
      context.reportError(refusal('TOO_LONG_ALIAS', `An alias can have ${MAX_ALIAS_LENGTH} characters.`))
  },
})
