// COMPRESSION: which answers are compressed, for which clients, and what goes with it. compression-kept.test.ts
// has what is kept of them.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type Asking, ask, type Reply } from '../legacy/support/ask.ts'
import { caseData, cases } from '../legacy/support/cases.ts'
import { exchange, manySpellings, requestFor, talking } from './raw.ts'

/** As browsers send it. */
const every = 'gzip, deflate, br, zstd'

/** What is in an answer, compressed or not. */
function contentOf({ headers, body }: Pick<Reply, 'headers' | 'body'>): string {
  const isGzip = headers['content-encoding'] === 'gzip'
  return isGzip ? gunzipSync(Buffer.from(body, 'latin1')).toString('latin1') : body
}

const fields = 'id username displayName rank joinDate isConfirmed banned'
const query = `query ($values: [String!]!) { users(values: $values) { ${fields} } }`
const posted = (count: number) =>
  JSON.stringify({ query, variables: { values: Array.from({ length: count }, () => '1') } })
const post = (count: number): Asking => ({
  method: 'POST',
  body: posted(count),
  headers: { 'content-type': 'application/json', accept: 'application/json' },
})
const html: Asking = { headers: { accept: 'text/html' } }
const found = '/?Event=ProfileLookup&Users=1:2:3:4:5:6:7:8:9:10:11:12'

const compressible: readonly (readonly [what: string, target: string, asking: Asking])[] = [
  ['GraphQL', '/graphql', post(20)],
  ['a GraphQL error', '/graphql', { ...post(1), body: JSON.stringify({ query: `{${' no '.repeat(50)}}` }) }],
  ['the explorer', '/', html],
  ['an explanation', `/explain${found.slice(1)}`, {}],
  ['the GraphQL schema', '/schema/schema.graphql', {}],
  ['the OpenAPI document', '/schema/legacy.openapi.json', {}],
  ['the XML Schema', '/schema/legacy.xsd', {}],
]
const uncompressed: readonly (readonly [what: string, target: string, asking: Asking])[] = [
  ['a legacy answer', manySpellings, {}],
  ['a legacy answer in XML', `${manySpellings}&Format=XML`, {}],
  ['a short GraphQL answer', '/graphql', post(1)],
  ['a refusal', '/nowhere', {}],
]

let gateway: Gateway
/** A gateway for each setting but the default. */
let all: Gateway
let off: Gateway
beforeAll(async () => {
  const limits = { MAX_BODY: '1000000', LEGACY_MAX_VALUES: '10000', GRAPHQL_MAX_FIELDS: '1000000' }
  gateway = await startGateway(limits)
  all = await startGateway({ COMPRESSION: 'all' }, caseData)
  off = await startGateway({ COMPRESSION: 'off' })
})
afterAll(async () => {
  await gateway.close()
  await all.close()
  await off.close()
})

/** Asks for an answer in a coding. */
function askIn(acceptEncoding: string | null, target: string, asking: Asking = {}, url = gateway.url) {
  const coding = acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding }
  // What changes from answer to answer.
  const id = { 'x-request-id': 'r-1' }
  return ask(url, target, { ...asking, headers: { ...asking.headers, ...id, ...coding } })
}

/** An explanation tells the time that its steps took. */
const timeless = (text: string) => text.replace(/"durations?": [^}]*\}|: [\d.]+e?-?\d*,?\n/g, '')

describe.each(compressible)('%s', (_what, target, asking) => {
  test.each(['gzip', every])('is compressed for a client that sends %s', async (header) => {
    const plain = await askIn(null, target, asking)
    const answer = await askIn(header, target, asking)
    expect(answer.status).toBe(plain.status)
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.headers['content-length']).toBe(String(answer.body.length))
    expect(answer.headers).not.toHaveProperty('transfer-encoding')
    expect(answer.body.length).toBeLessThan(0.7 * plain.body.length)
    expect(timeless(contentOf(answer))).toBe(timeless(plain.body))
    // All else is the same, Vary included.
    const { 'content-encoding': _coding, 'content-length': _length, etag: _etag, ...rest } = answer.headers
    expect({ ...rest, date: '', ...lengthAndTag(plain) }).toEqual({ ...plain.headers, date: '' })
    expect(plain.headers.vary).toMatch(/(?:^|, )Accept-Encoding$/)
  })

  test.each([
    null,
    '',
    'identity',
    'deflate, br, zstd',
    'gzip;q=0, br;q=0.0',
    '*;q=0',
    'identity;q=0',
    'gzip;;;q=1',
    '\xff\xfe',
    `gzip, ${'x, '.repeat(3_300)}`,
  ])('is as it is for a client that sends %j', async (header) => {
    const { headers, body } = await askIn(header, target, asking)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers['content-length']).toBe(String(body.length))
    expect(headers.vary).toMatch(/(?:^|, )Accept-Encoding$/)
  })
})

