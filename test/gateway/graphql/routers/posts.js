// The other subgraph: posts by users, about apps, both of which the gateway knows.

import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { createYoga } from 'graphql-yoga'
import { serve } from './process.js'

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Query { posts(first: Int!): [Post!]! }
  type Post @key(fields: "id") { id: ID! author: User! editor: User app: App about: [Subject] }
  type User @key(fields: "id", resolvable: false) { id: ID! }
  type App @key(fields: "id", resolvable: false) { id: ID! }
  union Subject = User | App
`)

const user = (id) => ({ __typename: 'User', id: String(id) })
const app = (id) => ({ __typename: 'App', id: String(id) })
/** Seven users write, eight edit; every fourth editor is not there any more. */
const post = (number) => ({
  id: String(number),
  author: user(1 + (number % 7)),
  editor: user(number % 4 === 3 ? 99 : 1 + (number % 8)),
  app: app(1 + (number % 3)),
  about: [user(2), app(2), app(99)],
})
const resolvers = {
  Query: { posts: (_root, { first }) => Array.from({ length: first }, (_, number) => post(number)) },
  Post: { __resolveReference: ({ id }) => post(Number(id)) },
}
const schema = buildSubgraphSchema([{ typeDefs, resolvers }])
serve(createServer(createYoga({ schema, logging: false })))
