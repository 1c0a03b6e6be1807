// The other subgraph: posts, and who wrote them. It knows no more of a user than the id.

import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { createYoga } from 'graphql-yoga'

const typeDefs = /* GraphQL */ `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])

  type Query {
    posts: [Post!]!
  }

  type Post @key(fields: "id") {
    id: ID!
    title: String!
    # Nullable: a user may be gone.
    author: User
  }

  # The gateway has the rest.
  type User @key(fields: "id", resolvable: false) {
    id: ID!
  }
`

interface Post {
  readonly id: string
  readonly title: string
  readonly author: { readonly id: string }
}

const posts: readonly Post[] = [
  { id: '1', title: 'A view from the hill', author: { id: '1' } },
  { id: '2', title: 'Tides and tables', author: { id: '2' } },
  { id: '3', title: 'By somebody who has left', author: { id: '99' } },
]

const resolvers = {
  Query: { posts: () => posts },
  Post: { __resolveReference: ({ id }: { readonly id: string }) => posts.find((post) => post.id === id) },
}

const schema = buildSubgraphSchema([{ typeDefs: parse(typeDefs), resolvers }])
const server = createServer(createYoga({ schema, logging: false }))
server.listen(Number(process.env.POSTS_PORT ?? 4010), '127.0.0.1', () => {
  process.stdout.write('Posts are served.\n')
})
