// How many calls an old service is sent at a time, by one query and by all, and for whom.

import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { User } from '../../../src/data/users.ts'
import type { Item, Question, Store } from '../../../src/stores/store.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { gone, makeCaller } from '../../kit/caller.ts'
import { openOverOld, summaryOf, valuesIn } from './support.ts'

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => String(from + at))

interface Service {
  readonly url: string
  readonly asked: readonly string[]
  /** The most calls that were under way at a time, of those that a test counts. */
  readonly most: () => number
}

type Values = readonly string[]
const all = () => true

/** A service that has all users, takes its time, and refuses lists with numbers from 900 to 999. */
async function startService(
  delay: number | ((values: Values) => number),
  counts: (values: Values) => boolean = all,
): Promise<Service> {
  let open = 0
  let most = 0
  const answer = (values: Values, response: ServerResponse) => {
    if (counts(values)) open--
    if (values.some((value) => /^9\d\d$/.test(value))) response.writeHead(403).end()
    else response.end(JSON.stringify(Object.fromEntries(values.map((value) => [value, userOf(value)]))))
  }
  const service = await startAnswering(({ url = '' }, response) => {
    const values = valuesIn(url)
    if (counts(values)) most = Math.max(most, ++open)
    setTimeout(answer, typeof delay === 'number' ? delay : delay(values), values, response)
  })
  onTestFinished(service.close)
  return { ...service, most: () => most }
}

/** A query that several clients share. */
function share(store: Store, questions: readonly Question[]) {
  const early = new Map<number, readonly Item<User>[]>()
  const values = questions.flatMap((question) => question.values)
  const nextRound = (answered: typeof early | ReadonlyMap<number, readonly Item<User>[]>) => {
    for (const [question, items] of answered) early.set(question, items)
  }
  return { early, found: store.findUsers('ID', values, { questions, nextRound }) }
}

const ask = (...values: string[]): Question => ({ values, caller: null })

test.each([
  ['1', 1],
  ['4', 2],
  ['9', 4],
])('of %s connections one query uses %i', async (connections, most) => {
  const service = await startService(10)
  const { store } = openOverOld(service.url, { DATABASE_CONNECTIONS: connections, DATABASE_MAX_VALUES: '2' })
  expect(summaryOf(await store.findUsers('ID', numbers(30)))).toEqual(numbers(30).map(Number))
  expect(service.asked).toHaveLength(15)
  expect(service.most()).toBe(most)
})

test('another query is answered while one has many calls', async () => {
  const service = await startService(20)
  const { store } = openOverOld(service.url, { DATABASE_MAX_VALUES: '1' })
  const long = store.findUsers('ID', numbers(100))
  await sleep(30)
  const short = await Promise.all(numbers(2, 201).map((id) => store.findUsers('ID', [id])))
  expect(short.map(summaryOf)).toEqual([[201], [202]])
  expect(service.asked.length).toBeLessThan(30)
  expect(service.most()).toBe(4)
  await long
})

test('a query that finds no free connection for too long is Overloaded, and no other is', async () => {
  const service = await startService(500)
  const { store, observations } = openOverOld(service.url, { DATABASE_CONNECTIONS: '2' })
  const busy = Promise.all(['1', '2'].map((id) => store.findUsers('ID', [id])))
  let isAnswered = false
  busy.then(() => {
    isAnswered = true
  })
  await expect(store.findUsers('ID', ['3'])).rejects.toMatchObject({
    code: 'Overloaded',
    status: 503,
    retryAfter: 1,
  })
  expect(isAnswered).toBe(false)
  expect((await busy).map(summaryOf)).toEqual([[1], [2]])
  expect(service.asked).toHaveLength(2)
  expect(observations).toEqual([])
})

test('queries of several calls take turns: each waits for one call of another, not for all', async () => {
  const service = await startService(100)
  const { store } = openOverOld(service.url, { DATABASE_MAX_VALUES: '1' })
  const found = await Promise.all(numbers(4).map(() => store.findUsers('ID', numbers(6))))
  expect(found.map(summaryOf)).toEqual(numbers(4).map(() => [1, 2, 3, 4, 5, 6]))
})

