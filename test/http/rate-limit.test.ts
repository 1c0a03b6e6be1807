// RATE_LIMIT: the values that one address may look up in a minute. Off by default.

import { request } from 'node:http'
import { describe, expect } from 'vitest'
import { test } from '../kit/test.ts'
import { exchange, requestFor } from './raw.ts'

/** Asks over a connection of its own, from an address of this machine. */
function ask(url: string, target: string, from = '127.0.0.1', forwardedFor?: string) {
  const headers = { connection: 'close', ...(forwardedFor && { 'x-forwarded-for': forwardedFor }) }
  return new Promise<{ status: number; retryAfter: number; body: string }>((resolve, reject) => {
    const sent = request(`${url}${target}`, { localAddress: from, headers }, async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      const retryAfter = Number(response.headers['retry-after'])
      resolve({ status: response.statusCode ?? 0, retryAfter, body })
    })
    sent.on('error', reject).end()
  })
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))
const lookup = (values: number) => `/?Event=ProfileLookup&Users=${numbers(values).join(':')}`
const graphql = (values: number) =>
  `/graphql?query=${encodeURIComponent(`{ users(values: [${'"1" '.repeat(values)}]) { id } }`)}`

describe('10 values a minute', () => {
  const QUERY = '/graphql?query='
  const inVariables = `${QUERY}query($i:[ID!]!){apps(ids:$i){id}}&variables={"i":[1,2,3,4]}`
  test.for([
    ['both interfaces', [200, 200, 200, 429], lookup(4), graphql(5), lookup(1), lookup(1)],
    ['a larger request, which is answered whole', [200, 429], lookup(1000), lookup(1)],
    ['kept responses', [200, 200, 200, 429], lookup(4), lookup(4), lookup(4), lookup(4)],
    ['errors', [200, 400, 404, 429], lookup(8), '/?Event=Nope', '/nowhere', lookup(1)],
    ['a list, encoded or not', [200, 200, 200, 429], '/?Event=ProfileLookup&Users=1:2%3A3%3a4'],
    ['apps', [200, 200, 200, 429], '/?Event=AppLookup&Apps=1%3A2%3A3:99'],
    ['/explain', [200, 200, 200, 429], '/explain?Event=ProfileLookup&Users=1%3A2:3%3A4'],
    ['a list of GraphQL', [200, 200, 200, 429], `${QUERY}{users(values:["1","2","1","99"]){id}}`],
    ['fields', [200, 200, 200, 429], `${QUERY}{a:users(values:["1","2"]){id}b:apps(ids:[1,2]){id}}`],
    ['variables', [200, 200, 200, 429], inVariables],
  ] as const)('count each value of %s', async ([, statuses, first, ...others], { withSettings }) => {
    const { url } = await withSettings({ RATE_LIMIT: '10' })
    for (const [at, status] of statuses.entries()) {
      const target = others.length === 0 ? first : [first, ...others][at]
      expect(await ask(url, target ?? ''), target).toMatchObject({ status })
    }
  })

  test('each of two workers allows its share', async ({ withSettings }) => {
    const { url } = await withSettings({ RATE_LIMIT: '10', WORKERS: '2' })
    expect(await ask(url, lookup(5))).toMatchObject({ status: 200 })
    expect(await ask(url, lookup(1))).toMatchObject({
      status: 429,
      body: expect.stringContaining('10 values'),
    })
  })

  test('a refusal has the format of the request, and the time to wait', async ({ withSettings }) => {
    const { url } = await withSettings({ RATE_LIMIT: '10' })
    await ask(url, lookup(10))
    const wait = String.raw`More than 10 values a minute were asked for from your address. Try again in (5\d|60) seconds.`
    for (const [target, body] of [
      [lookup(1), `^{"Error":{"Code":"TooManyRequests","Message":"${wait}"}}$`],
      [`${lookup(1)}&Format=XML`, `<Error><Code>TooManyRequests</Code><Message>${wait}</Message></Error>`],
      [graphql(1), `^{"errors":\\[{"message":"${wait}","extensions":{"code":"TOO_MANY_REQUESTS"}}\\]}$`],
    ] as const) {
      const reply = await ask(url, target)
      expect(reply).toMatchObject({ status: 429, body: expect.stringMatching(new RegExp(body)) })
      expect(reply.body).toContain(`in ${reply.retryAfter} seconds`)
    }
  })

  const proxies = '127.0.0.1, 192.0.2.0/24'
  const made = Array(100).fill('203.0.113.9, ').join('')
  const viaProxy = '127.0.0.1 203.0.113.9, 198.51.100.1, 192.0.2.7'
  // An address that connects, and then the X-Forwarded-For that it sends.
  test.for([
    ['each address', '', '127.0.0.2', '127.0.0.2', 429],
    ['each address', '', '127.0.0.2', '127.0.0.3', 200],
    ['clients that name another address', '', '127.0.0.1 198.51.100.1', '127.0.0.1 198.51.100.2', 429],
    ['clients that name another address', '', '127.0.0.1 198.51.100.1', '127.0.0.2 198.51.100.1', 200],
    ['the address that a proxy names', proxies, viaProxy, '127.0.0.1 198.51.100.1', 429],
    ['the address that a proxy names', proxies, viaProxy, '127.0.0.1 203.0.113.1, 198.51.100.1', 429],
    ['the address that a proxy names', proxies, viaProxy, '127.0.0.1 203.0.113.9', 200],
    ['the address that a proxy names', proxies, viaProxy, '127.0.0.5 198.51.100.1', 200],
    ['the address at the end of a long list', proxies, viaProxy, `127.0.0.1 ${made}198.51.100.1`, 429],
    ['IPv6 networks of 64 bits', 'loopback', '127.0.0.1 2001:db8:1:2::1', '127.0.0.1 2001:db8:1:2:f::9', 429],
    ['IPv6 with a port', 'loopback', '127.0.0.1 2001:db8:1:2::1', '127.0.0.1 [2001:db8:1:2::7]:99', 429],
    ['IPv6 networks of 64 bits', 'loopback', '127.0.0.1 2001:db8:1:2::1', '127.0.0.1 2001:db8:1:3::1', 200],
    ['mapped IPv4', 'loopback', '127.0.0.1 ::ffff:198.51.100.4', '127.0.0.1 198.51.100.4', 429],
    ['IPv4 with a port', 'loopback', '127.0.0.1 198.51.100.4', '127.0.0.1 198.51.100.4:5123', 429],
    ['a proxy that names no address', 'loopback', '127.0.0.1 nobody', '127.0.0.1 somebody', 429],
    ['a proxy that names no address', 'loopback', '127.0.0.1 nobody', '127.0.0.1 192.0.2.1', 200],
  ] as const)('count for %s: TRUSTED_PROXIES=%s, %s, %s is %i', async (row, { withSettings }) => {
    const [, trusted, used, other, status] = row
    const { url } = await withSettings({ RATE_LIMIT: '10', TRUSTED_PROXIES: trusted })
    const askAs = (client: string) => {
      const [, from = '', forwardedFor = ''] = /^(\S+) ?(.*)/.exec(client) ?? []
      return ask(url, lookup(10), from, forwardedFor)
    }
    expect(await askAs(used)).toMatchObject({ status: 200 })
    expect(await askAs(other)).toMatchObject({ status })
  })
})

