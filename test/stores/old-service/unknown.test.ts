// Old services whose response is an error if a value is unknown, as the dialect has it.

import { describe, expect, test } from 'vitest'
import { userOf } from '../../kit/answering.ts'
import {
  numbers,
  openOverOld,
  type Respond,
  refusing,
  type Settings,
  serveAnswers,
  startOld,
  usersOf,
} from './support.ts'

const TYPE = 'application/json'
const replyOf = (body: string, status = 404) => ({ status, type: TYPE, body })
const named = replyOf('{"error":"Nothing found for {value}"}')
/** The dialect of a service that has a reply of its own if nothing is found. */
const nothing = (body: string, status = 200): Settings => ({
  nothing: { users: { json: replyOf(body, status) }, apps: { json: replyOf(body, status) } },
})
const isKnown = (value: string) => Number(value) <= 50

/** A service that has the users from 1 to 50. */
const serveKnown = (
  respond: (known: readonly string[], ...rest: Parameters<Respond>) => ReturnType<Respond>,
) => serveAnswers((values, ...rest) => respond(values.filter(isKnown), values, ...rest))

/** It refuses lists with another user. */
const serveRefusing = (say: (missing: readonly string[]) => object | string, status = 404) =>
  serveKnown((known, values, response) => {
    if (known.length === values.length) return usersOf(known)
    response.writeHead(status)
    const said = say(values.filter((value) => !isKnown(value)))
    return typeof said === 'string' ? said : JSON.stringify(said)
  })

describe('an old service that refuses lists with an unknown value', () => {
  test.for([
    ['http', 400],
    ['200', 200],
  ] as const)('is understood, status %s', async ([errorStatus, unknownStatus]) => {
    const { url } = await startOld({ unknown: 'error', errorStatus })
    const { store, find } = openOverOld(url, refusing({ ...named, status: unknownStatus }))
    expect(await find('ID', '99')).toEqual([null])
    expect(await find('ID', '1', '99', '3', '98', '97')).toEqual([1, null, 3, null, null])
    expect(await find('USERNAME', 'nobody', 'Ada', 'x y')).toEqual([null, 1, null])
    expect(await find('CHAT', 'chat-1001', 'x')).toEqual([1, null])
    expect(await find('APP', '2', '99')).toEqual([2, null])
    await store.ready()
  })
})

