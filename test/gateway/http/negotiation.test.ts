// Accept: which client gets a page, and which gets data.

import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, requestFor, talking } from './raw.ts'

let gateway: Gateway
let bare: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  bare = await startGateway({ EXPLORER: 'off', GRAPHIQL: 'off' })
})
afterAll(async () => {
  await gateway.close()
  await bare.close()
})

const browsers = {
  Chromium:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  Firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'one in capitals': 'TEXT/HTML, */*;q=0.1',
  'one with its own weight': 'text/html;level=1;q=0.9, application/json;q=0.8',
}
const programs = {
  curl: '*/*',
  'a client of JSON': 'application/json',
  'a client of GraphQL': 'application/graphql-response+json, application/json;q=0.9',
  'one that refuses HTML': 'text/html;q=0, */*',
  'one that refuses HTML in full': 'text/html;q=0.000, application/json;q=0.1',
  'one that takes both alike': 'application/json, text/html',
  'one with a weight that is none': 'text/html;q=x, */*',
}

const send = (target: string, accept: string | null, method = 'GET', from = gateway) =>
  exchange(
    from.url,
    requestFor(target, ['Host: gateway', ...(accept === null ? [] : [`Accept: ${accept}`])], method),
  )
const LOOKUP = '/?Event=ProfileLookup&Users=1'

describe.each(Object.entries(browsers))('%s', (_name, accept) => {
  test('gets the explorer at /', async () => {
    for (const target of ['/', '/?', '/?utm_source=mail', '/?Users=1', '/?q=Event']) {
      const { status, headers, body } = await send(target, accept)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers.vary).toMatch(/accept/i)
      expect(body).toContain('ProfileLookup')
    }
  })
  test('gets a look-up at / with Event', async () => {
    const { headers, body } = await send(LOOKUP, accept)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(body)).toMatchObject({ 1: { Id: 1 } })
    expect((await send('/?Event=', accept)).status).toBe(400)
    expect((await send('/?%45vent=Nothing', accept)).status).toBe(400)
  })
  test('gets GraphiQL at /graphql', async () => {
    const { status, headers, body } = await send('/graphql', accept)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers.vary).toMatch(/accept/i)
    expect(gunzipSync(Buffer.from(body, 'latin1')).toString()).toContain('GraphiQL')
  })
  test('gets no pages where they are switched off', async () => {
    expect((await send('/', accept, 'GET', bare)).status).toBe(400)
    expect((await send('/graphql', accept, 'GET', bare)).headers['content-type']).toContain('json')
  })
})

describe.each(Object.entries(programs))('%s', (_name, accept) => {
  test('gets the facade at /', async () => {
    const { status, headers, body } = await send('/', accept)
    expect(status).toBe(400)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(body).Error.Code).toBe('MissingParameter')
    expect((await send(LOOKUP, accept)).status).toBe(200)
  })
  test('gets GraphQL at /graphql', async () => {
    const { headers, body } = await send('/graphql?query={__typename}', accept)
    expect(headers['content-type']).toContain('json')
    expect(JSON.parse(body)).toEqual({ data: { __typename: 'Query' } })
  })
})

test('a client that says nothing of what it accepts gets data', async () => {
  expect((await send('/', null)).status).toBe(400)
  expect((await send('/graphql?query={__typename}', null)).body).toBe('{"data":{"__typename":"Query"}}')
})

// Found by fuzzing: the length came together with `Transfer-Encoding: chunked`, which no client may accept.
test.each(['multipart/mixed', 'text/event-stream'])('a client that asks for %s is sent it whole', (accept) =>
  talking(gateway.url, async ({ write, answer, ended }) => {
    const lines = ['Host: gateway', `Accept: ${accept}`, 'Connection: close']
    write(requestFor('/graphql?query={__typename}', lines))
    const { status, headers, body } = await answer()
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining(accept),
      'content-length': String(body.length),
      connection: 'close',
    })
    expect(headers).not.toHaveProperty('transfer-encoding')
    expect(headers).not.toHaveProperty('content-encoding')
    expect(body).toContain('{"data":{"__typename":"Query"}}')
    await ended(1000)
  }),
)
