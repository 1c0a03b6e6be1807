// The service without GraphQL, written the obvious way.

import { createServer } from 'node:http'
import { answer, read } from './obvious.ts'
import { host, port } from './place.ts'
import { findProfiles } from './profiles.ts'

const server = createServer((request, response) => {
  const asked = read(request)
  answer(response, asked, asked.users === null ? null : findProfiles(asked.users))
})
server.listen(port, host)
