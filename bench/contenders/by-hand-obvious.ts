// The service without GraphQL, written the obvious way.

import { createServer } from 'node:http'
import { answer, usersOf } from './obvious.ts'
import { host, port } from './place.ts'
import { findProfiles } from './profiles.ts'

const server = createServer((request, response) => {
  const users = usersOf(request)
  answer(response, users === null ? null : findProfiles(users))
})
server.listen(port, host)
