// Apollo's gateway, which composes the supergraph when it starts.

import { ApolloGateway, IntrospectAndCompose } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'

const { LOOKUP, REVIEWS, PORT } = process.env
const subgraphs = [
  { name: 'lookup', url: LOOKUP },
  { name: 'reviews', url: REVIEWS },
]
const gateway = new ApolloGateway({ supergraphSdl: new IntrospectAndCompose({ subgraphs }) })
const listen = { port: Number(PORT), host: '127.0.0.1' }
await startStandaloneServer(new ApolloServer({ gateway }), { listen })
