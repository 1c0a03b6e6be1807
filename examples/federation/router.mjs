// Serves the supergraph.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'

const router = createGatewayRuntime({
  supergraph: readFileSync('supergraph.graphql', 'utf8'),
  propagateHeaders: {
    // For RATE_LIMIT, with the router in TRUSTED_PROXIES. A proxy before the router has to set this header.
    fromClientToSubgraphs: ({ request }) => {
      const clients = request.headers.get('x-forwarded-for')
      return clients === null ? {} : { 'x-forwarded-for': clients }
    },
  },
})
const server = createServer(router).listen(4020, '127.0.0.1')
// The router handles SIGTERM, but the server keeps the process alive.
process.once('SIGTERM', () => server.close())
