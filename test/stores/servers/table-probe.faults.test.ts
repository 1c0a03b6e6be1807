// Probes look up what requests look up: a table that is away, or locked, is found before any request.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import type { Store } from '../../../src/stores/store.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { engines, fillSample, lock, useDatabases } from '../../kit/engines.ts'

const missing = {
  postgres: (table: string) => `relation "${table}" does not exist.`,
  mysql: (table: string) => `.${table}' doesn't exist.`,
}

describe.for(engines)('$name', (engine) => {
  const makeDatabase = useDatabases(engine)
  let primary: TestDatabase
  let replica: TestDatabase
  beforeAll(async () => {
    primary = await makeDatabase()
    replica = await makeDatabase()
    for (const database of [primary, replica]) await fillSample(database)
  })
  afterAll(() => Promise.all([primary.remove(), replica.remove()]))

  async function watch(...replicas: readonly TestDatabase[]) {
    const seen: Observation[] = []
    const location = engine.locate(primary.url, ...replicas.map(({ url }) => url))
    const store = await openStore(location, (one) => seen.push(one))
    onTestFinished(() => store.close())
    const news = () => seen.filter(({ type }) => type === 'server-out' || type === 'server-back')
    return { store, news }
  }

  test.for(['users', 'apps'])('a replica without %s is found by its probes', async (table) => {
    const { news } = await watch(replica)
    const server = engine.engine.errors.addressOf(replica.url)
    await replica.run(`ALTER TABLE ${table} RENAME TO gone`)
    const reason = expect.stringContaining(missing[engine.kind](table))
    const out = { type: 'server-out', server, reason }
    await expect.poll(news).toEqual([out])
    await replica.run(`ALTER TABLE gone RENAME TO ${table}`)
    await expect.poll(news).toEqual([out, { type: 'server-back', server }])
  })

  test.for([
    ['users', (store) => store.findApps(['1'])],
    ['apps', (store) => store.findUsers('ID', ['1'])],
  ] as const satisfies [string, (store: Store) => unknown][])(
    'a lock on %s keeps no lookup of the other table from its answer',
    async ([table, findOther]) => {
      const { store, news } = await watch()
      const unlock = await lock(engine, primary, table)
      const reason = expect.stringMatching(
        `^${table}: no response within 500 ms. Check whether the table is locked`,
      )
      await expect.poll(news, { timeout: 5000 }).toMatchObject([{ type: 'server-out', reason }])
      const until = performance.now() + 2000
      while (performance.now() < until) expect(await findOther(store)).toHaveLength(1)
      expect(news()).toHaveLength(1)
      await unlock()
      const back = { type: 'server-back' }
      await expect.poll(news, { timeout: 5000 }).toMatchObject([{ type: 'server-out' }, back])
    },
  )

  test('a server where both tables are locked is out', async () => {
    const { store, news } = await watch()
    const unlock = await lock(engine, primary, 'users', 'apps')
    const reason = expect.stringMatching(/^no response within 500 ms\. Check for a locked table/)
    await expect.poll(news, { timeout: 5000 }).toMatchObject([{ type: 'server-out', reason }])
    await expect.poll(() => store.capacity?.()).toBe(0)
    await unlock()
  })
})
