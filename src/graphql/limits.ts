// What keeps one query from costing more than a lookup should, besides what `cost.ts` counts. The facade's
// stored operations do not pass here: they are our own.

import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import {
  type DocumentNode,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'
import type { QueryLimits } from '../config/settings.ts'

/** graphql-js has no other name for it, and once misspelt this one. */
const tooManyTokens = /^Syntax Error: Document contains more tha[nt] \d+ tokens/

/**
 * Lines of a document whose errors say where they are. To find that out, graphql-js reads all lines before
 * each error: 14 ms for 64,000 of them.
 */
const MAX_LINES = 1000

/** @throws GraphQLError where the text is no document, or too long a one */
export function parseWithin({ tokens }: QueryLimits, text: string): DocumentNode {
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
    smallIntrospection,
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

// There is nothing to write and nothing to wait for; said here, it is an error of the request like any other.
const onlyQueries: ValidationRule = (context) => ({
  OperationDefinition: ({ operation }) => {
    if (operation === 'query') return
    context.reportError(new GraphQLError(`There are only queries here, no ${operation}.`))
  },
})

// An introspection is not counted as data is. graphql-js limits how often it goes from type to type
// (MaxIntrospectionDepthRule). One root field, without aliases below, makes it some 9,000 fields at most.
const smallIntrospection: ValidationRule = (context) => {
  let roots = 0
  return {
    Field: ({ name, alias }) => {
      const parent = context.getParentType()?.name
      const isSdl = name.value === 'sdl' && parent === '_Service'
      if ((name.value === '__schema' || name.value === '__type' || isSdl) && ++roots === 2) {
        const what = isSdl ? 'the schema or its sdl' : '__schema or __type'
        refuse(
          'TOO_MUCH_INTROSPECTION',
          `A document can ask for ${what} once. Send several requests.`,
        )(context)
      }
      if (alias !== undefined && parent?.startsWith('__'))
        refuse('TOO_MUCH_INTROSPECTION', 'Fields of __schema and __type cannot have aliases.')(context)
    },
  }
}

/**
 * Characters of an alias. The response repeats it for each item of a list: 2 MB for as many fields as there
 * may be.
 */
const MAX_ALIAS_LENGTH = 200

const shortAliases: ValidationRule = (context) => ({
  Field: ({ alias }) => {
    if (alias !== undefined && alias.value.length > MAX_ALIAS_LENGTH)
      refuse('TOO_LONG_ALIAS', `An alias can have ${MAX_ALIAS_LENGTH} characters.`)(context)
  },
})
