// Rows with values that no response can carry, and the report about them.

import { expect, test } from 'vitest'
import type { Observation } from '../../src/observe/events.ts'
import { createRowReaders } from '../../src/stores/rows.ts'

function openReaders() {
  const observations: Observation[] = []
  const readers = createRowReaders((observation) => observations.push(observation))
  return { ...readers, observations }
}

const user = (id: unknown, rank: unknown = 1, joinDate: unknown = 1) => [id, 'a', 'A', rank, joinDate, 1, 0]
const app = (id: unknown, category: unknown = 1) => [id, 'A', '1.0.0', category, 'c', 'd']
const bytes = new Uint8Array([55])

test.for<[relation: 'users' | 'apps', row: readonly unknown[], column: string, id: string]>([
  ['users', user(Number.NaN), 'id', 'NaN'],
  ['users', user(2n ** 53n), 'id', '9007199254740992'],
  ['users', user(7, 2 ** 31), 'rank', '7'],
  ['users', user(7, -(2 ** 31) - 1), 'rank', '7'],
  ['users', user(7, 0.5), 'rank', '7'],
  ['users', user(7, 1, 2n ** 53n), 'join_date', '7'],
  ['users', user(7, ''), 'rank', '7'],
  ['users', user(7, '0x10'), 'rank', '7'],
  ['users', user(7, 1, bytes), 'join_date', '7'],
  ['users', [7, 'a', bytes, 1, 1, 1, 0], 'display_name', '7'],
  ['users', [7, 'a', 'A', 1, 1, new Uint8Array([]), 0], 'is_confirmed', '7'],
  ['users', [7, 'a', 'A', 1, 1, 1, 'false'], 'banned', '7'],
  ['users', [7, 'n'.repeat(257), 'A', 1, 1, 1, 0], 'username', '7'],
  ['users', [7, 'a', 'n'.repeat(1_001), 1, 1, 1, 0], 'display_name', '7'],
  ['apps', [7, 'n'.repeat(1_001), '1.0.0', 1, 'c', 'd'], 'title', '7'],
  ['apps', [7, 'A', '1'.repeat(1_001), 1, 'c', 'd'], 'version', '7'],
  ['apps', [7, 'A', '1.0.0', 1, 'n'.repeat(2_049), 'd'], 'changelog_link', '7'],
  ['apps', [7, 'A', '1.0.0', 1, 'c', 'n'.repeat(2_049)], 'download_link', '7'],
  ['apps', app(2n ** 53n), 'id', '9007199254740992'],
  ['apps', app(7, 2 ** 31), 'category', '7'],
])('a row of %s is refused and reported: %o', ([relation, row, column, id]) => {
  const { toUser, toApp, observations } = openReaders()
  const read = () => (relation === 'users' ? toUser(row) : toApp(row))
  expect(read()).toMatchObject({ code: 'Internal' })
  expect(observations).toEqual([{ type: 'rows-refused', relation, id, column, count: 1 }])
})

test('the longest texts are read', () => {
  const { toUser, toApp } = openReaders()
  const [username, text, link] = [256, 1_000, 2_048].map((length) => 'n'.repeat(length))
  expect(toUser([7, username, text, 1, 1, 1, 0])).toMatchObject({ username, displayName: text })
  expect(toApp([7, text, text, 1, link, link])).toMatchObject({
    ...{ title: text, version: text, changelogLink: link, downloadLink: link },
  })
})

test('the largest numbers are read, and NULLs of a view as nothing', () => {
  const { toUser, toApp } = openReaders()
  expect(toUser(user(2 ** 53 - 1, -(2 ** 31), -(2 ** 53) + 1))).toMatchObject({
    ...{ id: 2 ** 53 - 1, rank: -(2 ** 31), joinDate: -(2 ** 53) + 1 },
  })
  expect(toApp(app(1n, 2 ** 31 - 1))).toMatchObject({ id: 1, category: 2 ** 31 - 1 })
  const empty = { username: '', displayName: '', rank: 0, joinDate: 0, isConfirmed: false, banned: false }
  expect(toUser([1, null, null, null, null, null, null])).toEqual({ id: 1, ...empty })
  const bare = { title: '', version: '', category: 0, changelogLink: '', downloadLink: '' }
  expect(toApp([1, null, null, null, null, null])).toEqual({ id: 1, ...bare })
})
