// The service without GraphQL, on Fastify with a response schema.

import Fastify from 'fastify'
import { host, port } from './place.ts'
import { findProfiles } from './profiles.ts'

const profile = {
  type: 'object',
  properties: {
    Id: { type: 'integer' },
    Username: { type: 'string' },
    DisplayName: { type: 'string' },
    Rank: { type: 'integer' },
    JoinDate: { type: 'integer' },
    IsConfirmed: { type: 'boolean' },
    Banned: { type: 'boolean' },
  },
} as const
const schema = {
  querystring: {
    type: 'object',
    required: ['Event', 'Users'],
    properties: { Event: { const: 'ProfileLookup' }, Users: { type: 'string' } },
  },
  response: { 200: { type: 'object', additionalProperties: profile } },
} as const

const app = Fastify()
app.get<{ Querystring: { Users: string } }>('/', { schema }, async (request, reply) => {
  const profiles = findProfiles(request.query.Users)
  return profiles ?? reply.code(400).send({ Error: { Code: 'BadRequest' } })
})
await app.listen({ port, host })
