// A gateway over an old service: its clients see no difference, and none of them changes what another one
// gets.

import { expect } from 'vitest'
import { userOf } from '../../kit/answering.ts'
import { test } from '../../kit/test.ts'
import { serveHeld, startOld } from './support.ts'

const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='

async function post(url: string, query: string, variables = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, retryAfter, body: await response.json() }
}
const byNames = 'query ($values: [ID!]!) { users(by: USERNAME, values: $values) { id } }'

test.for(
  ['ID', 'XML'].flatMap((format) => [
    `Event=ProfileLookup&Users=1:007:99:2&Format=${format}`,
    `${byName}ADA:s%C3%B8ren:nobody&Format=${format}`,
    `Event=AppLookup&Apps=2:1&Format=${format}`,
    `Event=AppLookup&Apps=99&Format=${format}`,
    `Event=ProfileLookup&Users=x&Format=${format}`,
  ]),
)('%s is answered as over a database', async (query, { gateway, withSettings }) => {
  const over = await withSettings({ DATABASE_URL: (await startOld({ pretty: true })).url })
  const read = async (url: string) => (await fetch(`${url}/?${query}`)).text()
  expect(await read(over.url)).toBe(await read(gateway.url))
})

test('so is GraphQL', async ({ gateway, withSettings }) => {
  const over = await withSettings({ DATABASE_URL: (await startOld()).url })
  const query = '{ users(by: USERNAME, values: ["Ada", "nobody"]) { id joinDate } apps(ids: [1]) { title } }'
  expect(await post(over.url, query)).toEqual(await post(gateway.url, query))
})

test('while the old service is away, the response is 503, and names nothing of it', async ({
  withSettings,
}) => {
  const old = await startOld({ failing: true })
  const { url } = await withSettings({ DATABASE_URL: old.url })
  const response = await fetch(`${url}/?Event=ProfileLookup&Users=1`)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).not.toBeNull()
  expect(await response.text()).not.toMatch(/var\/www|PDO|127\.0\.0\.1/)
  old.switchTo({})
  expect((await fetch(`${url}/?Event=ProfileLookup&Users=1`)).status).toBe(200)
})

test('behind a firewall, a list with a name that it refuses is data and an error, and 200', async ({
  withSettings,
}) => {
  const old = await startOld({ blocked: '<' })
  const { url } = await withSettings({ DATABASE_URL: old.url })
  const values = ['Ada', '<b>', 'a:b', 'mallory', 'nobody']
  expect(await post(url, byNames, { values })).toEqual({
    status: 200,
    retryAfter: null,
    body: {
      data: { users: [{ id: '1' }, null, null, { id: '3' }, null] },
      errors: [expect.objectContaining({ path: ['users', 1], extensions: { code: 'UNAVAILABLE' } })],
    },
  })
  const refused = await fetch(`${url}/?${byName}%3Cb%3E`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)])
})

test('a thousand spellings of a name are few calls, and neighbours are answered meanwhile', async ({
  withSettings,
}) => {
  const isAttack = ([value = '']: readonly string[]) => /^abcdefghij$/i.test(value)
  // Entries are named as users are stored: in lower case.
  const service = await serveHeld(isAttack, (values) =>
    Object.fromEntries(
      values.map((value) => [value.toLowerCase(), { ...userOf('7'), Username: value.toLowerCase() }]),
    ),
  )
  const { url } = await withSettings({ DATABASE_URL: service.url })
  const names = Array.from({ length: 1000 }, (_, mask) =>
    [...'abcdefghij'].map((letter, at) => ((mask >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  )
  const attack = post(url, byNames, { values: names })
  await service.until(2)
  for (let at = 0; at < 20; at++) expect((await fetch(`${url}/?${byName}u${at}`)).status).toBe(200)
  service.open()
  const users = names.map(() => ({ id: '7' }))
  expect(await attack).toEqual({ status: 200, retryAfter: null, body: { data: { users } } })
  // 10 of 100 values. The one with the stored spelling leaves the other spellings unclear.
  expect(service.asked.filter((target) => /=abcdefghij/i.test(target))).toHaveLength(11)
})
