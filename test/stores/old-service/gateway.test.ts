// A gateway over an old service: its clients see no difference, and none of them changes what another one
// gets.

import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { userOf } from '../../kit/answering.ts'
import { test } from '../../kit/test.ts'
import { caseData } from '../../legacy/support/cases.ts'
import { serveHeld, startOld } from './support.ts'

const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='

async function post(url: string, query: string, variables = {}, accept = '*/*') {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
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

describe('an old service behind a firewall', () => {
  const fire = test.extend('url', async ({ withSettings }) => {
    const old = await startOld({ blocked: '<' })
    return (await withSettings({ DATABASE_URL: old.url })).url
  })

  fire('a list with a name that it refuses is data and an error, and 200', async ({ url }) => {
    const values = ['Ada', '<b>', 'a:b', 'mallory', 'nobody']
    // The query is interpreted at first, and compiled after some uses.
    for (let use = 1; use <= 6; use++)
      for (const accept of ['application/json', 'application/graphql-response+json'])
        expect(await post(url, byNames, { values }, accept)).toEqual({
          status: 200,
          retryAfter: null,
          body: {
            data: { users: [{ id: '1' }, null, null, { id: '3' }, null] },
            errors: [expect.objectContaining({ path: ['users', 1], extensions: { code: 'UNAVAILABLE' } })],
          },
        })
  })

  fire('a name that it refuses is 503 alone, and a name with a colon is unknown', async ({ url }) => {
    expect(await post(url, byNames, { values: ['<b>'] })).toMatchObject({ status: 503, body: { data: null } })
    const unknown = await post(url, byNames, { values: ['a:b'] })
    expect(unknown).toEqual({ status: 200, retryAfter: null, body: { data: { users: [null] } } })
    const refused = await fetch(`${url}/?${byName}%3Cb%3E`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)])
    expect((await fetch(`${url}/?${byName}Ada`)).status).toBe(200)
  })
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

test.for(['Users=1:8:9:10:11', 'MethodOfAccessingUserInformation=username&Users=9:007:10'])(
  'JSON_NUMERIC_CHECK is answered with its own bytes: %s',
  async (query, { withSettings }) => {
    const old = await startOld({ numericCheck: true }, { data: caseData })
    const over = await withSettings({ DATABASE_URL: old.url, 'json.numericTexts': 'number' })
    const read = async (url: string) => (await fetch(`${url}?Event=ProfileLookup&${query}`)).text()
    expect(await read(`${over.url}/`)).toBe(await read(old.url))
  },
)

test('an import names what JSON_NUMERIC_CHECK made numbers of, and leaves it out if wanted', async ({
  place,
}) => {
  const old = await startOld({ numericCheck: true }, { data: caseData })
  const args = ['import', 'users', old.url, '--ids', '6-11', '--rate', '1000']
  const stderr = expect.stringContaining('id 11: Username cannot be 7: it must be a text')
  expect(await place.run(args)).toMatchObject({ status: 1, stderr })
  expect(await place.run([...args, '--skip-invalid', 'rejects.jsonl'])).toMatchObject({ status: 0 })
  const rejects = readFileSync(`${place.path}/rejects.jsonl`, 'utf8').trimEnd().split('\n')
  expect(rejects.map((line) => JSON.parse(line).id)).toEqual(['8', '9', '10', '11'])
})
