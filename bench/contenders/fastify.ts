// The service without GraphQL, on Fastify with a response schema.

import Fastify from 'fastify'
import { host, port } from './place.ts'
import { findProfiles } from './profiles.ts'

const [text, integer, boolean] = [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] as const
const profile = {
  type: 'object',
  properties: {
    ...{ Id: integer, Username: text, DisplayName: text, Rank: integer, JoinDate: integer },
    ...{ IsConfirmed: boolean, Banned: boolean },
  },
} as const
const query = { Event: { const: 'ProfileLookup' }, Users: text, MethodOfAccessingUserInformation: text }
const schema = {
  querystring: { type: 'object', required: ['Event', 'Users'], properties: query },
  response: { 200: { type: 'object', additionalProperties: profile } },
} as const

const app = Fastify()
app.get<{ Querystring: Record<string, string> }>('/', { schema }, async ({ query }, reply) => {
  const profiles = findProfiles(query.Users ?? '', query.MethodOfAccessingUserInformation === 'username')
  return profiles ?? reply.code(400).send({ Error: { Code: 'BadRequest' } })
})
await app.listen({ port, host })
