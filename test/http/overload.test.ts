// Requests beyond MAX_IN_FLIGHT are refused at once, in the format they asked for, and counted.

import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { exchange, requestFor, talking } from './raw.ts'

const MOST = 32
const LOOKUP = '/?Event=ProfileLookup&Users=1'
/** Lookups that no cache has answered yet. */
const fresh = Array.from({ length: MOST }, (_, at) => `/?Event=ProfileLookup&Users=1:${1000 + at}`)

/** Sends each request on a warm connection of its own: all of them are read before the first is answered. */
async function sendAtOnce(url: string, targets: readonly string[], headers: readonly string[] = []) {
  const ready = Promise.withResolvers<void>()
  let warm = 0
  return Promise.all(
    targets.map((target) =>
      talking(url, async ({ write, answer }) => {
        write(requestFor('/nowhere'))
        await answer()
        if (++warm === targets.length) ready.resolve()
        await ready.promise
        write(requestFor(target, ['Host: a', ...headers]))
        return answer()
      }),
    ),
  )
}

test.for([
  ['JSON', LOOKUP, /^\{"Error":\{"Code":"Overloaded","Message":"The service is overloaded/],
  ['XML', `${LOOKUP}&Format=XML`, /<ServiceAPI><Error><Code>Overloaded<\/Code><Message>The service/],
  ['a page', '/', /"Code":"Overloaded"/],
  ['GraphQL', '/graphql?query={__typename}', /^\{"errors":\[\{"message":".*"OVERLOADED"\}\}\]\}$/],
] as const)('%s is refused', async ([, target, refusal], { withSettings }) => {
  const { url, observations } = await withSettings({ MAX_IN_FLIGHT: String(MOST) })
  const answers = await sendAtOnce(url, [...fresh, target, target])
  expect(answers.map(({ status }) => status)).toEqual([...Array(MOST).fill(200), 503, 503])
  expect(answers.at(-1)).toMatchObject({
    headers: { 'retry-after': '1', 'cache-control': 'no-store' },
    body: expect.stringMatching(refusal),
  })
  expect(await exchange(url, requestFor(LOOKUP))).toMatchObject({ status: 200 })
  const refused = observations.filter((one) => one.type === 'request' && one.about.outcome === 'Overloaded')
  expect(refused).toMatchObject([{ status: 503 }, { status: 503 }])
})

const GRAPHQL = 'application/graphql-response+json'
test.for([
  ['APPLICATION/GraphQL-Response+JSON, application/json', GRAPHQL],
  ['application/json;q=0.9, APPLICATION/GraphQL-Response+JSON', GRAPHQL],
  // As in its other responses, the first of equals.
  ['application/json, APPLICATION/GraphQL-Response+JSON', 'application/json'],
  ['Application/JSON', 'application/json'],
  ['*/*', 'application/json'],
])('GraphQL refuses a client that accepts %s with %s', async ([accept, type], { withSettings }) => {
  const { url } = await withSettings({ MAX_IN_FLIGHT: String(MOST) })
  const targets = [...fresh, '/graphql?query={__typename}']
  const refused = (await sendAtOnce(url, targets, [`Accept: ${accept}`])).at(-1)
  expect(refused).toMatchObject({ status: 503, headers: { 'content-type': `${type}; charset=utf-8` } })
  const long = requestFor(`/graphql?query=${'x'.repeat(65_536)}`, ['Host: a', `Accept: ${accept}`])
  expect(await exchange(url, long)).toMatchObject({
    status: 414,
    headers: { 'content-type': `${type}; charset=utf-8` },
  })
})
