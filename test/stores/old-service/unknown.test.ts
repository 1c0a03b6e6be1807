// Old services that answer with an error if they have not all of the values, as the dialect says of them.

import { describe, expect, test } from 'vitest'
import type { UnknownHabits } from '../../../src/database-location.ts'
import { userOf } from '../../kit/answering.ts'
import { numbers, openOverOld, type Respond, serveAnswers, startOld, usersOf } from './support.ts'

const refuse = { unknown: 'refuse', unknownText: 'Nothing found for {value}', unknownStatus: 404 }
const openWith = (url: string, habits: UnknownHabits) => openOverOld(url, {}, { habits })
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
    return JSON.stringify(say(values.filter((value) => !isKnown(value))))
  })

describe('an old service that refuses lists with an unknown value', () => {
  test.for([
    ['http', 400],
    ['200', 200],
  ] as const)('is understood, status %s', async ([errorStatus, unknownStatus]) => {
    const { url } = await startOld({ unknown: 'error', errorStatus })
    const { store, find } = openWith(url, { ...refuse, unknownStatus })
    expect(await find('ID', '99')).toEqual([null])
    expect(await find('ID', '1', '99', '3', '98', '97')).toEqual([1, null, 3, null, null])
    expect(await find('USERNAME', 'nobody', 'Ada', 'x y')).toEqual([null, 1, null])
    expect(await find('CHAT', 'chat-1001', 'x')).toEqual([1, null])
    expect(await find('APP', '2', '99')).toEqual([2, null])
    await store.ready()
  })

  test.for<[UnknownHabits, values: readonly string[], expected: unknown]>([
    [{ unknownStatus: 404 }, ['99'], 'Unavailable'],
    [{ unknownStatus: null, unknownText: 'No user {value}' }, ['99'], 'Unavailable'],
    // More values than the service takes.
    [{ unknownStatus: 400 }, ['1', '99', '3'], [1, null, 3]],
  ])('is in trouble if it says something else than %j', async ([habits, values, expected]) => {
    const { url } = await startOld({ unknown: 'error', maxValues: 2 })
    expect(await openWith(url, { ...refuse, ...habits }).find('ID', ...values)).toEqual(expected)
  })
})

describe('a refusal', () => {
  const template = '{"ErrorCode":3,"ErrorMessage":"{message}"}'
  test.for<[string, object, UnknownHabits]>([
    ['names the value', { error: 'Nothing found for 99' }, {}],
    ['names it in an object', { Error: { Code: 'X', Message: 'No: 99.' } }, { unknownText: 'No: {value}.' }],
    ['names nothing', { Error: 'Not found' }, { unknownText: 'Not found' }],
    [
      'is written by a template',
      { ErrorCode: 3, ErrorMessage: 'No user "99"' },
      { unknownText: 'No user "{value}"', errorBody: template },
    ],
  ])('that %s', async ([, answer, habits]) => {
    const { url } = await serveRefusing(() => answer)
    const { find } = openWith(url, { ...refuse, ...habits })
    expect(await find('ID', '1', '2', '99', '3', '4')).toEqual([1, 2, null, 3, 4])
  })

  test('that names the value is one more call for one unknown value', async () => {
    const { url, asked } = await serveRefusing(([first]) => ({ error: `Nothing found for ${first}` }))
    const { find, types } = openWith(url, refuse)
    expect(await find('ID', ...numbers(49), '77')).toEqual([...numbers(49).map(Number), null])
    expect(asked).toHaveLength(2)
    expect(types()).not.toContain('store-failed')
  })

  test.for([
    ['one value', [...numbers(49), '77', ...numbers(1, 50)], 13],
    // Each second value is unknown, so that each part is refused.
    ['the worst list', numbers(50).flatMap((id) => [id, String(Number(id) + 1000)]), 1 + 64 * 4],
  ] as const)('that names nothing is looked into by parts: %s', async ([, list, most]) => {
    const { url, asked } = await serveRefusing(() => ({ error: 'Not found' }))
    const { find } = openWith(url, { ...refuse, unknownText: 'Not found' })
    expect(await find('ID', ...list)).toEqual(list.map((id) => (isKnown(id) ? Number(id) : null)))
    expect(asked.length).toBeLessThanOrEqual(most)
  })

  test.for<[string, object]>([
    ['another value', { error: 'Nothing found for 4711' }],
    ['another text', { error: 'The database is gone' }],
    ['more than the text', { error: 'Nothing found for 99', hint: 'The database is gone' }],
    ['no value', { error: 'Nothing found for ' }],
    ['entries beside it', { error: 'Nothing found for 99', 1: userOf('1') }],
    ['a very long text', { error: `Nothing found for ${'9'.repeat(20_000)}` }],
  ])('with %s is an outage', async ([, answer]) => {
    const { find } = openWith((await serveRefusing(() => answer)).url, refuse)
    expect(await find('ID', '99')).toBe('Unavailable')
    expect(await find('ID', '1', '99', '2')).toEqual([1, 'Unavailable', 2])
  })

  test('with Retry-After is an outage', async () => {
    const { url } = await serveAnswers((_, response) => {
      response.writeHead(404, { 'Retry-After': '9' })
      return { error: 'Nothing found for 99' }
    })
    expect(await openWith(url, refuse).find('ID', '99')).toBe('Unavailable')
  })

  test('of lists of which nothing is known says so of all values, in one call', async () => {
    const { url, asked } = await serveKnown((known, values, response) => {
      if (known.length > 0) return usersOf(known)
      response.writeHead(404)
      return { Error: `Unknown: ${values.join(':')}` }
    })
    const { find } = openWith(url, { empty: 'refuse', unknownText: 'Unknown: {value}' })
    expect(await find('ID', '98', '99')).toEqual([null, null])
    expect(await find('ID', '1', '99')).toEqual([1, null])
    expect(asked).toHaveLength(2)
  })

  test('in an answer without entries has the status of the dialect, and fails with another', async () => {
    const { url } = await serveAnswers(([first], response) => {
      response.writeHead(first === '97' ? 500 : 404)
      return first === '98' ? '{"1":{}}' : '{}\n'
    })
    const habits = { unknownText: 'Not found', unknownStatus: 404 }
    const { find } = openWith(url, { empty: 'refuse', ...habits })
    expect(await find('ID', '99')).toEqual([null])
    expect(await find('USERNAME', 'x', 'y')).toEqual([null, null])
    for (const id of ['97', '98']) expect(await find('ID', id)).toBe('Unavailable')
    expect(await openWith(url, { empty: '{}', ...habits }).find('ID', '99')).toBe('Unavailable')
  })
})

