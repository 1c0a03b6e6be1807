// PostGraphile over the gateway's table, as its documentation has it for production: its baseline preset, on
// node:http, without the page for browsers and without watching the tables. Queries are planned once, and
// prepared, by themselves.

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
