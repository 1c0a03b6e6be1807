// What old services name entries by, and which spellings of a username they take for the same.

import { describe, expect, test } from 'vitest'
import { userOf } from '../../kit/answering.ts'
import { openOverOld, serveAnswers, startOld, usersOf, valuesIn } from './support.ts'
import { togetherSuite } from './together.ts'

const namings = ['asked', 'stored', 'id'] as const

describe('an old service', () => {
  test.for(
    namings.flatMap((naming) => (['missing', 'null'] as const).map((unknown) => ({ naming, unknown }))),
  )('is read by each method: %j', async (switches) => {
    const { find } = openOverOld((await startOld(switches)).url)
    expect(await find('ID', '3', '99', '1')).toEqual([3, null, 1])
    expect(await find('ID', '99')).toEqual([null])
    expect(await find('USERNAME', 'ADA', 'nobody', 'mallory')).toEqual([1, null, 3])
    expect(await find('APP', '2', '99')).toEqual([2, null])
    expect(await find('CHAT', 'chat-1001')).toEqual([1])
    expect(await find('CHAT', 'x', 'chat-1001', 'chat-1002')).toEqual([null, 1, 2])
    expect(await find('CHAT', 'x', 'y')).toEqual([null, null])
  })

  const choices = [false, true].flatMap((caseSensitive) =>
    namings.flatMap((naming) =>
      (['missing', 'null', 'list'] as const).map((unknown) => ({ caseSensitive, naming, unknown })),
    ),
  )
  test.for(choices)('finds usernames together as it finds them alone: %j', async (switches) => {
    const { url } = await startOld(switches)
    const find = (names: readonly string[]) => openOverOld(url).find('USERNAME', ...names)
    const names = ['Ada', 'ada', 'nobody', 'ADA', 'mallory', 'Mallory', 'ａｄａ', 'zoë', 'Zoë', 'ada']
    const alone = (await Promise.all(names.map((name) => find([name])))).flat()
    expect(alone.slice(0, 4)).toEqual(switches.caseSensitive ? [1, null, null, null] : [1, 1, null, 1])
    expect(await find(names)).toEqual(alone)
    expect(await find(names.toReversed())).toEqual(alone.toReversed())
    // A username may be a number.
    if (switches.unknown === 'missing')
      expect(await find(['1234', 'Ada', '1', '11'])).toEqual([11, 1, null, null])
  })
})

describe('over a service that names entries by id, chat identifiers', () => {
  const serveChats = (ids: Readonly<Record<string, string>>) =>
    serveAnswers((values) => usersOf(values.flatMap((value) => ids[value] ?? [])))

  test('are asked for one by one, once that is known', async () => {
    const { url, asked } = await serveChats({ a: '11', b: '12', c: '13' })
    const { find } = openOverOld(url)
    expect(await find('CHAT', 'a', 'x', 'c', 'b')).toEqual([11, null, 13, 12])
    expect(asked).toHaveLength(5)
    expect(await find('CHAT', 'x', 'a', 'b')).toEqual([null, 11, 12])
    expect(asked.slice(5).map(valuesIn)).toEqual([['x'], ['a'], ['b']])
  })

  test('are asked for one by one from the start, if the dialect says so', async () => {
    const { url, asked } = await serveChats({ a: '11', b: '12' })
    expect(await openOverOld(url, { LEGACY_KEYS: 'asked,chat=id' }).find('CHAT', 'a', 'b')).toEqual([11, 12])
    expect(asked.map(valuesIn)).toEqual([['a'], ['b']])
  })

  test('that are numbers never give the user of another', async () => {
    // 7 is the identifier of user 5, and 5 is nobody's.
    const { find } = openOverOld((await serveChats({ 7: '5', 8: '20' })).url)
    expect(await find('CHAT', '5', '7', '8')).toEqual([null, 5, 20])
    expect(await find('CHAT', '5', '7')).toEqual([null, 5])
  })
})

test('an entry that is named by a username is not that of a user whose id it is', async () => {
  const { url } = await serveAnswers(() => ({ 5: { ...userOf('11'), Username: '5' } }))
  expect(await openOverOld(url).find('ID', '5', '11')).toEqual([null, 11])
})

test('strangers beside what was asked for leave the others in doubt, and these are asked again', async () => {
  const { url, asked } = await serveAnswers((values) => ({
    ...usersOf(values.filter((value) => Number(value) < 5)),
    ...(values.includes('9') ? { warning: 'slow' } : {}),
  }))
  expect(await openOverOld(url).find('ID', '1', '7', '2', '9', '8')).toEqual([
    1,
    null,
    2,
    'Unavailable',
    null,
  ])
  expect(asked.length).toBeLessThanOrEqual(5)
})