describe('an answer in which nothing is found', () => {
  test.for([
    ['null', 'null\n', '[]'],
    ['none', '', '{}'],
  ] as const)('is %s if the dialect says so, and an outage otherwise', async ([empty, body, other]) => {
    const { url, asked } = await serveKnown((known) => (known.length === 0 ? body : usersOf(known)))
    const { find } = openWith(url, { empty })
    expect(await find('ID', '98', '99')).toEqual([null, null])
    expect(await find('USERNAME', 'x', 'y')).toEqual([null, null])
    expect(await find('APP', '98', '99')).toEqual([null, null])
    expect(await find('ID', '1', '99')).toEqual([1, null])
    if (empty === 'null') expect(asked).toHaveLength(4)
    expect(await openWith(url, { empty: other }).find('ID', '99')).toBe('Unavailable')
  })

  // PHP writes nothing if it cannot encode one row.
  test('and that has no body says nothing of the other values', async () => {
    const { url } = await serveKnown((known) => (known.includes('3') ? '' : usersOf(known)))
    expect(await openWith(url, { empty: 'none' }).find('ID', '1', '2', '3', '4')).toEqual([1, 2, null, 4])
  })

  test('is the error of the dialect, beside null entries', async () => {
    const { url } = await serveKnown((known, values) => {
      if (known.length === 0) return { error: 'Nobody' }
      return Object.fromEntries(values.map((id) => [id, isKnown(id) ? userOf(id) : null]))
    })
    const { find } = openWith(url, { unknown: 'null', empty: 'refuse', unknownText: 'Nobody' })
    expect(await find('ID', '98', '99')).toEqual([null, null])
    expect(await find('ID', '1', '99')).toEqual([1, null])
  })
})

const inWord = { unknown: 'error', unknownText: 'No user {value} | No app {value}' }
const inObject = { unknown: '{"failed":true,"why":"{message}"}', unknownText: 'No user {value}' }
const isFound = { unknown: '{"found":false}' }
test.for<[object, UnknownHabits, string | null]>([
  [{ Error: 'No user 2' }, inWord, null],
  [{ Error: 'No user 3' }, inWord, 'Unavailable'],
  [{ Error: 'The database is gone' }, inWord, 'Unavailable'],
  [{ Error: 'No app 2' }, inWord, 'Unavailable'],
  [{ failed: true, why: 'No user 2' }, inObject, null],
  [{ failed: false, why: 'No user 2' }, inObject, 'Unavailable'],
  [{ failed: true, why: 'The database is gone' }, inObject, 'Unavailable'],
  [{ Error: 'No user 2' }, inObject, 'Unavailable'],
  [{ found: false }, isFound, null],
  [{ found: true }, isFound, 'Unavailable'],
])('the entry %j of user 2, where the dialect has %j, is %s', async ([entry, habits, expected]) => {
  const { url } = await serveAnswers(() => ({ 1: userOf('1'), 2: entry }))
  expect(await openWith(url, habits).find('ID', '1', '2')).toEqual([1, expected])
})
