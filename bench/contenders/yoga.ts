// GraphQL Yoga as it comes.

import { createServer } from 'node:http'
import { createSchema, createYoga } from 'graphql-yoga'
import { resolvers, typeDefs } from './graphql-users.ts'
import { host, port } from './place.ts'

const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }) })
createServer(yoga).listen(port, host)
