// Old services that answer with an error where they have not all of the values, as the dialect says of them.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import type { UnknownHabits } from '../../../src/database-location.ts'
import type { Observation } from '../../../src/observation.ts'
import { openOldServiceStore } from '../../../src/stores/old-service/store.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type OldService, startOldService } from '../../old-service/start.ts'
import { summaryOf, valuesIn } from './support.ts'

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => String(from + at))

function openWith(url: string, habits: UnknownHabits & { readonly keys?: string }) {
  const observations: Observation[] = []
  const { database } = readConfig({ flags: { DATABASE_URL: url } })
  if (database.kind !== 'old-service') throw new Error('not an old service')
  return {
    store: openOldServiceStore({ ...database, habits }, (one) => observations.push(one)),
    observations,
  }
}

const refuse = { unknown: 'refuse', unknownText: 'Nothing found for {value}', unknownStatus: 404 }

/** A service that has the users from 1 to 50, and refuses lists with another. */
async function startRefusing(say: (missing: readonly string[]) => object | string, status = 404) {
  const service = await startAnswering(({ url = '' }, response) => {
    const values = valuesIn(url)
    const missing = values.filter((value) => Number(value) > 50)
    const found = Object.fromEntries(values.map((value) => [value, userOf(value)]))
    if (missing.length === 0) response.end(JSON.stringify(found))
    else response.writeHead(status).end(JSON.stringify(say(missing)))
  })
  onTestFinished(service.close)
  return service
}

describe.skipIf(!hasProgram('php'))('an old service in PHP that refuses lists with an unknown value', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())

  test.each(['http', '200'] as const)('is understood, status %s', async (errorStatus) => {
    old.switchTo({ unknown: 'error', errorStatus })
    const { store } = openWith(old.url, { ...refuse, unknownStatus: errorStatus === '200' ? 200 : 400 })
    expect(summaryOf(await store.findUsers('ID', ['99']))).toEqual([null])
    expect(summaryOf(await store.findUsers('ID', ['1', '99', '3', '98', '97']))).toEqual([
      1,
      null,
      3,
      null,
      null,
    ])
    expect(summaryOf(await store.findUsers('USERNAME', ['nobody', 'Ada', 'x y']))).toEqual([null, 1, null])
    expect(summaryOf(await store.findUsers('CHAT', ['chat-1001', 'x']))).toEqual([1, null])
    expect(summaryOf(await store.findApps(['2', '99']))).toEqual([2, null])
    await store.ready()
  })

  test('is in trouble where it says something else', async () => {
    old.switchTo({ unknown: 'error', maxValues: 2 })
    const { store } = openWith(old.url, { ...refuse, unknownStatus: 404 })
    await expect(store.findUsers('ID', ['99'])).rejects.toMatchObject({ code: 'Unavailable' })
    const other = openWith(old.url, { ...refuse, unknownStatus: null, unknownText: 'No user {value}' })
    await expect(other.store.findUsers('ID', ['99'])).rejects.toMatchObject({ code: 'Unavailable' })
    // More values than it takes.
    const { store: third } = openWith(old.url, { ...refuse, unknownStatus: 400 })
    expect(summaryOf(await third.findUsers('ID', ['1', '99', '3']))).toEqual([1, null, 3])
  })
})

