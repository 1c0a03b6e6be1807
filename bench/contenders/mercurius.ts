// Mercurius with its compiler.

import Fastify from 'fastify'
import { mercurius } from 'mercurius'
import { resolvers, typeDefs } from './graphql-users.ts'
import { host, port } from './place.ts'

const app = Fastify()
await app.register(mercurius, { schema: typeDefs, resolvers, jit: 1 })
await app.listen({ port, host })
