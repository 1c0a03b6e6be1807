// What old services name entries by, whatever they were asked for.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type OldService, startOldService } from '../../old-service/start.ts'
import { openOverOld, summaryOf, valuesIn } from './support.ts'

describe.skipIf(!hasProgram('php'))('an old service in PHP', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())

  describe.each(['asked', 'stored', 'id'] as const)('that names entries as %s', (naming) => {
    test.each(['missing', 'null'] as const)('is read by each method, unknown is %s', async (unknown) => {
      old.switchTo({ naming, unknown })
      const { store } = openOverOld(old.url)
      expect(summaryOf(await store.findUsers('ID', ['3', '99', '1']))).toEqual([3, null, 1])
      expect(summaryOf(await store.findUsers('ID', ['99']))).toEqual([null])
      expect(summaryOf(await store.findUsers('USERNAME', ['ADA', 'nobody', 'mallory']))).toEqual([1, null, 3])
      expect(summaryOf(await store.findApps(['2', '99']))).toEqual([2, null])
      for (const values of [['chat-1001'], ['x', 'chat-1001', 'chat-1002'], ['x', 'y']]) {
        const found = summaryOf(await store.findUsers('CHAT', values))
        expect(found).toEqual(values.map((value) => ({ 'chat-1001': 1, 'chat-1002': 2 })[value] ?? null))
      }
    })
  })
})

/** Users by chat identifiers, named by their ids. */
async function startById(users: Readonly<Record<string, string>>) {
  const service = await startAnswering(({ url = '' }, response) => {
    const ids = valuesIn(url).flatMap((value) => users[value] ?? [])
    response.end(JSON.stringify(Object.fromEntries(ids.map((id) => [id, userOf(id)]))))
  })
  onTestFinished(service.close)
  return service
}

describe('chat identifiers over a service that names entries by id', () => {
  test('are asked for one by one, once that is known', async () => {
    const { url, asked } = await startById({ a: '11', b: '12', c: '13' })
    const { store } = openOverOld(url)
    expect(summaryOf(await store.findUsers('CHAT', ['a', 'x', 'c', 'b']))).toEqual([11, null, 13, 12])
    expect(asked.length).toBe(5)
    expect(summaryOf(await store.findUsers('CHAT', ['x', 'a', 'b']))).toEqual([null, 11, 12])
    expect(asked.slice(5).map(valuesIn)).toEqual([['x'], ['a'], ['b']])
  })

  test('are asked for one by one from the start, where the dialect says so', async () => {
    const { url, asked } = await startById({ a: '11', b: '12' })
    const { store } = openOverOld(url, { LEGACY_KEYS: 'asked,chat=id' })
    expect(summaryOf(await store.findUsers('CHAT', ['a', 'b']))).toEqual([11, 12])
    expect(asked.map(valuesIn)).toEqual([['a'], ['b']])
  })

  test('that are numbers never give the user of another', async () => {
    // 7 is the identifier of user 5, and 5 is nobody's.
    const { url } = await startById({ 7: '5', 8: '20' })
    const { store } = openOverOld(url)
    expect(summaryOf(await store.findUsers('CHAT', ['5', '7', '8']))).toEqual([null, 5, 20])
    expect(summaryOf(await store.findUsers('CHAT', ['5', '7']))).toEqual([null, 5])
  })
})

test('a username that is the id of another one', async () => {
  const { url, close } = await startAnswering((_, response) => {
    response.end(JSON.stringify({ 5: { ...userOf('11'), Username: '5' } }))
  })
  onTestFinished(close)
  const { store } = openOverOld(url)
  // Named by the username as it is stored: user 5 is not there.
  expect(summaryOf(await store.findUsers('ID', ['5', '11']))).toEqual([null, 11])
})

test('strangers beside what was asked for leave the others in doubt, and these are asked again', async () => {
  const { url, asked, close } = await startAnswering(({ url = '' }, response) => {
    const values = valuesIn(url)
    const warning = values.includes('9') ? { warning: 'slow' } : {}
    const known = values.filter((value) => Number(value) < 5)
    response.end(JSON.stringify({ ...Object.fromEntries(known.map((id) => [id, userOf(id)])), ...warning }))
  })
  onTestFinished(close)
  const { store } = openOverOld(url)
  expect(summaryOf(await store.findUsers('ID', ['1', '7', '2', '9', '8']))).toEqual([
    1,
    null,
    2,
    'Unavailable',
    null,
  ])
  expect(asked.length).toBeLessThanOrEqual(5)
})
