// More is asked at a time than is worked on at a time: the rest is refused at once, in the format asked for.

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, type RawAnswer, requestFor, talking } from './raw.ts'

const MOST = 32
let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway({ MAX_IN_FLIGHT: String(MOST) })
})
afterAll(() => gateway.close())

let asked = 0
/** A look-up that was never asked for: one that is kept would be answered at once. */
const fresh = () => `/?Event=ProfileLookup&Users=1:${1000 + asked++}`
const LOOKUP = '/?Event=ProfileLookup&Users=1'

/** Asks for so many in one packet, all of which are read before the first is answered. */
async function askAtOnce(targets: readonly string[], headers: readonly string[] = []): Promise<RawAnswer[]> {
  return talking(gateway.url, async ({ write, answer }) => {
    write(targets.map((target) => requestFor(target, ['Host: a', ...headers])).join(''))
    const answers: RawAnswer[] = []
    for (const _target of targets) answers.push(await answer())
    return answers
  })
}

test.each([
  ['JSON', LOOKUP, /^\{"Error":\{"Code":"Overloaded","Message":"The service is overloaded/],
  [
    'XML',
    `${LOOKUP}&Format=XML`,
    /<ServiceAPI><Error><Code>Overloaded<\/Code><Message>The service is overloaded/,
  ],
  ['a page', '/', /"Code":"Overloaded"/],
  [
    'GraphQL',
    '/graphql?query={__typename}',
    /^\{"errors":\[\{"message":"The service is overloaded.*"OVERLOADED"\}\}\]\}$/,
  ],
])('%s', async (_name, target, refusal) => {
  const many = [...Array.from({ length: MOST }, fresh), target, target]
  const answers = await askAtOnce(many)
  expect(answers.slice(0, MOST).every(({ status }) => status === 200)).toBe(true)
  for (const { status, headers, body } of answers.slice(MOST)) {
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('1')
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toMatch(refusal)
  }
  // The connection stays, and so does the gateway.
  expect((await exchange(gateway.url, requestFor(LOOKUP))).status).toBe(200)
})

test('GraphQL refuses in the media type that is accepted', async () => {
  const headers = ['Accept: application/graphql-response+json']
  const many = [...Array.from({ length: MOST }, fresh), '/graphql?query={__typename}']
  const refused = (await askAtOnce(many, headers)).at(-1)
  expect(refused?.headers['content-type']).toBe('application/graphql-response+json; charset=utf-8')
})

test.each([
  ['APPLICATION/GraphQL-Response+JSON, application/json', 'graphql-response+json'],
  ['application/json;q=0.9, APPLICATION/GraphQL-Response+JSON', 'graphql-response+json'],
  // As its answers are: the first of equals.
  ['application/json, APPLICATION/GraphQL-Response+JSON', 'json'],
  ['Application/JSON', 'json'],
  ['*/*', 'json'],
])('GraphQL refuses a client that accepts %s with %s', async (accept, type) => {
  const long = `/graphql?query=${'x'.repeat(65_536)}`
  const { status, headers } = await exchange(gateway.url, requestFor(long, ['Host: a', `Accept: ${accept}`]))
  expect(status).toBe(414)
  expect(headers['content-type']).toBe(`application/${type}; charset=utf-8`)
})

test('what is refused is observed as such', () => {
  const refused = gateway.observations.filter(
    (one) => one.type === 'request' && one.about.outcome === 'Overloaded',
  )
  expect(refused).toHaveLength(9)
  expect(refused[0]).toMatchObject({ status: 503, about: { event: 'ProfileLookup', format: 'JSON' } })
})

test('and summed up once a second', async () => {
  const sums = () => gateway.observations.filter(({ type }) => type === 'requests-refused')
  await vi.waitFor(() => expect(sums()).not.toHaveLength(0), 5_000)
  const counted = sums().reduce((sum, one) => sum + (one.type === 'requests-refused' ? one.count : 0), 0)
  expect(counted).toBe(9)
  expect(sums().length).toBeLessThan(9)
})

test('a client that is slow to send a body takes no place from others', async () => {
  const body = '{"query":"{ __typename }"}'
  const headers = ['Host: a', 'Content-Type: application/json', `Content-Length: ${body.length}`]
  const slow = async () =>
    talking(gateway.url, async ({ write, answer }) => {
      write(requestFor('/graphql', headers, 'POST') + body.slice(0, 1))
      await fast
      write(body.slice(1))
      return (await answer()).status
    })
  let others = () => {}
  const fast = new Promise<void>((resolve) => {
    others = resolve
  })
  const statuses = Promise.all(Array.from({ length: MOST + 10 }, slow))
  await pause(500)
  expect((await exchange(gateway.url, requestFor(LOOKUP))).status).toBe(200)
  const posted = await talking(gateway.url, async ({ write, answer }) => {
    write(requestFor('/graphql', headers, 'POST') + body)
    return (await answer()).status
  })
  expect(posted).toBe(200)
  others()
  // All of them at once are too many again, but for those that are answered before the last has come.
  expect(new Set(await statuses)).toContain(200)
})
