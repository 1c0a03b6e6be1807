// Rows with values that no response can carry, and the report about them.

import { expect, test } from 'vitest'
import type { Observation } from '../../src/observe/events.ts'
import { createRowReaders } from '../../src/stores/rows.ts'

function openReaders() {
  const observations: Observation[] = []
  const readers = createRowReaders((observation) => observations.push(observation))
  return { ...readers, observations }
}

const user: unknown[] = [7, 'a', 'A', 1, 1, 1, 0]
const app: unknown[] = [7, 'A', '1.0.0', 1, 'c', 'd']
const bytes = new Uint8Array([55])

test.for<[relation: 'users' | 'apps', at: number, column: string, values: readonly unknown[]]>([
  ['users', 0, 'id', [Number.NaN, 2n ** 53n]],
  ['users', 1, 'username', ['n'.repeat(257)]],
  ['users', 2, 'display_name', [bytes, 'n'.repeat(1_001)]],
  ['users', 3, 'rank', [2 ** 31, -(2 ** 31) - 1, 0.5, '', '0x10']],
  ['users', 4, 'join_date', [2n ** 53n, bytes]],
  ['users', 5, 'is_confirmed', [new Uint8Array([])]],
  ['users', 6, 'banned', ['false']],
  ['apps', 0, 'id', [2n ** 53n]],
  ['apps', 1, 'title', ['n'.repeat(1_001)]],
  ['apps', 2, 'version', ['1'.repeat(1_001)]],
  ['apps', 3, 'category', [2 ** 31]],
  ['apps', 4, 'changelog_link', ['n'.repeat(2_049)]],
  ['apps', 5, 'download_link', ['n'.repeat(2_049)]],
])('a row of %s is refused and reported for column %i, %s: %o', ([relation, at, column, values]) => {
  for (const value of values) {
    const { toUser, toApp, observations } = openReaders()
    const item = relation === 'users' ? toUser(user.with(at, value)) : toApp(app.with(at, value))
    expect(item).toMatchObject({ code: 'Internal' })
    const id = at === 0 ? String(value) : '7'
    expect(observations).toEqual([{ type: 'rows-refused', relation, id, column, count: 1 }])
  }
})

test('the longest texts and the largest numbers are read, and NULLs of a view as nothing', () => {
  const { toUser, toApp } = openReaders()
  const [username, text, link] = [256, 1_000, 2_048].map((length) => 'n'.repeat(length))
  const numbers = { id: 2 ** 53 - 1, rank: -(2 ** 31), joinDate: -(2 ** 53) + 1 }
  expect(toUser([2 ** 53 - 1, username, text, -(2 ** 31), -(2 ** 53) + 1, 1, 0])).toEqual({
    ...{ ...numbers, username, displayName: text, isConfirmed: true, banned: false },
  })
  expect(toApp([1n, text, text, 2 ** 31 - 1, link, link])).toEqual({
    ...{ id: 1, title: text, version: text, category: 2 ** 31 - 1, changelogLink: link, downloadLink: link },
  })
  const empty = { username: '', displayName: '', rank: 0, joinDate: 0, isConfirmed: false, banned: false }
  expect(toUser([1, null, null, null, null, null, null])).toEqual({ id: 1, ...empty })
})