describe('a refusal', () => {
  test.each<[string, object | string, string]>([
    ['names the value', { error: 'Nothing found for 99' }, 'Nothing found for {value}'],
    ['names it in an object', { Error: { Code: 'X', Message: 'Unknown: 99.' } }, 'Unknown: {value}.'],
    ['names nothing', { Error: 'Not found' }, 'Not found'],
  ])('that %s', async (_, answer, unknownText) => {
    const { url } = await startRefusing(() => answer)
    const { store } = openWith(url, { ...refuse, unknownText })
    expect(summaryOf(await store.findUsers('ID', ['1', '2', '99', '3', '4']))).toEqual([1, 2, null, 3, 4])
  })

  test('that is written by a template', async () => {
    const { url } = await startRefusing(() => ({ ErrorCode: 3, ErrorMessage: 'No user "99"' }))
    const errorBody = '{"ErrorCode":3,"ErrorMessage":"{message}"}'
    const { store } = openWith(url, { ...refuse, unknownText: 'No user "{value}"', errorBody })
    expect(summaryOf(await store.findUsers('ID', ['1', '2', '99', '3']))).toEqual([1, 2, null, 3])
  })

  test('that names the value is one more call for one unknown value', async () => {
    const { url, asked } = await startRefusing(([first]) => ({ error: `Nothing found for ${first}` }))
    const { store, observations } = openWith(url, refuse)
    const values = [...numbers(49), '77']
    expect(summaryOf(await store.findUsers('ID', values))).toEqual([...numbers(49).map(Number), null])
    expect(asked).toHaveLength(2)
    expect(observations.map(({ type }) => type)).not.toContain('store-failed')
  })

  test('that names nothing is looked into by parts, as often as the limit says', async () => {
    const { url, asked } = await startRefusing(() => ({ error: 'Not found' }))
    const { store } = openWith(url, { ...refuse, unknownText: 'Not found' })
    const one = [...numbers(49), '77', ...numbers(1, 50)]
    expect(summaryOf(await store.findUsers('ID', one))).toEqual(
      one.map((id) => (id === '77' ? null : Number(id))),
    )
    expect(asked.length).toBeLessThanOrEqual(13)
    // The worst list: each second value is unknown, so that each part is refused.
    const before = asked.length
    const worst = numbers(50).flatMap((id) => [id, String(Number(id) + 1000)])
    const found = summaryOf(await store.findUsers('ID', worst))
    expect(found).toEqual(worst.map((id) => (Number(id) > 50 ? null : Number(id))))
    expect(asked.length - before).toBeLessThanOrEqual(1 + 64 * 4)
  })

  test.each<[string, object | string]>([
    ['another value', { error: 'Nothing found for 4711' }],
    ['another text', { error: 'The database is gone' }],
    ['more than the text', { error: 'Nothing found for 99', hint: 'The database is gone' }],
    ['no value', { error: 'Nothing found for ' }],
    ['entries beside it', { error: 'Nothing found for 99', 1: userOf('1') }],
    ['a very long text', { error: `Nothing found for ${'9'.repeat(20_000)}` }],
  ])('with %s is an outage', async (_, answer) => {
    const { url } = await startRefusing(() => answer)
    const { store } = openWith(url, refuse)
    await expect(store.findUsers('ID', ['99'])).rejects.toMatchObject({ code: 'Unavailable' })
    expect(summaryOf(await store.findUsers('ID', ['1', '99', '2']))).toEqual([1, 'Unavailable', 2])
  })

  test('with Retry-After is an outage', async () => {
    const { url, close } = await startAnswering((_, response) => {
      response.writeHead(404, { 'Retry-After': '9' }).end('{"error":"Nothing found for 99"}')
    })
    onTestFinished(close)
    await expect(openWith(url, refuse).store.findUsers('ID', ['99'])).rejects.toMatchObject({
      code: 'Unavailable',
    })
  })

  test('of lists of which nothing is known says so of all values, in one call', async () => {
    const { url, asked, close } = await startAnswering(({ url = '' }, response) => {
      const values = valuesIn(url)
      const known = values.filter((value) => Number(value) <= 50)
      if (known.length > 0)
        response.end(JSON.stringify(Object.fromEntries(known.map((id) => [id, userOf(id)]))))
      else response.writeHead(404).end(JSON.stringify({ Error: `Unknown: ${values.join(':')}` }))
    })
    onTestFinished(close)
    const { store } = openWith(url, { empty: 'refuse', unknownText: 'Unknown: {value}' })
    expect(summaryOf(await store.findUsers('ID', ['98', '99']))).toEqual([null, null])
    expect(summaryOf(await store.findUsers('ID', ['1', '99']))).toEqual([1, null])
    expect(asked).toHaveLength(2)
  })

  test('in an answer without entries is one with the status of the dialect, and fails with another', async () => {
    const { url, close } = await startAnswering(({ url: query = '' }, response) => {
      const [first = ''] = valuesIn(query)
      response.writeHead(first === '97' ? 500 : 404).end(first === '98' ? '{"1":{}}' : '{}\n')
    })
    onTestFinished(close)
    const { store } = openWith(url, { empty: 'refuse', unknownText: 'Not found', unknownStatus: 404 })
    expect(summaryOf(await store.findUsers('ID', ['99']))).toEqual([null])
    expect(summaryOf(await store.findUsers('USERNAME', ['x', 'y']))).toEqual([null, null])
    for (const id of ['97', '98'])
      await expect(store.findUsers('ID', [id]), id).rejects.toMatchObject({ code: 'Unavailable' })
    const { store: other } = openWith(url, { empty: '{}', unknownText: 'Not found', unknownStatus: 404 })
    await expect(other.findUsers('ID', ['99'])).rejects.toMatchObject({ code: 'Unavailable' })
  })
})

