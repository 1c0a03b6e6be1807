// The contract's page "Legacy response": headers, caching, HEAD. The bytes are in cases.test.ts and formats/.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { type Asking, ask, contentTypes, inFormat } from './support/ask.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway({ LEGACY_MAX_AGE: '60' })
})
afterAll(() => gateway.close())

const found = 'Event=ProfileLookup&Users=1:9'
const refused = 'Event=Nope'

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  const lookUp = (asking?: Asking) => ask(gateway.url, inFormat(found, format), asking)
  const etagOf = async () => (await lookUp()).headers.etag ?? 'none'

  test.each([found, refused, 'Event=AppLookup&Apps=1', 'Event=ProfileLookup&Users=999'])(
    '%s: type, exact length, CORS and nosniff',
    async (query) => {
      const { headers, body } = await ask(gateway.url, inFormat(query, format))
      expect(headers['content-type']).toBe(contentTypes[format])
      expect(headers['content-length']).toBe(String(body.length))
      expect(headers['transfer-encoding']).toBeUndefined()
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['x-content-type-options']).toBe('nosniff')
    },
  )

  test('an answer may be cached for LEGACY_MAX_AGE seconds', async () => {
    expect((await lookUp()).headers['cache-control']).toBe('public, max-age=60')
  })

  test('an error is not cached, and has no ETag', async () => {
    const { headers } = await ask(gateway.url, inFormat(refused, format))
    expect(headers['cache-control']).toBe('no-store')
    expect(headers.etag).toBeUndefined()
  })

  test('only ASCII is sent', async () => {
    expect((await lookUp()).body).toMatch(/^[\x00-\x7f]+$/)
  })

  test('the ETag is strong and belongs to the bytes', async () => {
    const etag = await etagOf()
    expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(await etagOf()).toBe(etag)
    const other = await ask(gateway.url, inFormat('Event=ProfileLookup&Users=9:1', format))
    expect(other.headers.etag).not.toBe(etag)
    const otherFormat = await ask(gateway.url, inFormat(found, format === 'XML' ? 'JSON' : 'XML'))
    expect(otherFormat.headers.etag).not.toBe(etag)
  })

  test.for<[name: string, known: (etag: string) => string]>([
    ['the ETag', (etag) => etag],
    ['the ETag, marked as weak', (etag) => `W/${etag}`],
    ['a list with the ETag', (etag) => `"a", ${etag}, "b"`],
    ['a list without blanks', (etag) => `"a",W/"b",${etag}`],
    ['any', () => '*'],
  ])('If-None-Match with %s is answered 304', async ([, known], { expect }) => {
    const etag = await etagOf()
    for (const method of ['GET', 'HEAD']) {
      const reply = await lookUp({ method, headers: { 'if-none-match': known(etag) } })
      expect(reply).toMatchObject({ status: 304, body: '' })
      expect(reply.headers.etag).toBe(etag)
      expect(reply.headers['cache-control']).toBe('public, max-age=60')
      expect(reply.headers['access-control-allow-origin']).toBe('*')
    }
  })

  test.for<[name: string, known: (etag: string) => string]>([
    ['another ETag', () => '"another"'],
    ['the ETag without quotes', (etag) => etag.slice(1, -1)],
    ['a part of the ETag', (etag) => `${etag.slice(0, -3)}"`],
    ['nothing', () => ''],
  ])('If-None-Match with %s is answered 200', async ([, known], { expect }) => {
    const reply = await lookUp({ headers: { 'if-none-match': known(await etagOf()) } })
    expect(reply).toMatchObject({ status: 200, body: (await lookUp()).body })
  })

  test('If-None-Match does not hide an error', async () => {
    const headers = { 'if-none-match': '*' }
    expect(await ask(gateway.url, inFormat(refused, format), { headers })).toMatchObject({ status: 400 })
  })

  test.each([found, refused])('HEAD /?%s has the headers of GET and no body', async (query) => {
    const headers = { 'x-request-id': 'r-1' }
    const get = await ask(gateway.url, inFormat(query, format), { headers })
    const head = await ask(gateway.url, inFormat(query, format), { method: 'HEAD', headers })
    const undated = ({ headers: { date: _date, ...rest } }: typeof get) => rest
    expect(undated(head)).toEqual(undated(get))
    expect(head).toMatchObject({ status: get.status, body: '' })
  })
})

test('by default an answer is not fresh for any time', async () => {
  const byDefault = await startGateway()
  try {
    const { headers } = await ask(byDefault.url, `/?${found}`)
    expect(headers['cache-control']).toBe('public, max-age=0')
  } finally {
    await byDefault.close()
  }
})
