// What the proxy makes of responses: compressed where the client accepts it, and kept in memory.

import { connect as connectTcp } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { exchange, readAnswers, requestFor } from '../gateway/http/raw.ts'
import { type Asking, ask } from '../gateway/legacy/support/ask.ts'
import { type Gateway, startGateway } from '../kit/gateway.ts'
import { hasProgram } from '../kit/programs.ts'
import { type RunningProxy, startProxy } from './nginx.ts'

const ids = Array.from({ length: 14 }, (_, index) => index + 1).join(':')
const lookup = `/?Event=ProfileLookup&Users=${ids}`
const small = '/?Event=AppLookup&Apps=2'
const fields = 'id username displayName rank joinDate isConfirmed banned'
const query = `query ($values: [String!]!) { users(values: $values) { ${fields} } }`
const post = (count: number) => ({
  method: 'POST',
  body: JSON.stringify({ query, variables: { values: Array.from({ length: count }, () => '1') } }),
  headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
})
const gzip = { 'accept-encoding': 'gzip' }

async function start(): Promise<RunningProxy & { gateway: Gateway }> {
  const gateway = await startGateway()
  onTestFinished(gateway.close)
  return { ...(await startProxy([gateway.url])), gateway }
}

/** A response that is compressed, and what it holds. */
async function askCompressed(url: string, target: string, { headers, ...asking }: Asking = {}) {
  const answer = await ask(url, target, { ...asking, headers: { ...gzip, ...headers } })
  expect(answer.headers, target).toMatchObject({ 'content-encoding': 'gzip' })
  return { ...answer, body: gunzipSync(Buffer.from(answer.body, 'latin1')).toString('latin1') }
}

describe.skipIf(!hasProgram('nginx'))('responses', { timeout: 60_000 }, () => {
  test('of every type are compressed for clients that accept it', async () => {
    const { url, gateway } = await start()
    const html = { headers: { accept: 'text/html' } }
    const targets: readonly (readonly [string, Asking])[] = [
      [lookup, {}],
      [`${lookup}&Format=XML`, {}],
      ['/graphql', post(20)],
      ['/', html],
      ['/schema/schema.graphql', {}],
      ['/schema/legacy.xsd', {}],
    ]
    for (const [target, asking] of targets) {
      const plain = await ask(gateway.url, target, asking)
      const answer = await askCompressed(url, target, asking)
      expect(answer, target).toMatchObject({ status: 200, body: plain.body })
      expect(answer.headers['content-type'], target).toBe(plain.headers['content-type'])
      expect(answer.headers.vary, target).toContain('Accept-Encoding')
    }
    // The gateway compresses this page itself. It is not compressed twice.
    const { body } = await ask(gateway.url, '/graphql', html)
    expect(await ask(url, '/graphql', { headers: { ...gzip, ...html.headers } })).toMatchObject({ body })
  })

  test('keep a validator that the gateway accepts', async () => {
    const { url } = await start()
    const { etag = '' } = (await askCompressed(url, lookup)).headers
    expect(etag).toMatch(/^W\/"/)
    expect(await ask(url, lookup, { headers: { ...gzip, 'if-none-match': etag } })).toMatchObject({
      status: 304,
    })
  })

  test('are as they were for other clients, for HTTP/1.0, and where they are small', async () => {
    const { url, gateway } = await start()
    const { body, headers } = await ask(gateway.url, lookup)
    const plain = await ask(url, lookup)
    expect(plain).toMatchObject({ body, headers: { etag: headers.etag } })
    const refusing = await ask(url, lookup, { headers: { 'accept-encoding': 'gzip;q=0' } })
    const tiny = await ask(url, small, { headers: gzip })
    for (const answer of [plain, refusing, tiny])
      expect(answer.headers).not.toHaveProperty('content-encoding')
    const old = await exchange(url, `GET ${lookup} HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n`)
    expect(old.headers).not.toHaveProperty('content-encoding')
    expect(old.body).toBe(body)
  })

  test('that are large stay in memory, though clients read late', async () => {
    const { url, gateway, filled } = await start()
    const { body } = await ask(gateway.url, '/graphql', post(1000))
    expect(body.length).toBeGreaterThan(120_000)
    const asked = post(1000)
    const headers = [
      'Host: gateway',
      'Content-Type: application/json',
      `Content-Length: ${asked.body.length}`,
    ]
    const request = (...more: string[]) =>
      `${requestFor('/graphql', [...headers, ...more], 'POST')}${asked.body}`
    const clients = Array.from({ length: 4 }, () => connectTcp(Number(new URL(url).port), '127.0.0.1'))
    // More than is held by the sockets between the proxy and a client that does not read.
    for (const client of clients) client.write(`${request().repeat(99)}${request('Connection: close')}`)
    await untilQuiet(gateway)
    // Requests, and queries to the store.
    const observed = gateway.observations.filter(({ type }) => type !== 'graphql-operation')
    expect(observed.length).toBeLessThan(400)
    expect(filled()).toEqual([])
    for (const client of clients) {
      const received = await text(client.setEncoding('latin1'))
      expect(readAnswers(received).map((answer) => answer.body)).toEqual(Array(100).fill(body))
    }
  })
})

/** Waits until the gateway has no more to answer. */
async function untilQuiet({ observations }: Gateway): Promise<void> {
  for (let before = -1; before !== observations.length; await pause(500)) before = observations.length
}
