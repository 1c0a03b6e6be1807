// What old services name entries by, and which spellings of a username they take for the same.

import { describe, expect, test } from 'vitest'
import { userOf } from '../../kit/answering.ts'
import { openOverOld, serveAnswers, startOld, usersOf, valuesIn } from './support.ts'
import { togetherSuite } from './together.ts'

togetherSuite()

const namings = ['asked', 'stored', 'id'] as const
test.for(
  namings.flatMap((naming) => (['missing', 'null', 'list'] as const).map((unknown) => ({ naming, unknown }))),
)('an old service is read by each method: %j', async ({ unknown, ...rest }) => {
  const switches = { unknown, ...rest }
  const old = await startOld(switches)
  const { find } = openOverOld(old.url)
  expect(await find('ID', '3', '99', '1')).toEqual([3, null, 1])
  expect(await find('ID', '99')).toEqual([null])
  expect(await find('APP', '2', '99')).toEqual([2, null])
  expect(await find('CHAT', 'chat-1001')).toEqual([1])
  expect(await find('CHAT', 'x', 'chat-1001', 'chat-1002')).toEqual([null, 1, 2])
  expect(await find('CHAT', 'x', 'y')).toEqual([null, null])
  const names = ['ADA', 'nobody', 'mallory', 'Ada', 'ａｄａ', 'Zoë']
  expect(await find('USERNAME', ...names)).toEqual([1, null, 3, 1, null, 13])
  // A username may be a number.
  if (unknown === 'missing')
    expect(await find('USERNAME', '1234', 'Ada', '1', '11')).toEqual([11, 1, null, null])
  old.switchTo({ ...switches, caseSensitive: true })
  expect(await find('USERNAME', ...names)).toEqual([null, null, 3, 1, null, 13])
})

describe('over a service that names entries by id, chat identifiers', () => {
  const serveChats = (ids: Readonly<Record<string, string>>) =>
    serveAnswers((values) => usersOf(values.flatMap((value) => ids[value] ?? [])))

  test('are asked for one by one, after all together', async () => {
    const { url, asked } = await serveChats({ a: '11', b: '12', c: '13' })
    expect(await openOverOld(url).find('CHAT', 'a', 'x', 'c', 'b')).toEqual([11, null, 13, 12])
    expect(asked.slice(1).map(valuesIn)).toEqual([['a'], ['x'], ['c'], ['b']])
  })

  test('are asked for one by one from the start, if the dialect says so', async () => {
    const { url, asked } = await serveChats({ a: '11', b: '12' })
    expect(await openOverOld(url, { 'entries.chats': 'id' }).find('CHAT', 'a', 'b')).toEqual([11, 12])
    expect(asked.map(valuesIn)).toEqual([['a'], ['b']])
  })

  test('that are numbers never give the user of another', async () => {
    // 7 is the identifier of user 5, and 5 is nobody's.
    const { find } = openOverOld((await serveChats({ 7: '5', 8: '20' })).url)
    expect(await find('CHAT', '5', '7')).toEqual([null, 5])
    expect(await find('CHAT', '5', '7', '8')).toEqual([null, 5, 20])
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

describe('a service that', () => {
  /** A service of some users. */
  async function serveUsers(
    usernames: readonly string[],
    isSame: (one: string, other: string) => boolean,
    name: (asked: string, stored: string) => string,
  ) {
    const users = usernames.map((Username, at) => ({ ...userOf(String(at + 1)), Username }))
    const service = await serveAnswers((values) => {
      const found = values.flatMap((value) => {
        const user = users.find(({ Username }) => isSame(Username, value))
        return user === undefined ? [] : [[name(value, user.Username), user] as const]
      })
      return Object.fromEntries(found)
    })
    return {
      ...service,
      find: (...names: readonly string[]) => openOverOld(service.url).find('USERNAME', ...names),
    }
  }
  const ignoringCase = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

  test.for([
    ['names as asked', (asked: string) => asked, 11],
    ['names as stored', (_: string, stored: string) => stored, 21],
  ] as const)('%s, is sent 1,024 spellings of a name in few calls', async ([, name, most]) => {
    const { find, asked } = await serveUsers(['Abcdefghij'], ignoringCase, name)
    const spellings = Array.from({ length: 1024 }, (_, mask) =>
      [...'abcdefghij'].map((letter, at) => ((mask >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
    )
    expect(new Set(await find(...spellings))).toEqual(new Set([1]))
    expect(asked.length).toBeLessThanOrEqual(most)
  })

  test('names as stored, is read if its collation takes letters as equal', async () => {
    const { compare } = new Intl.Collator('en', { sensitivity: 'base' })
    const isSame = (one: string, other: string) => compare(one, other) === 0
    const { find } = await serveUsers(['Straße', 'Bjørn', 'Łukasz', 'Æsop'], isSame, (_, stored) => stored)
    expect(await find('strasse', 'x', 'bjorn', 'lukasz', 'aesop')).toEqual([1, null, 2, 3, 4])
    expect(await find('strasse')).toEqual([1])
  })

  test('names a user that was not asked for fails', async () => {
    const { find, asked } = await serveUsers(
      ['u1'],
      () => true,
      (_, stored) => stored,
    )
    expect(await find('x')).toBe('Unavailable')
    expect(asked).toHaveLength(1)
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
})
