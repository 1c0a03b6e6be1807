// What real clients send (client-requests.ts) takes the fast path.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import { createCallReader } from '../../src/graphql/calls.ts'
import { createReader } from '../../src/graphql/documents.ts'
import { createResponder } from '../../src/graphql/http.ts'
import { schema } from '../../src/graphql/schema.ts'
import { noTrustedDocuments } from '../../src/graphql/trusted.ts'
import { exchange } from '../http/raw.ts'
import { makeCaller } from '../kit/caller.ts'
import { test as base } from '../kit/test.ts'
import { type ClientRequest, clients } from './client-requests.ts'
import { twoExecutions } from './execution-support.ts'

/** The address of a server that has the fast path alone. */
const test = base.extend('fastPath', { scope: 'file' }, async ({ shared: { path } }, { onCleanup }) => {
  const executions = await twoExecutions({ kind: 'sqlite', path })
  const limits = { introspection: true, tokens: 1000, depth: 6, aliases: 15, fields: 10_000 }
  const readCalls = createCallReader({
    readQuery: createReader(schema, limits, executions.compiling.readOperations),
    trusted: noTrustedDocuments,
    onlyTrusted: false,
    maxTokens: limits.tokens,
  })
  const toYoga = () => Promise.reject(new Error('the fast path left this to Yoga'))
  const answer = createResponder(executions.compiling, readCalls, toYoga, 0)
  const server = createServer(async (request, response) => {
    const body = Buffer.from(await buffer(request))
    const made = await answer(request, request.url?.split('?')[1] ?? '', body, makeCaller()).catch(() => null)
    response.writeHead(made?.status ?? 599).end(made?.body, 'latin1')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onCleanup(async () => {
    server.close()
    await executions.close()
  })
  const { port } = server.address() as AddressInfo // a TCP server's address is no string
  return `http://127.0.0.1:${port}`
})

async function send(url: string, { method, target, headers, body }: ClientRequest) {
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []))
  const length = method === 'POST' ? [`Content-Length: ${body.length}`] : []
  const head = [`${method} ${target} HTTP/1.1`, 'Host: gateway', ...lines, ...length, 'Connection: close']
  return exchange(url, `${head.join('\r\n')}\r\n\r\n${body}`)
}

const ada = /^\{"data":\{"users":\[\{"id":"1","username":"Ada"[^\]]*\}\]\}\}$/

test.for(Object.entries<ClientRequest>(clients))(
  '%s takes the fast path, and gets its media type',
  async ([, sent], { gateway, fastPath }) => {
    const fast = await send(fastPath, sent)
    expect([fast.status, fast.body]).toEqual([200, expect.stringMatching(ada)])
    const { body, headers } = await send(gateway.url, sent)
    expect(body).toBe(fast.body)
    const isNew = sent.headers.some((text) => text.includes('graphql-response+json'))
    const type = isNew ? 'application/graphql-response+json' : 'application/json'
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
  },
)
