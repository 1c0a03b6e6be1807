// Apollo Server as its documentation starts it, but for its CSRF prevention, which refuses urql's GET.

import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { resolvers, typeDefs } from './graphql-users.ts'
import { host, port } from './place.ts'

await startStandaloneServer(new ApolloServer({ typeDefs, resolvers, csrfPrevention: false }), {
  listen: { port, host },
})
