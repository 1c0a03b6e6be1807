// Apollo's gateway in Apollo Server: it asks the subgraphs for their schemas, and composes them.

import { ApolloGateway, IntrospectAndCompose } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { say, subgraphs } from './process.js'

const gateway = new ApolloGateway({ supergraphSdl: new IntrospectAndCompose({ subgraphs }) })
const listen = { port: 0, host: '127.0.0.1' }
const { url } = await startStandaloneServer(new ApolloServer({ gateway }), { listen })
say(url)
