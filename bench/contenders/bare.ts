// The least that any Node server costs: node:http and a constant body, as long as that of one user.

import { createServer } from 'node:http'
import { host, port } from './place.ts'

const body = '1'.repeat(150)

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
})
server.listen(port, host)
