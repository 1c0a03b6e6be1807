// Apollo Server as its documentation starts it.

import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { resolvers, typeDefs } from './graphql-users.ts'
import { host, port } from './place.ts'

await startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), { listen: { port, host } })
