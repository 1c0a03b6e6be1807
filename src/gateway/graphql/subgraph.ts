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
import type { RequestContext } from './builder.ts'
import { type Entity, findEntities, isEntity, typenameOf } from './entities.ts'

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
