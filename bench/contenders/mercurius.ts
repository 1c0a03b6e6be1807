// Mercurius with its compiler on, and the persisted queries of Apollo's clients.

import Fastify from 'fastify'
import { mercurius } from 'mercurius'
import { resolvers, typeDefs } from './graphql-users.ts'
import { host, port } from './place.ts'

const app = Fastify()
const { persistedQueryDefaults } = mercurius
const persistedQueryProvider = persistedQueryDefaults.automatic()
await app.register(mercurius, { schema: typeDefs, resolvers, jit: 1, persistedQueryProvider })
await app.listen({ port, host })
