// nginx, configured by deploy/nginx.conf, passes responses on, compressed if the client accepts it, and keeps
// them in memory.

import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished } from 'vitest'
import { exchange } from '../http/raw.ts'
import { startGateway } from '../kit/gateway.ts'
import { ask, type RequestOptions } from '../legacy/support/ask.ts'
import { caseData, cases } from '../legacy/support/cases.ts'
import { startProxy, test } from './nginx.ts'

const ids = Array.from({ length: 14 }, (_, index) => index + 1).join(':')
const lookup = `/?Event=ProfileLookup&Users=${ids}`
const query = `query ($values: [ID!]!) {
  users(values: $values) { id username displayName rank joinDate isConfirmed banned } }`
const post = (count: number) => ({
  method: 'POST',
  body: JSON.stringify({ query, variables: { values: Array.from({ length: count }, () => '1') } }),
  headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
})
const gzip = { 'accept-encoding': 'gzip' }
const html = { headers: { accept: 'text/html' } }

/** A response that must be compressed, and its text. */
async function askCompressed(url: string, target: string, { headers, ...asking }: RequestOptions = {}) {
  const response = await ask(url, target, { ...asking, headers: { ...gzip, ...headers } })
  expect(response.headers, target).toMatchObject({ 'content-encoding': 'gzip' })
  return { ...response, body: gunzipSync(Buffer.from(response.body, 'latin1')).toString('latin1') }
}

describe('nginx', { timeout: 60_000 }, () => {
  test('passes on requests and responses as they are', async () => {
    const gateway = await startGateway({}, caseData)
    onTestFinished(gateway.close)
    const { url } = await startProxy([gateway.url])
    for (const { name, request, response } of cases)
      expect((await ask(url, request)).body, name).toBe(response)
    const others = ['/', '/graphql?query={__typename}', '/nowhere', '/?%', `${lookup}&Format=XML`]
    for (const target of [...others, `${lookup}${'0'.repeat(70_000)}`]) {
      const { status, body, headers } = await ask(gateway.url, target)
      for (const name of ['date', 'connection', 'keep-alive', 'x-request-id']) delete headers[name]
      expect(await ask(url, target), target.slice(0, 100)).toMatchObject({ status, body, headers })
    }
    const { etag = '' } = (await ask(url, lookup)).headers
    expect(await ask(url, lookup, { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304 })
    expect(await ask(url, lookup, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    // HTTP/1.0 names no host.
    expect(await exchange(url, `GET ${lookup} HTTP/1.0\r\n\r\n`)).toMatchObject({ status: 200 })
  })

  test('compresses responses of every type', async ({ gateway, proxy }) => {
    const targets: readonly (readonly [string, RequestOptions])[] = [
      [lookup, {}],
      [`${lookup}&Format=XML`, {}],
      ['/graphql', post(20)],
      ['/', html],
      ['/schema/schema.graphql', {}],
      ['/schema/legacy.xsd', {}],
    ]
    for (const [target, asking] of targets) {
      const plain = await ask(gateway.url, target, asking)
      const response = await askCompressed(proxy.url, target, asking)
      expect(response, target).toMatchObject({ status: 200, body: plain.body })
      expect(response.headers['content-type'], target).toBe(plain.headers['content-type'])
      expect(response.headers.vary, target).toContain('Accept-Encoding')
    }
    // The gateway compresses this page itself. It is not compressed twice.
    const { body } = await ask(gateway.url, '/graphql', html)
    expect(await ask(proxy.url, '/graphql', { headers: { ...gzip, ...html.headers } })).toMatchObject({
      body,
    })
    const { etag = '' } = (await askCompressed(proxy.url, lookup)).headers
    expect(etag).toMatch(/^W\/"/)
    const known = await ask(proxy.url, lookup, { headers: { ...gzip, 'if-none-match': etag } })
    expect(known.status).toBe(304)
  })
})
