// The schema as a subgraph of Apollo Federation 2, and the entities that routers ask for.

import { extendSchema, type GraphQLSchema, parse, printSchema } from 'graphql'
import type { App } from '../data/apps.ts'
import type { User } from '../data/users.ts'
import { LookupError } from '../errors.ts'
import { isObject } from '../json.ts'
import type { Item } from '../lookups/lookups.ts'
import type { ResolverContext } from './builder.ts'

/** The first version of Federation 2 has all that is used, and every composition reads it. */
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])'

const additions = parse(`
  "A representation of an entity: an object with its __typename and its id."
  scalar _Any

  "The types that other subgraphs may refer to by their id."
  union _Entity = User | App

  "What a router composes with other subgraphs."
  type _Service {
    "The schema without what is only for routers, and with the directives of Federation."
    sdl: String!
  }

  extend type Query {
    "The subgraph itself, for routers."
    _service: _Service!
    "Users and applications, for routers: one item per representation, in order; null where nothing matches."
    _entities(
      "References that other subgraphs have made."
      representations: [_Any!]!
    ): [_Entity]!
  }
`)

export function subgraphOf(schema: GraphQLSchema): GraphQLSchema {
  const sdl = `${link}\n\n${printSchema(schema).replace(/^type (?:User|App)(?= \{$)/gm, '$& @key(fields: "id")')}\n`
  const subgraph = extendSchema(schema, additions, { assumeValid: true })
  const { _service: service, _entities: entities } = subgraph.getQueryType()?.getFields() ?? {}
  const union = subgraph.getType('_Entity')
  if (service === undefined || entities === undefined || union === undefined || !('resolveType' in union))
    throw new Error('the schema has no fields for routers')
  service.resolve = () => ({ sdl })
  entities.extensions = { cost: { list: 'representations' } }
  entities.resolve = (_root, { representations }, context) => findEntities(representations, context)
  union.resolveType = (row: Entity) => ('username' in row ? 'User' : 'App')
  return subgraph
}

type Entity = User | App
type FindEntities = (ids: readonly string[], context: ResolverContext) => Promise<readonly Item<Entity>[]>

/** How entities of each type are looked up by their ids. */
const finders: ReadonlyMap<unknown, FindEntities> = new Map<unknown, FindEntities>([
  ['User', (ids, { lookups, caller }) => lookups.findUsers('ID', ids, caller)],
  ['App', (ids, { lookups, caller }) => lookups.findApps(ids, caller)],
])

/** graphql-js takes some 80 us to locate an error in a long document. */
const MAX_MALFORMED = 100
// Made once, because a request may have many errors. The path says which representation is malformed.
const malformed = new LookupError('BadUserInput', ['The representation is malformed.'])
const tooManyMalformed = new LookupError('BadUserInput', [
  `More than ${MAX_MALFORMED} representations are malformed.`,
])

/**
 * Looks up one item for each representation, in order. A malformed representation is an error in its place.
 */
async function findEntities(
  representations: readonly unknown[],
  context: ResolverContext,
): Promise<readonly Item<Entity>[]> {
  const references = representations.map(readReference)
  context.malformed += references.filter((reference) => reference === null).length
  if (context.malformed > MAX_MALFORMED) throw tooManyMalformed
  const items = references.map((reference): Item<Entity> => (reference === null ? malformed : null))
  const lookups = [...finders.values()].map(async (find) => {
    const ofType = [...references.entries()].filter(([, reference]) => reference?.find === find)
    if (ofType.length === 0) return
    const found = await find(
      ofType.map(([, reference]) => reference?.id ?? ''),
      context,
    )
    for (const [at, [place]] of ofType.entries()) items[place] = found[at] ?? null
  })
  await Promise.all(lookups)
  return items
}

/** @returns `null` for a malformed representation */
function readReference(representation: unknown): { readonly find: FindEntities; readonly id: string } | null {
  if (!isObject(representation)) return null
  // JSON.parse makes an own member of `__proto__`, too.
  for (const name in representation) if (name !== '__typename' && name !== 'id') return null
  const { __typename, id } = representation
  const find = finders.get(__typename)
  if (find === undefined || (typeof id !== 'string' && typeof id !== 'number')) return null
  return { find, id: String(id) }
}