function lengthAndTag({ headers }: Reply) {
  const { 'content-length': length, etag } = headers
  return { 'content-length': length, ...(etag === undefined ? {} : { etag }) }
}

test.each(uncompressed)('%s is never compressed', async (_what, target, asking) => {
  const plain = await askIn(null, target, asking)
  const answer = await askIn(every, target, asking)
  expect({ ...answer, headers: { ...answer.headers, date: '' } }).toEqual({
    ...plain,
    headers: { ...plain.headers, date: '' },
  })
  expect(plain.headers).not.toHaveProperty('vary')
})

test('every legacy answer is byte by byte the same, whatever a client asks for', async () => {
  const legacy = await startGateway({}, caseData)
  onTestFinished(legacy.close)
  for (const { request, response } of cases) {
    const { headers, body } = await askIn(every, request, {}, legacy.url)
    expect(body, request).toBe(response)
    expect(headers, request).not.toHaveProperty('content-encoding')
    expect(headers, request).not.toHaveProperty('vary')
  }
})

test.each([...compressible, ...uncompressed])('with COMPRESSION=off, %s is as it is', async (...asked) => {
  const [, target, asking] = asked
  const { headers } = await askIn(every, target, asking, off.url)
  expect(headers).not.toHaveProperty('content-encoding')
  expect(headers.vary ?? '').not.toContain('Accept-Encoding')
})

describe('with COMPRESSION=all', () => {
  test('legacy answers are compressed, and hold the same', async () => {
    let compressed = 0
    for (const { request, response } of cases) {
      // What is asked for often is kept.
      for (let time = 0; time < 4; time++) {
        const answer = await askIn('gzip', request, {}, all.url)
        expect(contentOf(answer), request).toBe(response)
        expect(answer.headers['content-length']).toBe(String(answer.body.length))
        expect('vary' in answer.headers, request).toBe(response.length >= 1024)
        if (answer.headers['content-encoding'] === 'gzip') compressed++
      }
    }
    expect(compressed).toBeGreaterThan(0)
  })

  test('clients that ask for nothing get the bytes as they are, and are told what varies', async () => {
    const long = cases.filter(({ response }) => response.length >= 1024)
    expect(long.length).toBeGreaterThan(0)
    for (const { request, response } of long) {
      const { headers, body } = await askIn(null, request, {}, all.url)
      expect(body, request).toBe(response)
      expect(headers).not.toHaveProperty('content-encoding')
      expect(headers.vary).toBe('Accept-Encoding')
    }
  })
})

describe('a validator', () => {
  const target = '/schema/legacy.openapi.json'
  const tagOf = async (coding: string | null) => (await askIn(coding, target)).headers.etag ?? 'none'
  const askKnown = (coding: string | null, tags: string, method = 'GET') =>
    askIn(coding, target, { method, headers: { 'if-none-match': tags } })

  test('is another one for the compressed bytes', async () => {
    const plain = await tagOf(null)
    expect(plain).toMatch(/^"[\w-]{27}"$/)
    expect(await tagOf('gzip')).toBe(`${plain.slice(0, -1)}-gzip"`)
  })

  test('of these is 304, with the headers of 200', async () => {
    const tag = await tagOf('gzip')
    const { headers } = await askIn('gzip', target)
    for (const known of [tag, `W/${tag}`, `"a", ${tag}`, '*'])
      for (const method of ['GET', 'HEAD']) {
        const answer = await askKnown('gzip', known, method)
        expect(answer).toMatchObject({ status: 304, body: '', headers: { etag: tag, vary: headers.vary } })
        expect(answer.headers).not.toHaveProperty('content-encoding')
      }
  })

  test('of the answer as it is is 304, too, and stays what it is', async () => {
    const plain = await tagOf(null)
    expect(await askKnown(every, plain)).toMatchObject({ status: 304, headers: { etag: plain } })
    expect(await askKnown(null, plain)).toMatchObject({ status: 304, headers: { etag: plain } })
    // A cache that has both is told which of them to send.
    const own = await tagOf('gzip')
    expect(await askKnown('gzip', `${plain}, ${own}`)).toMatchObject({ status: 304, headers: { etag: own } })
  })

  test('of what the client does not ask for is 200', async () => {
    const gzipped = await tagOf('gzip')
    expect((await askKnown(null, gzipped)).status).toBe(200)
    expect((await askKnown('gzip', gzipped.replace('gzip', 'zip'))).status).toBe(200)
  })
})