describe('a refusal', () => {
  test.for([
    ['names the value', '{"error":"Nothing found for {value}"}'],
    ['names it twice', '{"User {value}":"There is no user {value}"}'],
    ['names nothing', '{"Error":"Not found"}'],
    ['is XML', '<Error id="{value}"/>'],
  ])('that %s', async ([, body = '']) => {
    const { url } = await serveRefusing(() => body.replaceAll('{value}', '99'))
    const { find } = openOverOld(url, refusing(replyOf(body)))
    expect(await find('ID', '1', '2', '99', '3', '4')).toEqual([1, 2, null, 3, 4])
  })

  test('that names the value in a page has escaped it', async () => {
    const { url } = await serveRefusing(() => '<p>No x&quot;&#xE9;&#39;&amp;</p>')
    const { find } = openOverOld(url, refusing(replyOf('<p>No {value}</p>')))
    expect(await find('USERNAME', `x"é'&`)).toEqual([null])
    expect(await find('USERNAME', 'other')).toEqual('Unavailable')
  })

  test('that names the value is one more call for one unknown value', async () => {
    const { url, asked } = await serveRefusing(([first]) => ({ error: `Nothing found for ${first}` }))
    const { find, types } = openOverOld(url, refusing(named))
    expect(await find('ID', ...numbers(49), '77')).toEqual([...numbers(49).map(Number), null])
    expect(asked).toHaveLength(2)
    expect(types()).not.toContain('store-failed')
  })

  test.for([':', ', ', ','])(
    'that names all missing values, with "%s" between, is one more call',
    async (between) => {
      const { url, asked } = await serveRefusing((missing) => ({
        error: `Nothing found for ${missing.join(between)}`,
      }))
      const { find } = openOverOld(url, refusing(named))
      // Each second value is unknown: the calls for parts would not suffice.
      const list = numbers(50).flatMap((id) => [id, String(Number(id) + 1000)])
      expect(await find('ID', ...list)).toEqual(list.map((id) => (isKnown(id) ? Number(id) : null)))
      expect(asked).toHaveLength(2)
    },
  )

  test.for([
    ['one value', [...numbers(49), '77', ...numbers(1, 50)], 13],
    // Each second value is unknown, so that each part is refused.
    ['the worst list', numbers(50).flatMap((id) => [id, String(Number(id) + 1000)]), 1 + 64 * 4],
  ] as const)('that names nothing is looked into by parts: %s', async ([, list, most]) => {
    const { url, asked } = await serveRefusing(() => ({ error: 'Not found' }))
    const { find } = openOverOld(url, refusing(replyOf('{"error":"Not found"}')))
    expect(await find('ID', ...list)).toEqual(list.map((id) => (isKnown(id) ? Number(id) : null)))
    expect(asked.length).toBeLessThanOrEqual(most)
  })

  test.for<[string, object]>([
    ['another value', { error: 'Nothing found for 4711' }],
    ['more than the text', { error: 'Nothing found for 99', hint: 'The database is gone' }],
    ['entries beside it', { error: 'Nothing found for 99', 1: userOf('1') }],
    ['a very long text', { error: `Nothing found for ${'9'.repeat(20_000)}` }],
  ])('with %s is an outage', async ([, answer]) => {
    const { find } = openOverOld((await serveRefusing(() => answer)).url, refusing(named))
    expect(await find('ID', '99')).toBe('Unavailable')
    expect(await find('ID', '1', '99', '2')).toEqual([1, 'Unavailable', 2])
  })

  test('with Retry-After is an outage', async () => {
    const { url } = await serveAnswers((_, response) => {
      response.writeHead(404, { 'Retry-After': '9' })
      return { error: 'Nothing found for 99' }
    })
    expect(await openOverOld(url, refusing(named)).find('ID', '99')).toBe('Unavailable')
  })

  test('of lists of which nothing is known says so of all values, in one call', async () => {
    const { url, asked } = await serveKnown((known, values, response) => {
      if (known.length > 0) return usersOf(known)
      response.writeHead(404)
      return { Error: `Unknown: ${values.join(':')}` }
    })
    const { find, types } = openOverOld(url, nothing('{"Error":"Unknown: {value}"}', 404))
    expect(await find('ID', '98', '99')).toEqual([null, null])
    expect(types()).toEqual([])
    expect(await find('ID', '1', '99')).toEqual([1, null])
    expect(asked).toHaveLength(2)
  })
})

describe('an answer in which nothing is found', () => {
  test.for([
    ['null', 'null\n'],
    ['', ''],
  ])('is "%s" if the dialect says so, and an outage otherwise', async ([recorded = '', body = '']) => {
    const { url, asked } = await serveKnown((known) => (known.length === 0 ? body : usersOf(known)))
    const { find } = openOverOld(url, nothing(recorded))
    expect(await find('ID', '98', '99')).toEqual([null, null])
    expect(await find('USERNAME', 'x', 'y')).toEqual([null, null])
    expect(await find('APP', '98', '99')).toEqual([null, null])
    expect(await find('ID', '1', '99')).toEqual([1, null])
    if (recorded === 'null') expect(asked).toHaveLength(4)
    expect(await openOverOld(url).find('ID', '99')).toBe('Unavailable')
  })

  // PHP writes nothing if it cannot encode one row.
  test('and that has no body says nothing of the other values', async () => {
    const { url } = await serveKnown((known) => (known.includes('3') ? '' : usersOf(known)))
    expect(await openOverOld(url, nothing('')).find('ID', '1', '2', '3', '4')).toEqual([1, 2, null, 4])
  })
})

const inWord = {
  'missing.users.json': '{"Error":"No user {value}"}',
  'missing.apps.json': '{"Error":"No app {value}"}',
}
const inObject = { 'missing.json': '{"failed":true,"why":"No user {value}"}' }
const isFound = { 'missing.json': '{"found":false}' }
test.for<[object, Settings, string | null]>([
  [{ Error: 'No user 2' }, inWord, null],
  [{ Error: 'No user 3' }, inWord, 'Unavailable'],
  [{ Error: 'The database is gone' }, inWord, 'Unavailable'],
  [{ failed: true, why: 'No user 2' }, inObject, null],
  [{ found: false }, isFound, null],
  [{ found: true }, isFound, 'Unavailable'],
])('the entry %j of user 2, where the dialect has %j, is %s', async ([entry, dialect, expected]) => {
  const { url } = await serveAnswers(() => ({ 1: userOf('1'), 2: entry }))
  expect(await openOverOld(url, dialect).find('ID', '1', '2')).toEqual([1, expected])
})
