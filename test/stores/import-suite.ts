// What src/stores/importer.ts promises, for any store that can be filled.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apps } from '../../src/data/apps.ts'
import type { Cell } from '../../src/data/fields.ts'
import type { Relation } from '../../src/data/relation.ts'
import { users } from '../../src/data/users.ts'
import { usernameKey } from '../../src/model.ts'
import type { Importer } from '../../src/stores/importer.ts'
import type { Awaitable } from '../../src/stores/store.ts'
import { app, importInto, type Row, range, staged, user } from './import-data.ts'

export interface ImportTarget {
  readonly begin: (relation: Relation, replace: boolean) => Awaitable<Importer>
  /** What another connection reads: the columns of the relation, in order, and the derived one. */
  readonly rows: (relation: Relation) => Awaitable<readonly (readonly unknown[])[]>
  readonly close: () => Awaitable<void>
}

const add = false
const replace = true
const withKey = (cells: Row) => [...cells, usernameKey(String(cells[1]))]

/** Two rows that cannot both be there, and the complaint about the second. */
const clashes = [
  ['id', user(1), user(1, 'other', 'other'), 'another user has this id'],
  ['username', user(1, 'Zoë'), user(2, 'Zoë'), 'another user has this username (case does not count)'],
  ['username in another case', user(1, 'Zoë'), user(2, 'ZOE\u0308'), 'another user has this username'],
  ['chatId', user(1, 'a', 'same'), user(2, 'b', 'same'), 'another user has this chatId'],
] as const