test('repeated calls take half of the connections, whatever queries they are for', async () => {
  const isRepeated = (values: Values) => values.length < 10 && values.join() !== '1'
  const service = await startService((values) => (isRepeated(values) ? 20 : 0), isRepeated)
  const { store } = openOverOld(service.url)
  const queries = numbers(6).map((at) => store.findUsers('ID', [...numbers(20), `90${at}`]))
  expect((await Promise.all(queries)).map((items) => summaryOf(items).at(-1))).toEqual(
    Array(6).fill('Unavailable'),
  )
  expect(service.most()).toBe(2)
})

test('a client is answered as soon as its own values are settled', async () => {
  const service = await startService((values) => (values.some((value) => value.startsWith('9')) ? 30 : 0))
  const { store } = openOverOld(service.url)
  const bad = numbers(30, 900)
  const { early, found } = share(store, [ask('1', '2'), ask(...bad), ask('3'), ask('4', '5')])
  await expect.poll(() => early.size).toBe(3)
  expect([...early.values()].map(summaryOf)).toEqual([[1, 2], [3], [4, 5]])
  const calls = service.asked.length
  expect(summaryOf(await found).slice(2, 32)).toEqual(bad.map(() => 'Unavailable'))
  expect(service.asked.length).toBeGreaterThan(calls)
})

test('no number of clients with failing values fails another one', async () => {
  const service = await startService(0)
  const { store } = openOverOld(service.url)
  // Each list has values that others ask for, too.
  const clients = numbers(64).map((at) =>
    Number(at) % 8 === 0 ? ask(at, '1') : ask(...numbers(30, 900 + Number(at)), '1', String(Number(at) + 1)),
  )
  const items = summaryOf(await share(store, clients).found)
  let next = 0
  for (const { values } of clients) {
    const own = items.slice(next, next + values.length)
    if (values.length === 2) expect(own).toEqual(values.map(Number))
    next += values.length
  }
  // 21 lists of 100 values, twice 64 clients and as many lists, 16 times 4 parts of the lists of clients.
  expect(service.asked.length).toBeLessThanOrEqual(21 + 1 + 2 * (64 + 21) + 16 * 4)
})

test('clients with the same failing list are one', async () => {
  const service = await startService(0)
  const { store } = openOverOld(service.url)
  const clients = [...numbers(40).map(() => ask('999')), ...numbers(10).map((id) => ask(id))]
  const items = summaryOf(await share(store, clients).found)
  expect(items).toEqual([...numbers(40).map(() => 'Unavailable'), ...numbers(10).map(Number)])
  expect(service.asked.length).toBeLessThanOrEqual(12)
})

test('values of clients that have left are not sent again', async () => {
  const leaving = makeCaller()
  const service = await startService(20)
  const { store } = openOverOld(service.url, { DATABASE_CONNECTIONS: '1', DATABASE_MAX_VALUES: '4' })
  const { found } = share(store, [
    { values: ['1', '2', '3', '999'], caller: null },
    { values: ['4', '5', '6', '7', '8', '9', '10', '11'], caller: leaving },
    { values: ['12'], caller: null },
  ])
  await sleep(10)
  leaving.leave()
  expect(summaryOf(await found)).toEqual([...[1, 2, 3, 'Unavailable'], ...Array(8).fill('CallerLeft'), 12])
  expect(service.asked.flatMap(valuesIn).filter((id) => Number(id) > 3 && Number(id) < 12)).toEqual([])
})

test('a client that has left does not leave for the others', async () => {
  const service = await startService(0)
  const { store } = openOverOld(service.url)
  const { found } = share(store, [{ values: ['1'], caller: gone }, ask('999')])
  await expect(found).rejects.toMatchObject({ code: 'Unavailable' })
})

test('a query of which all clients have left makes no call', async () => {
  const service = await startService(0)
  const { store } = openOverOld(service.url)
  const { found } = share(store, [{ values: ['1', '2'], caller: gone }])
  await expect(found).rejects.toMatchObject({ code: 'CallerLeft' })
  expect(service.asked).toEqual([])
})
