// The service without GraphQL, written the obvious way.

import { createServer } from 'node:http'
import { host, port } from './place.ts'
import { findProfiles } from './profiles.ts'

const server = createServer((request, response) => {
  const parameters = new URLSearchParams(request.url?.split('?')[1])
  const users = parameters.get('Users')
  const known = parameters.get('Event') === 'ProfileLookup' && users !== null
  const profiles = known ? findProfiles(users) : null
  const body = JSON.stringify(
    profiles ?? { Error: { Code: 'BadRequest', Message: 'This cannot be looked up.' } },
  )
  response.writeHead(profiles === null ? 400 : 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(port, host)
