// What real clients send (client-requests.ts) is answered on the fast path.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReader } from '../../../src/gateway/graphql/documents.ts'
import { createFastPath } from '../../../src/gateway/graphql/fast-path.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { makeCaller } from '../../kit/caller.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange } from '../http/raw.ts'
import { type ClientRequest, clients } from './client-requests.ts'
import { twoExecutions } from './execution-support.ts'

let gateway: Gateway
let fastPath: Server
let close = async () => {}
beforeAll(async () => {
  gateway = await startGateway()
  const executions = await twoExecutions(gateway)
  close = executions.close
  const limits = { introspection: true, tokens: 1000, depth: 6, aliases: 15, fields: 10_000 }
  const answer = createFastPath({
    execution: executions.compiling,
    findDocument: ({ query }) => query,
    readQuery: createReader(schema, limits),
    fallback: () => Promise.reject(new Error('this was left to Yoga')),
  })
  fastPath = createServer(async (request, response) => {
    const query = request.url?.split('?')[1] ?? ''
    const body = Buffer.from(await buffer(request))
    const answered = await answer(request, query, body, makeCaller()).catch(() => null)
    response.writeHead(answered?.status ?? 599).end(answered?.body, 'latin1')
  }).listen(0, '127.0.0.1')
  await once(fastPath, 'listening')
})
afterAll(async () => {
  fastPath.close()
  await close()
  await gateway.close()
})

async function ask(url: string, { method, target, headers, body }: ClientRequest) {
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []))
  const length = method === 'POST' ? [`Content-Length: ${body.length}`] : []
  const head = [`${method} ${target} HTTP/1.1`, 'Host: gateway', ...lines, ...length, 'Connection: close']
  return exchange(url, `${head.join('\r\n')}\r\n\r\n${body}`)
}

const ada = /^\{"data":\{"users":\[\{"id":"1","username":"Ada"[^\]]*\}\]\}\}$/

const whole = Object.entries<ClientRequest>(clients).filter(([, { registers }]) => registers === undefined)

test.each(whole)(
  '%s takes the fast path, and gets the media type that it asks for',
  async (_name, request) => {
    const { port } = fastPath.address() as AddressInfo
    const fast = await ask(`http://127.0.0.1:${port}`, request)
    expect([fast.status, fast.body]).toEqual([200, expect.stringMatching(ada)])
    const { body, headers } = await ask(gateway.url, request)
    expect(body).toBe(fast.body)
    const asksForResponses = request.headers.some((text) => text.includes('graphql-response+json'))
    const type = asksForResponses ? 'application/graphql-response+json' : 'application/json'
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
  },
)

test('a client that sends a hash gets the same answer as one that sends its query', async () => {
  const { registers, ...hashed }: ClientRequest = clients['apollo-persisted']
  if (registers === undefined) throw new Error('it registers nothing')
  const known = await ask(gateway.url, { ...hashed, body: registers })
  expect(known.body).toMatch(ada)
  for (let use = 0; use < 4; use++) expect((await ask(gateway.url, hashed)).body).toBe(known.body)
})
