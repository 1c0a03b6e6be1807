// PostGraphile over the gateway's table, as its documentation has it for production, on node:http.

import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { database, host, port } from './place.ts'

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: database, poolConfig: { max: 10 }, schemas: ['public'] })],
  grafserv: { graphiql: false, graphiqlOnGraphQLGET: false, watch: false, websockets: false },
})
const server = createServer()
await instance.createServ(grafserv).addTo(server)
await instance.getSchema()
server.listen(port, host)
