// Over a store that answers later, what is asked while it is busy shares a query. The store is real, and busy
// because a table is locked.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLookups, type Lookups } from '../../../src/gateway/loaders/lookups.ts'
import { rowsOf } from '../../../src/stores/items.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import type { Store } from '../../../src/stores/store.ts'
import { makeCaller } from '../../kit/caller.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { engines, fillSample, lock, useDatabases } from '../../kit/engines.ts'

// What waits for 200 ms is refused. A machine that stalls for so long between two lines of a test is tried again.
describe.for(engines)('$name', { retry: 3 }, (engine) => {
  const makeDatabase = useDatabases(engine)
  let database: TestDatabase
  let store: Store
  let lookups: Lookups
  /** What the store was asked, in order. */
  let queries: (readonly string[])[]
  beforeEach(async () => {
    database = await makeDatabase()
    await fillSample(database)
    store = await openStore({ ...database.location, connections: 2 }, () => {})
    queries = []
    const recorded: Store = {
      ...store,
      findUsers: (by, values) => {
        queries.push(values)
        return store.findUsers(by, values)
      },
      findApps: (ids) => {
        queries.push(ids)
        return store.findApps(ids)
      },
    }
    lookups = createLookups(recorded, () => {})
    await Promise.all([lookups.findUsers('ID', ['1']), lookups.findApps(['1'])]) // both connections are there
    queries.length = 0
  })
  afterEach(async () => {
    await store.close()
    await database.remove()
  })

  /** Keeps lookups of users waiting, and both connections with them. */
  async function keepBusy(): Promise<{ readonly release: () => Promise<void> }> {
    const unlock = await lock(engine, database, 'users')
    const waiting = () => database.run(engine.words.asking('%FROM%users%WHERE%'))
    const first = lookups.findUsers('ID', ['1'])
    await expect.poll(waiting, { interval: 1 }).toHaveLength(1)
    const second = lookups.findUsers('USERNAME', ['ada'])
    await expect.poll(waiting, { interval: 1 }).toHaveLength(2)
    const release = async () => {
      await unlock()
      await Promise.all([first, second])
    }
    return { release }
  }

  const ids = (count: number) => Array.from({ length: count }, (_, index) => String(1 + (index % 14)))
  const idOf = (id: string) => (Number(id) <= 13 ? Number(id) : null)

  test('what comes while it is busy shares queries, and each gets its own answer', async () => {
    const { release } = await keepBusy()
    const asked = ids(200)
    const answers = asked.map(async (id) =>
      rowsOf(await lookups.findUsers('ID', [id, '99'])).map((user) => user?.id ?? null),
    )
    await release()
    expect(await Promise.all(answers)).toEqual(asked.map((id) => [idOf(id), null]))
    const [, , ...merged] = queries
    expect(merged.map((values) => values.length / 2)).toEqual([64, 64, 64, 8])
  })

  test('a lone request waits for no other', async () => {
    expect(await lookups.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
    expect(queries).toEqual([['1']])
  })

  describe('a long list', () => {
    test('is a query of its own, and requests for few values do not wait for it', async () => {
      const { release } = await keepBusy()
      const long = ids(1000)
      const [first, second] = [lookups.findUsers('ID', long), lookups.findUsers('ID', ['2'])]
      const third = lookups.findUsers('ID', ['3'])
      await release()
      expect(rowsOf(await first).map((user) => user?.id ?? null)).toEqual(long.map(idOf))
      expect([await second, await third]).toMatchObject([[{ id: 2 }], [{ id: 3 }]])
      expect(queries.slice(2)).toEqual([long, ['2', '3']])
    })
  })

  test('all kinds of lookups wait in one line', async () => {
    const { release } = await keepBusy()
    const app = lookups.findApps(['1'])
    const user = lookups.findUsers('CHAT', ['chat-1001'])
    await release()
    expect([await app, await user]).toMatchObject([[{ id: 1 }], [{ id: 1 }]])
    expect(queries.slice(2)).toEqual([['1'], ['chat-1001']])
  })

  test('what waits for too long is refused, and what comes later is answered', async () => {
    const { release } = await keepBusy()
    const waiting = ['1', '2'].map((id) => lookups.findUsers('ID', [id]))
    for (const outcome of await Promise.allSettled(waiting))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'Overloaded', status: 503 } })
    const late = lookups.findUsers('ID', ['3'])
    await release()
    expect(await late).toMatchObject([{ id: 3 }])
    // Requests that were refused have not been asked for.
    expect(queries.slice(2)).toEqual([['3']])
  })

  test('values of a client that leaves are not asked for, and the others are', async () => {
    const { release } = await keepBusy()
    const leaving = makeCaller()
    const staying = makeCaller()
    const gone = lookups.findUsers('ID', ['5', '6'], leaving)
    const here = lookups.findUsers('ID', ['7'], staying)
    const alone = lookups.findApps(['1'], leaving)
    leaving.leave()
    const outcomes = Promise.allSettled([gone, here, alone])
    await release()
    expect(await outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'CallerLeft' } },
      { status: 'fulfilled', value: [{ id: 7 }] },
      { status: 'rejected', reason: { code: 'CallerLeft' } },
    ])
    expect(queries.slice(2)).toEqual([['7']])
    // The room they would have taken is free.
    expect(await Promise.all(ids(10).map((id) => lookups.findUsers('ID', [id])))).toHaveLength(10)
  })

  test('a failed query is the failure of the requests that shared it, and of no other', async () => {
    await database.run('ALTER TABLE users RENAME TO gone')
    const outcomes = await Promise.allSettled([lookups.findUsers('ID', ['1']), lookups.findApps(['1'])])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'Unavailable' } },
      { status: 'fulfilled', value: [{ id: 1 }] },
    ])
    await database.run('ALTER TABLE gone RENAME TO users')
    await expect.poll(() => lookups.findUsers('ID', ['1']).catch(() => null)).toMatchObject([{ id: 1 }])
  })

  test('where the row of one cannot be read, the others are answered', async () => {
    await database.run('UPDATE users SET join_date = 9007199254740993 WHERE id = 2')
    const { release } = await keepBusy()
    const outcomes = Promise.allSettled(
      [['1'], ['2', '3'], ['3', '99']].map((list) => lookups.findUsers('ID', list)),
    )
    await release()
    expect(await outcomes).toMatchObject([
      { status: 'fulfilled', value: [{ id: 1 }] },
      { status: 'fulfilled', value: [{ code: 'Internal' }, { id: 3 }] },
      { status: 'fulfilled', value: [{ id: 3 }, null] },
    ])
  })
})