export function importSuite(name: string, makeTarget: () => Awaitable<ImportTarget>): void {
  describe(name, () => {
    let target: ImportTarget
    beforeEach(async () => {
      target = await makeTarget()
    })
    afterEach(() => target.close())

    /** @returns the complaints about the rows that were left out, in the order of the rows */
    const put = async (relation: Relation, rows: readonly Row[], how: boolean, together?: number) =>
      (await importInto(await target.begin(relation, how), rows, together)).complaints
    const old = range(1, 5).map((id) => user(id))
    const fillOld = () => put(users, old, replace)

    // Rows are gathered, and many are sent at once; every remainder must go in.
    test.for([0, 1, 31, 32, 33, 1000])('%i rows go in, and rows are added to them', async (count) => {
      const rows = range(1, count).map((id) => user(id))
      expect(await put(users, rows, replace)).toEqual(rows.map(() => null))
      for (const id of [2001, 2002]) expect(await put(users, [user(id)], add)).toEqual([null])
      expect(await target.rows(users)).toEqual([...rows, user(2001), user(2002)].map(withKey))
    })

    test('the extremes come out as they went in, and the other relation stays', async () => {
      await put(apps, [app(1), app(2)], replace)
      await put(apps, [app(3)], replace)
      const rows: Cell[][] = [
        [1, 'İﬀ', '\u{1f338}\n"\'\\,', '', -(2 ** 31), Number.MIN_SAFE_INTEGER, 0, 1],
        [2, '\\N', '\\N', '\\N', 0, 0, 0, 0],
        [3, '\\', '\\\n\\', '\u001a\b\u2028\ufeff\\t\\0', 0, 0, 0, 0],
        [Number.MAX_SAFE_INTEGER, '二', null, 'a\r\nb\t', 2 ** 31 - 1, Number.MAX_SAFE_INTEGER, 1, 0],
      ]
      for (const how of [replace, add]) {
        if (how === add) await put(users, [], replace)
        await put(users, rows, how)
        expect(await target.rows(users)).toEqual(rows.map(withKey))
      }
      expect(await target.rows(apps)).toEqual([app(3)])
    })

    test.for([add, replace])('rows are seen once they are committed: replace %s', async (how) => {
      await fillOld()
      const fresh = range(100, 400).map((id) => user(id))
      for (const end of ['closed at once', 'closed', 'interrupted', 'committed'] as const) {
        const importer = await target.begin(users, how)
        await importer.stage(fresh.map(staged))
        if (end !== 'closed at once') expect(await Array.fromAsync(importer.findProblems())).toEqual([])
        expect(await target.rows(users)).toEqual(old.map(withKey))
        const isAborted = expect.objectContaining({ name: 'AbortError' })
        if (end === 'interrupted')
          await expect(importer.commit({ signal: AbortSignal.abort() })).rejects.toEqual(isAborted)
        if (end === 'committed') await importer.commit()
        await importer.close()
      }
      expect(await target.rows(users)).toEqual([...(how === replace ? [] : old), ...fresh].map(withKey))
    })

    test.for(clashes)('two users with the same %s', async ([, first, second, complaint]) => {
      const says = expect.stringContaining(complaint)
      for (const together of [1, 2, 3]) {
        expect(await put(users, [first, second, user(50)], replace, together)).toEqual([null, says, null])
        expect(await target.rows(users)).toEqual([first, user(50)].map(withKey))
      }
      // A row that is there counts, unless it is replaced.
      await put(users, [first], replace)
      expect(await put(users, [second, user(50)], add)).toEqual([says, null])
      expect(await target.rows(users)).toEqual([first, user(50)].map(withKey))
      expect(await put(users, [second], replace)).toEqual([null])
      expect(await target.rows(users)).toEqual([second].map(withKey))
      // All is as it was if nothing is committed.
      const rows = [first, ...range(1000, 1099).map((id) => user(id)), second]
      const importer = await target.begin(users, replace)
      await importer.stage(rows.map(staged))
      const problem = { line: rows.length, problem: says, source: null }
      expect(await Array.fromAsync(importer.findProblems())).toEqual([problem])
      await importer.close()
      expect(await target.rows(users)).toEqual([second].map(withKey))
    })

    test('users without a chatId do not clash, and apps with the same id do', async () => {
      for (const how of [replace, add]) {
        if (how === add) await put(users, [user(3, 'c', null)], replace)
        expect(await put(users, [user(1, 'a', null), user(2, 'b', null)], how)).toEqual([null, null])
      }
      const rows = [app(1, 'first'), app(1, 'second')]
      expect(await put(apps, rows, replace)).toEqual([null, 'another app has this id'])
      expect(await target.rows(apps)).toEqual([app(1, 'first')])
    })

    test('of several reasons the first is named, and the first line counts', async () => {
      await put(users, [user(1), user(2)], replace)
      const rows = [
        user(1, 'User 2', 'chat-3'), // the id and the username of two rows that are there
        user(3, 'USER 2', 'chat-1'), // the username of one, the chatId of another
        user(4, 'ﬁ', 'chat-2'), // the chatId of one
        user(5, 'FI', 'chat-5'), // the username of the line before
        user(6, 'six', 'six'),
        user(6, 'six', 'six'),
        user(6, 'seven', 'seven'),
        user(8, 'seven', 'eight'), // the username of a line that is left out
        user(9, 'nine', 'nine'),
      ]
      const complaints = await put(users, rows, add)
      expect(complaints.map((complaint) => /this (\w+)/.exec(complaint ?? '')?.[1] ?? null)).toEqual([
        ...['id', 'username', 'chatId', 'username', null],
        ...['id', 'id', 'username', null],
      ])
      expect((await target.rows(users)).map(([id]) => id)).toEqual([1, 2, 6, 9])
    })

    test('invalid records are listed among the clashes by line, with what the file has there', async () => {
      const importer = await target.begin(users, replace)
      const source = JSON.stringify(['\\', '\t"\n', '\u{1f338}', "'"])
      const bad = (line: number) => ({ line, cells: `no row: ${source}`, source })
      await importer.stage([staged(user(1), 0), bad(2), { ...staged(user(1), 2), source }, bad(4)])
      await importer.stage([staged(user(2), 4), bad(6)])
      const reason = 'another user has this id'
      expect(await Array.fromAsync(importer.findProblems())).toEqual(
        [2, 3, 4, 6].map((line) => ({ line, problem: line === 3 ? reason : `no row: ${source}`, source })),
      )
      await importer.commit()
      await importer.close()
      expect(await target.rows(users)).toEqual([user(1), user(2)].map(withKey))
    })

    test('hundreds of rows that clash are each named', async () => {
      const rows = range(1, 600).map((id) => user(id))
      await put(users, rows, replace)
      const again = rows.map(([id, name]) => user(Number(id) + 10_000, String(name), null))
      const reason = 'another user has this username (case does not count)'
      expect(await put(users, [...again, user(5000)], add)).toEqual([...again.map(() => reason), null])
      expect(await target.rows(users)).toHaveLength(601)
    })
  })
}
