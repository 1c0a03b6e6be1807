// The floor under any Node server: node:http and a constant body, as long as an answer is on average.

import { createServer } from 'node:http'
import { host, port } from './place.ts'

const body = 'x'.repeat(Number(process.env.BODY_LENGTH))

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
})
server.listen(port, host)
