// The router: Hive Gateway, as a library. The same options may stand in the gateway.config.ts of its command.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'

const router = createGatewayRuntime({
  supergraph: readFileSync('supergraph.graphql', 'utf8'),
  logging: false,
  propagateHeaders: {
    // The gateway limits rates by client: it sees their addresses where TRUSTED_PROXIES names the router.
    // Have a proxy before the router set this header: what a client says of itself proves nothing.
    fromClientToSubgraphs: ({ request }) => {
      const clients = request.headers.get('x-forwarded-for')
      return clients === null ? {} : { 'x-forwarded-for': clients }
    },
  },
})
const port = Number(process.env.PORT ?? 4020)
createServer(router).listen(port, '127.0.0.1', () => {
  process.stdout.write(`The router answers at http://127.0.0.1:${port}/graphql\n`)
})
