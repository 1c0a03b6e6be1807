// Headers, caching, HEAD, deprecation. The bytes are in cases.test.ts and bodies.test.ts.

import { describe, expect } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { test } from '../kit/test.ts'
import { ask, contentTypes, inFormat, type RequestOptions } from './support/ask.ts'
import { APP, ID } from './support/rows.ts'

const found = `${ID}1:9`
const refused = 'Event=Nope'
const aged = { LEGACY_MAX_AGE: '60' }

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  test.for([found, refused, `${APP}1`, `${ID}999`])(
    '%s: type, length, CORS and nosniff',
    async (query, { gateway }) => {
      const { headers, body } = await ask(gateway.url, inFormat(query, format))
      expect(headers).toMatchObject({
        'content-type': contentTypes[format],
        'content-length': String(body.length),
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      })
      expect(headers['transfer-encoding']).toBeUndefined()
      expect(body).toMatch(/^[\x00-\x7f]+$/)
    },
  )

  test('only a response without an error may be cached', async ({ gateway, withSettings }) => {
    const { url } = await withSettings(aged)
    const controlOf = async (origin: string, query: string) =>
      (await ask(origin, inFormat(query, format))).headers['cache-control']
    expect(await controlOf(url, found)).toBe('public, max-age=60')
    expect(await controlOf(url, refused)).toBe('no-store')
    expect(await controlOf(gateway.url, found)).toBe('public, max-age=0')
  })

  test('the ETag is strong and belongs to the bytes', async ({ gateway }) => {
    const etagOf = async (target: string) => (await ask(gateway.url, target)).headers.etag
    const etag = await etagOf(inFormat(found, format))
    expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(await etagOf(inFormat(found, format))).toBe(etag)
    expect(await etagOf(inFormat(`${ID}9:1`, format))).not.toBe(etag)
    expect(await etagOf(inFormat(found, format === 'XML' ? 'JSON' : 'XML'))).not.toBe(etag)
  })

  test.for<[name: string, status: number, known: (etag: string) => string]>([
    ['the ETag', 304, (etag) => etag],
    ['the ETag, marked as weak', 304, (etag) => `W/${etag}`],
    ['a list with the ETag', 304, (etag) => `"a", ${etag}, "b"`],
    ['any', 304, () => '*'],
    ['another ETag', 200, () => '"another"'],
    ['a part of the ETag', 200, (etag) => `${etag.slice(0, -3)}"`],
  ])('If-None-Match with %s: %i', async ([, status, known], { withSettings }) => {
    const { url } = await withSettings(aged)
    const { headers, body } = await ask(url, inFormat(found, format))
    for (const method of ['GET', 'HEAD']) {
      const asking = { method, headers: { 'if-none-match': known(headers.etag ?? '') } }
      const reply = await ask(url, inFormat(found, format), asking)
      const expected = status === 304 || method === 'HEAD' ? '' : body
      expect([reply.status, reply.body]).toEqual([status, expected])
      expect(reply.headers).toMatchObject({
        etag: headers.etag,
        'cache-control': 'public, max-age=60',
        'access-control-allow-origin': '*',
      })
    }
  })

  test('If-None-Match does not hide an error', async ({ gateway }) => {
    const headers = { 'if-none-match': '*' }
    expect((await ask(gateway.url, inFormat(refused, format), { headers })).status).toBe(400)
  })

  test.for([found, refused])('HEAD /?%s has the headers of GET and no body', async (query, { gateway }) => {
    const headers = { 'x-request-id': 'r-1' }
    const get = await ask(gateway.url, inFormat(query, format), { headers })
    const head = await ask(gateway.url, inFormat(query, format), { method: 'HEAD', headers })
    expect(head).toMatchObject({ status: get.status, body: '' })
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
  })
})

test('UTF-8 is compressed and cached with its length in bytes', async ({ withSettings }) => {
  const { url } = await withSettings({ 'json.letters': 'plain', COMPRESSION: 'all' })
  const target = `/?${ID}${Array.from({ length: 20 }, (_, id) => id).join(':')}`
  const { headers, body } = await ask(url, target)
  expect(Buffer.from(body, 'latin1').toString()).toContain('"Søren Ærlig"')
  expect(headers['content-length']).toBe(String(body.length))
  // From the second request on, the response comes from the cache.
  for (let times = 0; times < 3; times++) expect((await ask(url, target)).body).toBe(body)
  const known = await ask(url, target, { headers: { 'if-none-match': headers.etag ?? '' } })
  expect(known.status).toBe(304)
  const compressed = await fetch(url + target, { headers: { 'accept-encoding': 'gzip' } })
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(await compressed.text()).toBe(Buffer.from(body, 'latin1').toString())
})

describe('deprecation', () => {
  const retiring = {
    LEGACY_DEPRECATION: '2026-02-28',
    LEGACY_SUNSET: '2027-01-31T12:30:00Z',
    LEGACY_SUNSET_LINK: 'https://example.org/a b?c=>d',
  }
  const responses: readonly [status: number, target: string, asking?: RequestOptions][] = [
    [200, `/?${found}`],
    [200, `/?${found}&Format=XML`],
    [200, `/?${found}`, { method: 'HEAD' }],
    [304, `/?${found}`, { headers: { 'if-none-match': '*' } }],
    [400, '/?Event=Nope'],
    [405, `/?${found}`, { method: 'PUT' }],
    [414, `/?${found}`.padEnd(66_000, ':')],
    [414, `/?${found}`.padEnd(200_000, ':')],
  ]

  test('is in the headers of every legacy response', async ({ withSettings }) => {
    const { url } = await withSettings(retiring)
    for (const [status, target, asking] of responses) {
      const reply = await ask(url, target, asking)
      expect(reply.status).toBe(status)
      expect(reply.headers).toMatchObject({
        deprecation: '@1772236800',
        sunset: 'Sun, 31 Jan 2027 12:30:00 GMT',
      })
      const page = '<https://example.org/a%20b?c=%3Ed>'
      expect(reply.headers.link).toBe(`${page}; rel="deprecation", ${page}; rel="sunset"`)
      const exposed = String(reply.headers['access-control-expose-headers']).split(', ')
      expect(exposed).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']))
    }
  })

  test('is in no header of GraphQL, nor by default', async ({ gateway, withSettings }) => {
    const { url } = await withSettings(retiring)
    const graphql = await ask(url, '/graphql?query={__typename}')
    const byDefault = await Promise.all(
      responses.map(([, target, asking]) => ask(gateway.url, target, asking)),
    )
    for (const { headers } of [graphql, ...byDefault])
      expect([headers.deprecation, headers.sunset, headers.link]).toEqual([undefined, undefined, undefined])
  })

  test('cannot be after the sunset', () => {
    const read = (sunset: string) => () =>
      readConfig({ flags: { LEGACY_DEPRECATION: '2027-01-31', LEGACY_SUNSET: sunset } })
    expect(read('2027-01-30T23:59:59Z')).toThrow('LEGACY_SUNSET is earlier than LEGACY_DEPRECATION')
    expect(read('2027-01-31')).not.toThrow()
  })
})