test.each([...compressible.filter(([, , { method }]) => method === undefined)])(
  'HEAD of %s has the headers of GET',
  async (_what, target, asking) => {
    for (const coding of [null, 'gzip']) {
      const get = await askIn(coding, target, asking)
      const head = await askIn(coding, target, { ...asking, method: 'HEAD' })
      // The length of an explanation changes with the times that it tells.
      const same = ({ headers: { date: _date, 'content-length': length, ...rest } }: Reply) =>
        target.startsWith('/explain') ? rest : { ...rest, length }
      expect(same(head)).toEqual(same(get))
      expect(head).toMatchObject({ status: 200, body: '' })
    }
  },
)

test('Vary keeps what is there', async () => {
  expect((await askIn('gzip', '/', html)).headers.vary).toBe('Accept, Accept-Encoding')
  expect((await askIn('gzip', '/schema/legacy.xsd')).headers.vary).toBe('Accept-Encoding')
})

test('GraphiQL, which is compressed anyway, is not compressed twice', async () => {
  for (const coding of [null, every]) {
    const answer = await askIn(coding, '/graphql', html)
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept' })
    expect(contentOf(answer)).toContain('GraphiQL')
  }
})

describe('of answers that another thread compresses', () => {
  const COUNT = 3_000
  const request = (count: number, coding: string) =>
    `${requestFor(
      '/graphql',
      [
        'Host: gateway',
        'Content-Type: application/json',
        `Accept-Encoding: ${coding}`,
        `Content-Length: ${posted(count).length}`,
      ],
      'POST',
    )}${posted(count)}`

  test('the content is the same', async () => {
    const plain = await askIn(null, '/graphql', post(COUNT))
    expect(plain.body.length).toBeGreaterThan(64 * 1024)
    const answer = await askIn('gzip', '/graphql', post(COUNT))
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.headers['content-length']).toBe(String(answer.body.length))
    expect(contentOf(answer)).toBe(plain.body)
  })

  test('the order is that of the requests', async () => {
    const counts = [COUNT, 1, 2_500, 20, COUNT, 0, 100]
    const sent = counts.flatMap((count) => ['gzip', 'identity'].map((coding) => [count, coding] as const))
    await talking(gateway.url, async ({ write, answer }) => {
      write(sent.map(([count, coding]) => request(count, coding)).join(''))
      for (const [count, coding] of sent) {
        const content = contentOf(await answer({ within: 60_000 }))
        expect(JSON.parse(content).data.users, `${count} in ${coding}`).toHaveLength(count)
      }
    })
  })

  test('a client may leave meanwhile', async () => {
    const counted = () => gateway.observations.filter(({ type }) => type === 'request').length
    const before = counted()
    await talking(gateway.url, async ({ write, answer }) => {
      write(request(COUNT, 'gzip').repeat(3))
      await answer({ within: 60_000 })
    })
    await expect.poll(counted).toBeGreaterThanOrEqual(before + 2)
    expect(await askIn('gzip', '/graphql', post(COUNT))).toMatchObject({ status: 200 })
    expect(gateway.observations.filter(({ type }) => type === 'unexpected')).toEqual([])
  })

  test('those that are too long go out as they are', async () => {
    const fields = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name.repeat(200)}: id`).join(' ')
    const body = JSON.stringify({
      query: `query ($values: [String!]!) { users(values: $values) { ${fields} } }`,
      variables: { values: Array.from({ length: 5_000 }, () => '1') },
    })
    const { headers, body: content } = await askIn('gzip', '/graphql', { ...post(1), body })
    expect(content.length).toBeGreaterThan(4 * 1024 * 1024)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers.vary).toBe('Accept-Encoding')
  })
})

test('an HTTP/1.0 client may ask for it', async () => {
  const lines = 'GET /schema/legacy.xsd HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n'
  const answer = await exchange(gateway.url, lines)
  expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', connection: 'close' })
  expect(contentOf(answer)).toContain('<xs:schema')
})

test.skipIf(!hasProgram('curl'))('curl --compressed undoes it', async () => {
  const run = async (...args: string[]) => {
    const options = { maxBuffer: 10_000_000 }
    return (await promisify(execFile)('curl', ['-s', ...args], options)).stdout
  }
  for (const [, target, { headers = {}, body }] of compressible) {
    const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const args = [gateway.url + target, ...lines, ...(body === undefined ? [] : ['-d', String(body)])]
    expect(timeless(await run('--compressed', ...args)), target).toBe(timeless(await run(...args)))
    const shown = await run('--compressed', '-o', '/dev/null', '-w', '%header{content-encoding}', ...args)
    expect(shown, target).toBe('gzip')
  }
})

test("fetch, and every client on Node's, undoes it", async () => {
  const { headers = {}, body } = post(100)
  const init = { method: 'POST', headers, body: String(body) }
  const response = await fetch(`${gateway.url}/graphql`, init)
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(await response.json()).toMatchObject({ data: { users: { length: 100 } } })
})
