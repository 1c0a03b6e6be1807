// Limits of a document, which `cost.ts` does not count. Stored operations of the legacy interface have none.

import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  isObjectType,
  Kind,
  NoFragmentCyclesRule,
  NoSchemaIntrospectionCustomRule,
  parse,
  type SelectionSetNode,
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
    // Here, because other rules of graphql-js run out of stack in a long circle of fragments.
    NoFragmentCyclesRule,
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

// Without this rule, graphql-js would refuse a mutation only when it runs.
const onlyQueries: ValidationRule = (context) => ({
  OperationDefinition: ({ operation }) => {
    if (operation === 'query') return
    context.reportError(new GraphQLError(`There are only queries here, no ${operation}.`))
  },
})

/**
 * Fields of all introspections of a document, if it has several. Code generators ask for a handful of
 * `__type`, to find out what a server can do.
 */
const MAX_SMALL_INTROSPECTION = 1000

// An introspection is not counted as data is. graphql-js limits how often it goes from type to type
// (MaxIntrospectionDepthRule). One root field, without aliases below, makes it some 9,000 fields at most.
const smallIntrospection: ValidationRule = (context) => {
  const roots: FieldNode[] = []
  return {
    Field: (node) => {
      const parent = context.getParentType()?.name
      if (isIntrospection(node.name.value, parent)) roots.push(node)
      if (node.alias !== undefined && parent?.startsWith('__'))
        refuse('TOO_MUCH_INTROSPECTION', 'Fields of __schema and __type cannot have aliases.')(context)
    },
    Document: {
      leave: () => {
        if (roots.length < 2 || areSmall(roots, context)) return
        const message = `Several introspections of a document can have ${MAX_SMALL_INTROSPECTION} fields. Send several requests.`
        refuse('TOO_MUCH_INTROSPECTION', message)(context)
      },
    },
  }
}

const isIntrospection = (name: string, parent: string | undefined) =>
  name === '__schema' || name === '__type' || (name === 'sdl' && parent === '_Service')

/** Counts the fields of introspections, as if each list were as long as the longest of the schema. */
function areSmall(roots: readonly FieldNode[], context: ValidationContext): boolean {
  const lengths = listLengths(context.getSchema())
  let size = 0
  // A fragment counts as a field, so fragments in a circle end at the limit, too.
  function add(set: SelectionSetNode | undefined, objects: number): void {
    for (const selection of set?.selections ?? []) {
      size += objects
      if (size > MAX_SMALL_INTROSPECTION) return
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        add(context.getFragment(selection.name.value)?.selectionSet, objects)
      else if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet, objects)
      else add(selection.selectionSet, objects * (lengths.get(selection.name.value) ?? 1))
    }
  }
  for (const { selectionSet } of roots) add(selectionSet, 1)
  return size <= MAX_SMALL_INTROSPECTION && roots.every(({ name }) => name.value !== 'sdl')
}

function listLengths(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap())
  const fields = types.map((type) => (isObjectType(type) ? Object.values(type.getFields()) : []))
  const mostFields = Math.max(...fields.map(({ length }) => length))
  const mostArguments = Math.max(...fields.flat().map(({ args }) => args.length))
  // A Map, because a field of a text may be called `constructor`.
  return new Map([
    ...['types', 'possibleTypes'].map((name) => [name, types.length] as const),
    ...['fields', 'inputFields', 'interfaces'].map((name) => [name, mostFields] as const),
    ['directives', schema.getDirectives().length],
    ['enumValues', 20],
    ['args', mostArguments],
  ])
}

/** The response repeats an alias for each item: 2 MB of them in 10,000 fields. */
const MAX_ALIAS_LENGTH = 200

const shortAliases: ValidationRule = (context) => ({
  Field: ({ alias }) => {
    if (alias !== undefined && alias.value.length > MAX_ALIAS_LENGTH)
      refuse('TOO_LONG_ALIAS', `An alias can have ${MAX_ALIAS_LENGTH} characters.`)(context)
  },
})