interface Habits {
  /** What the service takes for the same username. */
  readonly same: (username: string) => string
  readonly name: (asked: string, stored: string) => string
  /** Whether it finds a user for the first of several spellings only. */
  readonly once?: boolean
}

/** A service with the habits that a test gives it. */
async function serveHabits({ same, name, once = false }: Habits, usernames = ['u1', 'Zoë', 'ADA']) {
  const users = usernames.map((Username, at) => ({ ...userOf(String(at + 1)), Username }))
  const service = await serveAnswers((values) => {
    const found = new Map<string, object>()
    const seen = new Set<object>()
    for (const value of values) {
      const user = users.find(({ Username }) => same(Username) === same(value))
      if (user === undefined || (once && seen.has(user))) continue
      seen.add(user)
      found.set(name(value, user.Username), user)
    }
    return Object.fromEntries(found)
  })
  return {
    ...service,
    find: (names: readonly string[]) => openOverOld(service.url).find('USERNAME', ...names),
  }
}

const ignoreCase = (username: string) => username.toLowerCase()
const ignoreAccents = (username: string) =>
  username.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
const exact = (username: string) => username
const asStored = (_: string, stored: string) => stored
const asAsked = (asked: string) => asked

describe('a service that', () => {
  test.for<[string, Habits]>([
    ['ignores case, names as stored', { same: ignoreCase, name: asStored }],
    ['ignores accents and width, names as stored', { same: ignoreAccents, name: asStored }],
    ['ignores accents and width, names as asked', { same: ignoreAccents, name: asAsked }],
    ['ignores accents, names in lower case', { same: ignoreAccents, name: (_, name) => name.toLowerCase() }],
    ['ignores nothing, names as stored', { same: exact, name: asStored }],
    ['ignores case, names the first spelling only', { same: ignoreCase, name: asAsked, once: true }],
    ['ignores accents, names the first spelling only', { same: ignoreAccents, name: asAsked, once: true }],
  ])('%s, finds together what it finds alone', async ([, habits]) => {
    const { find } = await serveHabits(habits)
    const names = ['zoë', 'ZOE', 'Zoë', 'ｚｏｅ', ' zoe', 'ada', 'Ada', 'áda', 'u1', 'Ｕ1', 'x']
    const alone = (await Promise.all(names.map((name) => find([name])))).flat()
    expect(alone.filter((id) => id !== null).length).toBeGreaterThan(1)
    expect(await find(names)).toEqual(alone)
    expect(await find(names.toReversed())).toEqual(alone.toReversed())
  })

  test.for([
    ['names as asked', asAsked, 11],
    ['names as stored', asStored, 21],
  ] as const)('%s, is sent 1,024 spellings of a name in few calls', async ([, name, most]) => {
    const { find, asked } = await serveHabits({ same: ignoreCase, name }, ['Abcdefghij'])
    const spellings = Array.from({ length: 1024 }, (_, mask) =>
      [...'abcdefghij'].map((letter, at) => ((mask >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
    )
    expect(new Set(await find(spellings))).toEqual(new Set([1]))
    expect(asked.length).toBeLessThanOrEqual(most)
  })

  test('names as stored, is asked again for the spellings that this leaves open', async () => {
    const { find, asked } = await serveHabits({ same: ignoreCase, name: asStored }, ['Ada'])
    expect(await find(['Ada', 'ADA', 'bob', 'ada', 'Bob'])).toEqual([1, 1, null, 1, null])
    expect(asked.map((target) => target.split('Users=')[1])).toEqual(['Ada:ADA:bob:ada:Bob', 'ADA:ada'])
  })

  // The entries overwrite each other, so that a list has one of them only.
  test.for(['99', 'row'])('names every entry "%s", is read by what the entries say', async (name) => {
    const { find, asked } = await serveHabits({ same: exact, name: () => name })
    expect(await find(['u1'])).toEqual([1])
    expect(await find(['u1', 'x', 'ADA'])).toEqual([1, null, 3])
    expect(asked.length).toBeLessThanOrEqual(5)
  })

  // Normalising the first would take a minute.
  const marks = '\u0301\u0316'.repeat(200_000)
  test.for([{ [`u2${marks}`]: userOf('2') }, { 1: { ...userOf('1'), Username: marks } }])(
    'has a name without an end fails at once: %#',
    async (entries) => {
      const { url } = await serveAnswers(() => entries)
      expect(await openOverOld(url).find('USERNAME', 'u1')).toBe('Unavailable')
    },
  )

  test('names a user that was not asked for fails', async () => {
    const { find, asked } = await serveHabits({ same: () => '', name: asStored })
    expect(await find(['x'])).toBe('Unavailable')
    expect(asked).toHaveLength(1)
  })
})

togetherSuite()
