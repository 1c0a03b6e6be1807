// The schema as a subgraph of Apollo Federation 2: what routers ask for, beside what clients do.

import {
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
  printSchema,
} from 'graphql'
import type { App } from '../data/apps.ts'
import type { User } from '../data/users.ts'
import { LookupError } from '../errors.ts'
import type { Item } from '../lookups/lookups.ts'
import type { RequestContext } from './builder.ts'
import { cost } from './cost.ts'

/** The first version of Federation 2, which every composition reads, has all that is used. */
const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])'

/** Makes a subgraph of a schema. The query type gets two fields; all other types are the same. */
export function subgraphOf(schema: GraphQLSchema): GraphQLSchema {
  const { query, types, ...config } = schema.toConfig()
  if (query == null) throw new Error('the schema has no query type')
  const { fields, ...queryConfig } = query.toConfig()
  const withRouters = new GraphQLObjectType({
    ...queryConfig,
    fields: { ...fields, ...routerFields(schema) },
  })
  return new GraphQLSchema({ ...config, query: withRouters, types: types.filter((type) => type !== query) })
}

function routerFields(schema: GraphQLSchema): GraphQLFieldConfigMap<unknown, RequestContext> {
  const any = new GraphQLScalarType({
    name: '_Any',
    description: 'A representation of an entity: an object with its __typename and its id.',
  })
  const entity = new GraphQLUnionType({
    name: '_Entity',
    description: 'The types that other subgraphs may refer to by their id.',
    types: Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => isEntity(name)),
    resolveType: (row: Entity) => typenameOf(row),
  })
  let sdl: string | null = null
  const service = new GraphQLObjectType({
    name: '_Service',
    description: 'What a router composes with other subgraphs.',
    fields: {
      sdl: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'The schema without what is only for routers, and with the directives of Federation.',
        resolve: () => (sdl ??= printSubgraph(schema)),
      },
    },
  })
  return {
    _service: {
      type: new GraphQLNonNull(service),
      description: 'The subgraph itself, for routers.',
      resolve: () => ({}),
    },
    _entities: {
      type: new GraphQLNonNull(new GraphQLList(entity)),
      description:
        'Users and applications, for routers: one item per representation, in order; null where nothing matches.',
      args: {
        representations: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(any))),
          description: 'References that other subgraphs have made.',
        },
      },
      extensions: cost({ list: 'representations' }),
      resolve: (_root, { representations }, context) => findEntities(representations, context),
    },
  }
}

function printSubgraph(schema: GraphQLSchema): string {
  const withKeys = printSchema(schema).replaceAll(/^type (\w+) (?=\{$)/gm, (type, name) =>
    isEntity(name) ? `${type}@key(fields: "id") ` : type,
  )
  return `${link}\n\n${withKeys}\n`
}

// Entities: what other subgraphs refer to, by representations that routers bring here.

type Entity = User | App
type Find = (ids: readonly string[], context: RequestContext) => Promise<readonly Item<Entity>[]>

/** The types that can be referred to, by their id, and how each is looked up. */
const finders: ReadonlyMap<unknown, Find> = new Map<unknown, Find>([
  ['User', (ids, { lookups, caller }) => lookups.findUsers('ID', ids, caller)],
  ['App', (ids, { lookups, caller }) => lookups.findApps(ids, caller)],
])

const isEntity = (typename: string): boolean => finders.has(typename)

const typenameOf = (row: Entity): string => ('username' in row ? 'User' : 'App')

// Made once: a request may have many of them. The path of an error says which representation it is about.
const malformed = (problem: string) => new LookupError('BadUserInput', [problem])
const noObject = malformed('The representation is not an object.')
const otherMember = malformed('The representation has a member that is no part of the key.')
const noTypename = malformed('The __typename of the representation is missing or unknown.')
const noId = malformed('The id of the representation is missing, or is neither a string nor a number.')

/**
 * Malformed representations that a request may have. To say where each error is, graphql-js reads the document
 * up to there: some 80 µs, where it is as long as can be.
 */
const MAX_MALFORMED = 100
const tooManyMalformed = malformed(`More than ${MAX_MALFORMED} representations are malformed.`)

interface Reference {
  readonly find: Find
  readonly id: string
}

/** The references to one type, and their places among the representations. */
interface Group {
  readonly ids: string[]
  readonly places: number[]
}

/** Looks up what representations refer to: one item each, in order. A malformed one is an error at its place. */
async function findEntities(
  representations: readonly unknown[],
  context: RequestContext,
): Promise<readonly Item<Entity>[]> {
  const items = representations.map((): Item<Entity> => null)
  const groups = new Map<Find, Group>()
  representations.forEach((representation, place) => {
    const reference = read(representation)
    if (reference instanceof LookupError) {
      if (++context.malformed > MAX_MALFORMED) throw tooManyMalformed
      items[place] = reference
      return
    }
    const group = groups.get(reference.find) ?? { ids: [], places: [] }
    groups.set(reference.find, group)
    group.ids.push(reference.id)
    group.places.push(place)
  })
  const lookups = [...groups].map(async ([find, { ids, places }]) => {
    const found = await find(ids, context)
    places.forEach((place, at) => {
      items[place] = found[at] ?? null
    })
  })
  await Promise.all(lookups)
  return items
}

function read(representation: unknown): Reference | LookupError {
  if (typeof representation !== 'object' || representation === null || Array.isArray(representation))
    return noObject
  // Names of what objects inherit from are members like any other: JSON.parse makes them so.
  for (const name in representation) if (name !== '__typename' && name !== 'id') return otherMember
  const { __typename, id }: { __typename?: unknown; id?: unknown } = representation
  const find = finders.get(__typename)
  if (find === undefined) return noTypename
  return typeof id === 'string' || typeof id === 'number' ? { find, id: String(id) } : noId
}