test('many requests at once are counted before any of them is answered', async ({ withSettings }) => {
  const post = (values: number) => {
    const query = 'query ($ids: [ID!]!) { users(values: $ids) { id } }'
    const body = JSON.stringify({ query, variables: { ids: numbers(values) } })
    const headers = ['Host: a', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    return requestFor('/graphql', headers, 'POST') + body
  }
  for (const [values, answered] of [
    [1_000, 1],
    [100, 10],
  ] as const)
    for (const bytes of [post(values), requestFor(lookup(values))]) {
      const { url } = await withSettings({ RATE_LIMIT: '1000' })
      const answers = await Promise.all(Array.from({ length: 60 }, () => exchange(url, bytes)))
      // A busy machine refuses some of them as overload.
      const statuses = answers.map(({ status }) => status).filter((status) => status !== 503)
      const refused = Array(statuses.length - answered).fill(429)
      expect(statuses.toSorted()).toEqual([...Array(answered).fill(200), ...refused])
    }
})

test('a preflight is let through: refused, it would hide the refusal', async ({ withSettings }) => {
  const { url } = await withSettings({ RATE_LIMIT: '1' })
  for (const status of [200, 429]) expect(await ask(url, graphql(1))).toMatchObject({ status })
  const headers = { origin: 'http://a', 'access-control-request-method': 'POST' }
  expect(await fetch(`${url}/graphql`, { method: 'OPTIONS', headers })).toMatchObject({ status: 204 })
  const refused = await fetch(`${url}${graphql(1)}`)
  expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
})
