// The Accept header decides who gets a page and who gets data.

import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { exchange, requestFor } from './raw.ts'

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9'
const browsers = {
  Chromium: `${HTML},image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7`,
  Firefox: `${HTML},*/*;q=0.8`,
  'a browser in capitals': 'TEXT/HTML, */*;q=0.1',
  'a browser with a weight of its own': 'text/html;level=1;q=0.9, application/json;q=0.8',
}
const programs = {
  curl: '*/*',
  'a client of JSON': 'application/json',
  'a client of GraphQL': 'application/graphql-response+json, application/json;q=0.9',
  'a client that refuses HTML': 'text/html;q=0, */*',
  'a client that refuses HTML in full': 'text/html;q=0.000, application/json;q=0.1',
  'a client that takes both alike': 'application/json, text/html',
  'a client with an invalid weight': 'text/html;q=x, */*',
  'a client without Accept': null,
}
const LOOKUP = '/?Event=ProfileLookup&Users=1'
const QUERY = '/graphql?query={__typename}'
const send = (url: string, target: string, accept: string | null) =>
  exchange(url, requestFor(target, ['Host: gateway', ...(accept === null ? [] : [`Accept: ${accept}`])]))

test.for(Object.entries(browsers))(
  '%s gets pages, and lookups with Event',
  async ([, accept], { gateway }) => {
    const page = {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', vary: expect.stringMatching(/accept/i) },
    }
    for (const target of ['/', '/?', '/?utm_source=mail', '/?Users=1', '/?q=Event']) {
      const explorer = await send(gateway.url, target, accept)
      expect(explorer, target).toMatchObject({ ...page, body: expect.stringContaining('ProfileLookup') })
    }
    const graphiql = await send(gateway.url, '/graphql', accept)
    expect(graphiql).toMatchObject(page)
    expect(gunzipSync(Buffer.from(graphiql.body, 'latin1')).includes('GraphiQL')).toBe(true)
    for (const [target, status] of [
      [LOOKUP, 200],
      ['/?Event=', 400],
      ['/?%45vent=Nothing', 400],
    ] as const)
      expect(await send(gateway.url, target, accept)).toMatchObject({
        status,
        headers: { 'content-type': 'application/json; charset=utf-8' },
      })
  },
)

test.for(Object.entries(programs))('%s gets data', async ([, accept], { gateway }) => {
  const missing = { status: 400, headers: { 'content-type': 'application/json; charset=utf-8' } }
  const refused = await send(gateway.url, '/', accept)
  expect(refused).toMatchObject({ ...missing, body: expect.stringContaining('"MissingParameter"') })
  expect(await send(gateway.url, LOOKUP, accept)).toMatchObject({ status: 200 })
  expect(await send(gateway.url, QUERY, accept)).toMatchObject({ body: '{"data":{"__typename":"Query"}}' })
})

test('a gateway without pages gives browsers data', async ({ withSettings }) => {
  const { url } = await withSettings({ EXPLORER: 'off', GRAPHIQL: 'off' })
  expect(await send(url, '/', browsers.Firefox)).toMatchObject({ status: 400 })
  const { headers } = await send(url, '/graphql', browsers.Firefox)
  expect(headers['content-type']).toContain('json')
})
