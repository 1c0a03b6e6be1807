// Another subgraph, which refers to users and applications by id, and adds a field to each.

import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])

  type Query {
    "Reviews by id, such as 2-1: what the user 2 wrote about the application 1."
    reviews(ids: [ID!]!): [Review!]!
  }

  type Review @key(fields: "id") {
    id: ID!
    author: User
    app: App
  }

  type User @key(fields: "id") {
    id: ID!
    reviewsPage: String!
  }

  type App @key(fields: "id") {
    id: ID!
    reviewsPage: String!
  }
`)

const pageOf = (folder) => ({
  reviewsPage: ({ id }) => `https://reviews.example/${folder}/${encodeURIComponent(id)}`,
})

const resolvers = {
  Query: { reviews: (_root, { ids }) => ids.map((id) => ({ id })) },
  Review: {
    author: ({ id }) => ({ id: id.split('-')[0] }),
    app: ({ id }) => ({ id: id.split('-')[1] }),
  },
  User: pageOf('users'),
  App: pageOf('apps'),
}

const server = new ApolloServer({ schema: buildSubgraphSchema({ typeDefs, resolvers }) })
const port = Number(process.env.PORT)
await startStandaloneServer(server, { listen: { port, host: '127.0.0.1' } })
