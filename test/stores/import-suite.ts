// What src/stores/importer.ts promises, for any store that can be filled.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apps } from '../../src/data/apps.ts'
import type { Cell } from '../../src/data/fields.ts'
import type { Relation } from '../../src/data/relation.ts'
import { users } from '../../src/data/users.ts'
import { ClashError, type Importer, type ImportOptions, type Row } from '../../src/stores/importer.ts'
import type { Awaitable } from '../../src/stores/store.ts'
import { app, clashes, range, user, withKey } from './import-data.ts'

export interface ImportTarget {
  readonly begin: (relation: Relation, options: ImportOptions) => Awaitable<Importer>
  /** What another connection reads: the columns of the relation, in order, and the derived one. */
  readonly rows: (relation: Relation) => Awaitable<readonly (readonly unknown[])[]>
  readonly close: () => Awaitable<void>
}

const modes = [
  { bulk: false, replace: false },
  { bulk: false, replace: true },
  { bulk: true, replace: true },
] as const

export function importSuite(name: string, makeTarget: () => Awaitable<ImportTarget>): void {
  describe(name, () => {
    let target: ImportTarget
    beforeEach(async () => {
      target = await makeTarget()
    })
    afterEach(() => target.close())

    async function put(
      relation: Relation,
      rows: readonly Row[],
      options: ImportOptions,
      together = Number.POSITIVE_INFINITY,
    ) {
      const importer = await target.begin(relation, options)
      try {
        const complaints: (string | null)[] = rows.map(() => null)
        for (let at = 0; at < rows.length; at += together) {
          for (const { index, reason } of await importer.add(rows.slice(at, at + together)))
            complaints[at + index] = reason
        }
        await importer.commit()
        return complaints
      } finally {
        await importer.close()
      }
    }

    const old = range(1, 5).map((id) => user(id))
    const fillOld = () => put(users, old, { bulk: true, replace: true })

    // A bulk import gathers rows, and sends many at once; every remainder must go in.
    test.for([0, 1, 31, 32, 33, 64, 100, 1000])('%i rows go in, in bulk and one by one', async (count) => {
      const rows = range(1, count).map((id) => user(id))
      for (const bulk of [true, false]) {
        expect(await put(users, rows, { bulk, replace: true })).toEqual(rows.map(() => null))
        expect(await target.rows(users)).toEqual(rows.map(withKey))
      }
    })

    test('rows are added to those that are there', async () => {
      await fillOld()
      expect(await put(users, [user(6)], { bulk: false, replace: false })).toEqual([null])
      expect(await put(users, [user(7)], { bulk: true, replace: false })).toEqual([null])
      expect(await target.rows(users)).toEqual([...old, user(6), user(7)].map(withKey))
    })

    test('the extremes come out as they went in', async () => {
      const rows: Cell[][] = [
        [1, 'İﬀ', '\u{1f338}\n"\'\\,', '', -(2 ** 31), Number.MIN_SAFE_INTEGER, 0, 1],
        [2, '\\N', '\\N', '\\N', 0, 0, 0, 0],
        [3, '\\', '\\\n\\', '\u001a\b\u2028\ufeff\\t\\0', 0, 0, 0, 0],
        [Number.MAX_SAFE_INTEGER, '二', null, 'a\r\nb\t', 2 ** 31 - 1, Number.MAX_SAFE_INTEGER, 1, 0],
      ]
      for (const bulk of [true, false]) {
        await put(users, rows, { bulk, replace: true })
        expect(await target.rows(users)).toEqual(rows.map(withKey))
      }
    })

    test('replacing one relation leaves the other alone', async () => {
      await put(apps, [app(1), app(2)], { bulk: true, replace: true })
      await fillOld()
      await put(apps, [app(3)], { bulk: true, replace: true })
      expect(await target.rows(users)).toEqual(old.map(withKey))
      expect(await target.rows(apps)).toEqual([app(3)])
    })

    for (const options of modes) {
      const how = `${options.bulk ? 'bulk' : 'careful'}${options.replace ? ', replacing' : ''}`

      test(`${how}: rows are seen once they are committed, and not at all if they never are`, async () => {
        await fillOld()
        const fresh = range(100, 400).map((id) => user(id))
        for (const end of ['interrupted', 'closed', 'committed'] as const) {
          const importer = await target.begin(users, options)
          await importer.add(fresh)
          expect(await target.rows(users)).toEqual(old.map(withKey))
          if (end === 'interrupted')
            await expect(importer.commit(AbortSignal.abort())).rejects.toThrow('aborted')
          if (end === 'committed') await importer.commit()
          await importer.close()
        }
        expect(await target.rows(users)).toEqual([...(options.replace ? [] : old), ...fresh].map(withKey))
      })
    }

    describe.for(clashes)('two users with the same %s', ([, first, second, complaint]) => {
      test('careful: the second is refused with the reason, and the others go in', async () => {
        const rows = [first, second, user(50)]
        for (const together of [1, 2, 3]) {
          expect(await put(users, rows, { bulk: false, replace: true }, together)).toEqual([
            null,
            expect.stringContaining(complaint),
            null,
          ])
          expect(await target.rows(users)).toEqual([first, user(50)].map(withKey))
        }
      })

      test('careful: a row that is there already counts, unless it is replaced', async () => {
        await put(users, [first], { bulk: false, replace: false })
        for (const bulk of [false, true]) {
          const [refused] = await put(users, [second], { bulk, replace: false })
          expect(refused).toContain(complaint)
        }
        expect(await target.rows(users)).toEqual([first].map(withKey))
        expect(await put(users, [second], { bulk: false, replace: true })).toEqual([null])
        expect(await target.rows(users)).toEqual([second].map(withKey))
      })

      test.for([0, 100])('bulk: a ClashError, and all is as it was, %i rows apart', async (between) => {
        await fillOld()
        const rows = [first, ...range(1000, 999 + between).map((id) => user(id)), second]
        await expect(put(users, rows, { bulk: true, replace: true })).rejects.toBeInstanceOf(ClashError)
        expect(await target.rows(users)).toEqual(old.map(withKey))
      })
    })

    test('users without a chatId do not clash', async () => {
      const rows = [user(1, 'a', null), user(2, 'b', null)]
      for (const bulk of [false, true]) {
        expect(await put(users, rows, { bulk, replace: true })).toEqual([null, null])
      }
    })

    test('two apps with the same id', async () => {
      const rows = [app(1, 'first'), app(1, 'second')]
      expect(await put(apps, rows, { bulk: false, replace: true })).toEqual([null, 'another app has this id'])
      expect(await target.rows(apps)).toEqual([app(1, 'first')])
      await expect(put(apps, rows, { bulk: true, replace: true })).rejects.toBeInstanceOf(ClashError)
      expect(await target.rows(apps)).toEqual([app(1, 'first')])
    })
  })
}
