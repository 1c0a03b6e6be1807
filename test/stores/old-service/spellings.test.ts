// Spellings of usernames over an old service, whatever it ignores and however it names entries.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rowsOf } from '../../../src/stores/items.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type OldService, startOldService } from '../../old-service/start.ts'
import { openOverOld, valuesIn } from './support.ts'

/** 2^bits spellings of a name that differ in ASCII case. */
const spellings = (name: string, bits: number) =>
  Array.from({ length: 2 ** bits }, (_, mask) =>
    [...name].map((letter, at) => ((mask >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  )

const find = async (url: string, names: readonly string[]) => {
  const { store } = openOverOld(url)
  return rowsOf(await store.findUsers('USERNAME', names)).map((user) => user?.id ?? null)
}

describe.skipIf(!hasProgram('php'))('an old service in PHP', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())

  describe.each([false, true])('that heeds case: %s', (caseSensitive) => {
    describe.each(['asked', 'stored', 'id'] as const)('and names entries as %s', (naming) => {
      test.each(['missing', 'null', 'list'] as const)(
        'finds together what it finds alone, unknown is %s',
        async (unknown) => {
          old.switchTo({ caseSensitive, naming, unknown })
          const names = ['Ada', 'ada', 'nobody', 'ADA', 'mallory', 'Mallory', 'ａｄａ', 'zoë', 'Zoë', 'ada']
          const alone = (await Promise.all(names.map((name) => find(old.url, [name])))).flat()
          expect(alone.slice(0, 4)).toEqual(caseSensitive ? [1, null, null, null] : [1, 1, null, 1])
          expect(await find(old.url, names)).toEqual(alone)
          expect(await find(old.url, names.toReversed())).toEqual(alone.toReversed())
        },
      )

      test('a username that is a number', async () => {
        old.switchTo({ caseSensitive, naming })
        expect(await find(old.url, ['1234', 'Ada', '1', '11'])).toEqual([11, 1, null, null])
      })
    })
  })
})

interface Habits {
  /** What the service takes for the same username. */
  readonly same: (username: string) => string
  readonly name: (asked: string, stored: string) => string
  /** Whether it finds a user for the first of several spellings only. */
  readonly once?: boolean
}

/** A service with the habits that a test gives it. */
async function startService({ same, name, once = false }: Habits, usernames = ['u1', 'Zoë', 'ADA']) {
  const users = usernames.map((Username, at) => ({ ...userOf(String(at + 1)), Username }))
  const service = await startAnswering(({ url = '' }, response) => {
    const found = new Map<string, object>()
    const seen = new Set<object>()
    for (const value of valuesIn(url)) {
      const user = users.find(({ Username }) => same(Username) === same(value))
      if (user === undefined || (once && seen.has(user))) continue
      seen.add(user)
      found.set(name(value, user.Username), user)
    }
    response.end(JSON.stringify(Object.fromEntries(found)))
  })
  onTestFinished(service.close)
  return service
}

const ignoreCase = (username: string) => username.toLowerCase()
const ignoreAccents = (username: string) =>
  username.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
const exact = (username: string) => username
const asStored = (_: string, stored: string) => stored
const asAsked = (asked: string) => asked

describe('a service that', () => {
  const names = ['zoë', 'ZOE', 'Zoë', 'ｚｏｅ', ' zoe', 'ada', 'Ada', 'áda', 'u1', 'Ｕ1', 'x']
  test.each<[string, Habits]>([
    ['ignores case, names as stored', { same: ignoreCase, name: asStored }],
    ['ignores accents and width, names as stored', { same: ignoreAccents, name: asStored }],
    ['ignores accents and width, names as asked', { same: ignoreAccents, name: asAsked }],
    [
      'ignores accents and width, names in lower case',
      { same: ignoreAccents, name: (_, name) => name.toLowerCase() },
    ],
    ['ignores nothing, names as stored', { same: exact, name: asStored }],
    ['ignores case, names the first spelling only', { same: ignoreCase, name: asAsked, once: true }],
    ['ignores accents, names the first spelling only', { same: ignoreAccents, name: asAsked, once: true }],
  ])('%s, finds together what it finds alone', async (_, habits) => {
    const { url } = await startService(habits)
    const alone = (await Promise.all(names.map((name) => find(url, [name])))).flat()
    expect(alone.filter((id) => id !== null).length).toBeGreaterThan(1)
    expect(await find(url, names)).toEqual(alone)
    expect(await find(url, names.toReversed())).toEqual(alone.toReversed())
  })

  test.each([
    ['names as asked', asAsked, 11],
    ['names as stored', asStored, 21],
  ])('%s, is sent 1,024 spellings of a name in few calls', async (_, name, most) => {
    const { url, asked } = await startService({ same: ignoreCase, name }, ['Abcdefghij'])
    const found = await find(url, spellings('abcdefghij', 10))
    expect(new Set(found)).toEqual(new Set([1]))
    expect(asked.length).toBeLessThanOrEqual(most)
  })

  test.each([
    ['numbers that are no ids', () => '99'],
    ['names of its own', () => 'row'],
  ])('names entries by %s is read by what the entries say', async (_, name) => {
    // They overwrite each other, so that a list has one of them only.
    const { url, asked } = await startService({ same: exact, name })
    expect(await find(url, ['u1'])).toEqual([1])
    expect(await find(url, ['u1', 'x', 'ADA'])).toEqual([1, null, 3])
    expect(asked.length).toBeLessThanOrEqual(5)
  })

  // Normalised, the first would take a minute.
  test.each([
    ['a name without an end', (_: string, marks: string) => ({ [`u2${marks}`]: userOf('2') })],
    [
      'an id, and a username without an end',
      (id: string, marks: string) => ({ [id]: { ...userOf(id), Username: marks } }),
    ],
  ])('names entries by %s is a service that fails at once', async (_, entries) => {
    const answer = JSON.stringify(entries('1', '\u0301\u0316'.repeat(200_000)))
    const { url, close } = await startAnswering((_request, response) => void response.end(answer))
    onTestFinished(close)
    await expect(find(url, ['u1'])).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test('names a user that was not asked for is a service that fails', async () => {
    const { url, asked } = await startService({ same: () => '', name: asStored })
    await expect(find(url, ['x'])).rejects.toMatchObject({ code: 'Unavailable' })
    expect(asked).toHaveLength(1)
  })
})
