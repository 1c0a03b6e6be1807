// How much one address may ask for: off by default, counted in values.

import { request } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { serve } from '../../kit/serving.ts'
import { makeWorkplace } from '../../kit/workplace.ts'
import { exchange, requestFor, talking } from './raw.ts'

interface Reply {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

/** Asks over a connection of its own, from an address of this machine. */
function ask(url: string, target: string, from = '127.0.0.1', forwardedFor?: string): Promise<Reply> {
  const headers = { connection: 'close', ...(forwardedFor && { 'x-forwarded-for': forwardedFor }) }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${target}`, { localAddress: from, headers }, async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body })
    })
    sent.on('error', reject).end()
  })
}

const lookup = (values: number) =>
  `/?Event=ProfileLookup&Users=${Array.from({ length: values }, (_, index) => index + 1).join(':')}`
const graphql = (values: number) =>
  `/graphql?query=${encodeURIComponent(`{ users(values: [${'"1" '.repeat(values)}]) { id } }`)}`

let gateway: Gateway
afterEach(() => gateway.close())

test('off by default', async () => {
  gateway = await startGateway()
  for (let time = 0; time < 30; time++) expect((await ask(gateway.url, lookup(1000))).status).toBe(200)
})

describe('10 values a minute', () => {
  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    gateway = await startGateway({ RATE_LIMIT: '10', ...settings })
  }
  const isUsedUp = async (from?: string, forwardedFor?: string) =>
    (await ask(gateway.url, lookup(1), from, forwardedFor)).status === 429

  test('are counted over both interfaces', async () => {
    await start()
    expect((await ask(gateway.url, lookup(4))).status).toBe(200)
    expect((await ask(gateway.url, graphql(5))).status).toBe(200)
    expect((await ask(gateway.url, lookup(1))).status).toBe(200)
    expect(await isUsedUp()).toBe(true)
  })

  test.each([
    ['a colon, encoded or not', '/?Event=ProfileLookup&Users=1:2%3A3%3a4'],
    ['a list of apps', '/?Event=AppLookup&Apps=1%3A2%3A3:99'],
    ['/explain', '/explain?Event=ProfileLookup&Users=1%3A2:3%3A4'],
    ['a list of GraphQL', '/graphql?query={users(values:["1","2","1","99"]){id}}'],
    [
      'fields of GraphQL',
      '/graphql?query={a:users(values:["1","2"]){id}b:apps(ids:[1]){id}c:apps(ids:[2]){id}}',
    ],
    ['variables of GraphQL', '/graphql?query=query($i:[ID!]!){apps(ids:$i){id}}&variables={"i":[1,2,3,4]}'],
  ])('are each value of %s', async (_what, target) => {
    await start()
    const statuses: number[] = []
    for (let time = 0; time < 4; time++) statuses.push((await ask(gateway.url, target)).status)
    // Of 4 values each, the third one finds 2 left.
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('are refused in the format asked for, with the time to wait', async () => {
    await start()
    await ask(gateway.url, lookup(10))
    const text =
      /^More than 10 values a minute were asked for from your address\. Try again in (\d+) seconds\.$/
    const replies = [lookup(1), `${lookup(1)}&Format=XML`, graphql(1)].map((target) =>
      ask(gateway.url, target),
    )
    const [json, xml, data] = await Promise.all(replies)
    expect(JSON.parse(json?.body ?? '')).toMatchObject({
      Error: { Code: 'TooManyRequests', Message: expect.stringMatching(text) },
    })
    expect(xml?.body).toContain('<ServiceAPI><Error><Code>TooManyRequests</Code>')
    expect(JSON.parse(data?.body ?? '')).toEqual({
      errors: [{ message: expect.stringMatching(text), extensions: { code: 'TOO_MANY_REQUESTS' } }],
    })
    for (const reply of [json, xml, data]) {
      expect(reply?.status).toBe(429)
      expect(Number(reply?.retryAfter)).toBeGreaterThan(50)
      expect(Number(reply?.retryAfter)).toBeLessThanOrEqual(60)
    }
  })

  test('let a larger request in whole, and then none for a while', async () => {
    await start()
    expect((await ask(gateway.url, lookup(1000))).status).toBe(200)
    expect(await isUsedUp()).toBe(true)
  })

  test('count answers that are kept, refused requests and pages, too', async () => {
    await start()
    for (let time = 0; time < 4; time++) await ask(gateway.url, lookup(2))
    await ask(gateway.url, '/?Event=Nope')
    await ask(gateway.url, '/nowhere')
    expect(await isUsedUp()).toBe(true)
  })

  test('are for each address', async () => {
    await start()
    await ask(gateway.url, lookup(10), '127.0.0.2')
    expect(await isUsedUp('127.0.0.2')).toBe(true)
    expect(await isUsedUp('127.0.0.3')).toBe(false)
  })

  test('believe no client that names another address', async () => {
    await start()
    await ask(gateway.url, lookup(10), '127.0.0.1', '198.51.100.1')
    expect(await isUsedUp('127.0.0.1', '198.51.100.2')).toBe(true)
    expect(await isUsedUp('127.0.0.2', '198.51.100.1')).toBe(false)
  })

  test('believe a proxy that is trusted, and only the last address that it cannot vouch for', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1, 192.0.2.0/24' })
    await ask(gateway.url, lookup(10), '127.0.0.1', '203.0.113.9, 198.51.100.1, 192.0.2.7')
    expect(await isUsedUp('127.0.0.1', '198.51.100.1')).toBe(true)
    expect(await isUsedUp('127.0.0.1', '203.0.113.9')).toBe(false)
    expect(await isUsedUp('127.0.0.1', '203.0.113.1, 198.51.100.1')).toBe(true)
    // Another one on this machine is no proxy.
    expect(await isUsedUp('127.0.0.5', '198.51.100.1')).toBe(false)
  })

  test('take an IPv6 network of 64 bits for one client, and mapped IPv4 for IPv4', async () => {
    await start({ TRUSTED_PROXIES: 'loopback' })
    await ask(gateway.url, lookup(10), '127.0.0.1', '2001:db8:1:2::1')
    expect(await isUsedUp('127.0.0.1', '2001:db8:1:2:ffff::9')).toBe(true)
    expect(await isUsedUp('127.0.0.1', '2001:db8:1:3::1')).toBe(false)
    await ask(gateway.url, lookup(10), '127.0.0.1', '::ffff:198.51.100.4')
    expect(await isUsedUp('127.0.0.1', '198.51.100.4')).toBe(true)
  })
})

describe('1,000 values a minute, asked for by many requests at once', () => {
  const post = (values: number): string => {
    const ids = Array.from({ length: values }, (_, index) => String(index + 1))
    const query = 'query ($ids: [String!]!) { users(values: $ids) { id } }'
    const body = JSON.stringify({ query, variables: { ids } })
    return `${requestFor('/graphql', ['Host: a', 'Content-Type: application/json', `Content-Length: ${body.length}`], 'POST')}${body}`
  }
  /** How many of so many requests, on as many connections, are answered. */
  async function answered(count: number, raw: string): Promise<number> {
    gateway = await startGateway({ RATE_LIMIT: '1000' })
    const answers = await Promise.all(Array.from({ length: count }, () => exchange(gateway.url, raw)))
    const statuses = answers.map(({ status }) => status)
    const granted = statuses.filter((status) => status === 200).length
    expect(statuses.filter((status) => status === 429)).toHaveLength(count - granted)
    return granted
  }

  test('a list of 1,000 is answered once', async () => {
    expect(await answered(300, post(1_000))).toBe(1)
    await gateway.close()
    expect(await answered(100, requestFor(lookup(1_000)))).toBe(1)
  })

  test('a list of 100 is answered ten times', async () => {
    expect(await answered(300, post(100))).toBe(10)
    await gateway.close()
    expect(await answered(100, requestFor(lookup(100)))).toBe(10)
  })
})

test('workers count together', async () => {
  gateway = await startGateway()
  const place = makeWorkplace()
  const { shown } = await serve({ cwd: place.path, env: { RATE_LIMIT: '40' } }, '--workers', '2')
  const { origin } = new URL(shown['Legacy JSON'] ?? '')
  const url = origin.replace('localhost', '127.0.0.1')
  const statuses: number[] = []
  for (let time = 0; time < 30; time++) statuses.push((await ask(url, lookup(4))).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.slice(10).every((status) => status === 429)).toBe(true)
  place.remove()
})

test('many at once are counted before any of them is answered', async () => {
  gateway = await startGateway({ RATE_LIMIT: '10' })
  const answers = await talking(gateway.url, async ({ write, answer }) => {
    write(requestFor(lookup(5)).repeat(20))
    const statuses: number[] = []
    while (statuses.length < 20) statuses.push((await answer()).status)
    return statuses
  })
  expect(answers).toEqual([...Array(2).fill(200), ...Array(18).fill(429)])
})

test('an address may come with a port; what is no address at all stands for the proxy', async () => {
  gateway = await startGateway({ RATE_LIMIT: '2', TRUSTED_PROXIES: 'loopback' })
  const statusFor = async (forwardedFor: string) =>
    (await ask(gateway.url, lookup(2), undefined, forwardedFor)).status
  for (const client of ['192.0.2.1:5123', '192.0.2.2:80', '[2001:db8::1]:999', '[2001:db8:1::1]', 'nobody'])
    expect(await statusFor(client), client).toBe(200)
  for (const client of ['192.0.2.1:99', '192.0.2.1', '2001:db8::2', 'somebody'])
    expect(await statusFor(client), client).toBe(429)
})

test('the preflight of a browser is let through: refused, it would hide the refusal', async () => {
  gateway = await startGateway({ RATE_LIMIT: '1' })
  const lookups = [await ask(gateway.url, graphql(1)), await ask(gateway.url, graphql(1))]
  expect(lookups.map(({ status }) => status)).toEqual([200, 429])
  const headers = { origin: 'http://a', 'access-control-request-method': 'POST' }
  const preflight = await fetch(`${gateway.url}/graphql`, { method: 'OPTIONS', headers })
  expect(preflight.status).toBe(204)
  const refused = await fetch(`${gateway.url}${graphql(1)}`)
  expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
})