describe('an answer in which nothing is found', () => {
  const answer = async (body: (known: readonly string[], values: readonly string[]) => string) => {
    const service = await startAnswering(({ url = '' }, response) => {
      const values = valuesIn(url)
      response.end(
        body(
          values.filter((value) => Number(value) <= 50),
          values,
        ),
      )
    })
    onTestFinished(service.close)
    return service
  }
  const found = (ids: readonly string[]) =>
    JSON.stringify(Object.fromEntries(ids.map((id) => [id, userOf(id)])))

  test('that is null, where the dialect says so', async () => {
    const { url, asked } = await answer((known) => (known.length === 0 ? 'null\n' : found(known)))
    const { store } = openWith(url, { empty: 'null' })
    expect(summaryOf(await store.findUsers('ID', ['98', '99']))).toEqual([null, null])
    expect(summaryOf(await store.findApps(['98', '99']))).toEqual([null, null])
    expect(summaryOf(await store.findUsers('ID', ['1', '99']))).toEqual([1, null])
    expect(asked).toHaveLength(3)
    const { store: other } = openWith(url, { empty: '[]' })
    await expect(other.findUsers('ID', ['99'])).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test('that has no body, where the dialect says so', async () => {
    const { url } = await answer((known) => (known.length === 0 ? '' : found(known)))
    const { store } = openWith(url, { empty: 'none' })
    expect(summaryOf(await store.findUsers('ID', ['99']))).toEqual([null])
    expect(summaryOf(await store.findUsers('USERNAME', ['x', 'y']))).toEqual([null, null])
    expect(summaryOf(await store.findUsers('ID', ['1', '99']))).toEqual([1, null])
    const { store: other } = openWith(url, { empty: '{}' })
    await expect(other.findUsers('ID', ['99'])).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test('that has no body says nothing of the others, since PHP leaves none of a row that it cannot encode', async () => {
    const { url } = await answer((known, values) => (values.includes('3') ? '' : found(known)))
    const { store } = openWith(url, { empty: 'none' })
    expect(summaryOf(await store.findUsers('ID', ['1', '2', '3', '4', '5']))).toEqual([1, 2, null, 4, 5])
  })

  test('beside null entries, is the error of the dialect', async () => {
    const { url } = await answer((known, values) =>
      known.length === 0
        ? '{"error":"Nobody"}'
        : JSON.stringify(
            Object.fromEntries(values.map((id) => [id, known.includes(id) ? userOf(id) : null])),
          ),
    )
    const { store } = openWith(url, { unknown: 'null', empty: 'refuse', unknownText: 'Nobody' })
    expect(summaryOf(await store.findUsers('ID', ['98', '99']))).toEqual([null, null])
    expect(summaryOf(await store.findUsers('ID', ['1', '99']))).toEqual([1, null])
  })
})

describe('an entry that is an error', () => {
  const inWord = { unknown: 'error', unknownText: 'No user {value} | No app {value}' }
  const find = async (entry: object, habits: UnknownHabits = inWord) => {
    const { url, close } = await startAnswering((_, response) => {
      response.end(JSON.stringify({ 1: userOf('1'), 2: entry }))
    })
    onTestFinished(close)
    const { store } = openWith(url, habits)
    return summaryOf(await store.findUsers('ID', ['1', '2']))
  }
  test('stands for nothing where it says so as the dialect does, and fails otherwise', async () => {
    expect(await find({ Error: 'No user 2' })).toEqual([1, null])
    expect(await find({ Error: 'No user 3' })).toEqual([1, 'Unavailable'])
    expect(await find({ Error: 'The database is gone' })).toEqual([1, 'Unavailable'])
    expect(await find({ Error: 'No app 2' })).toEqual([1, 'Unavailable'])
  })

  test('stands for nothing where it is the object of the dialect, and fails otherwise', async () => {
    const inObject = { unknown: '{"failed":true,"why":"{message}"}', unknownText: 'No user {value}' }
    expect(await find({ failed: true, why: 'No user 2' }, inObject)).toEqual([1, null])
    expect(await find({ failed: false, why: 'No user 2' }, inObject)).toEqual([1, 'Unavailable'])
    expect(await find({ failed: true, why: 'The database is gone' }, inObject)).toEqual([1, 'Unavailable'])
    expect(await find({ Error: 'No user 2' }, inObject)).toEqual([1, 'Unavailable'])
    expect(await find({ found: false }, { unknown: '{"found":false}' })).toEqual([1, null])
    expect(await find({ found: true }, { unknown: '{"found":false}' })).toEqual([1, 'Unavailable'])
  })
})

test('one bad entry fails alone, in one call, and the log has its id', async () => {
  const { url, asked, close } = await startAnswering((_, response) => {
    response.end(JSON.stringify({ 1: userOf('1'), 2: { ...userOf('2'), Rank: 'secret' }, 3: 7, 4: { a: 1 } }))
  })
  onTestFinished(close)
  const { store, observations } = openWith(url, {})
  const found = summaryOf(await store.findUsers('ID', ['1', '2', '3', '4', '5']))
  expect(found).toEqual([1, 'Unavailable', 'Unavailable', 'Unavailable', null])
  expect(asked).toHaveLength(1)
  expect(observations).toMatchObject([
    {
      type: 'store-failed',
      error: { message: 'the old service answers with Rank a string, expected an integer (id 2)' },
    },
  ])
})
