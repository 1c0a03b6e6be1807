// A table that is missing or locked, as the probes of each engine find it.

import { describe, expect, test } from 'vitest'
import { engines, fillSample, lock, openDatabase, useDatabase, watchStore } from '../../kit/engines.ts'

const missing = {
  postgres: (table: string) => `relation "${table}" does not exist.`,
  mysql: (table: string) => `.${table}' doesn't exist.`,
}

describe.for(engines)('$name', (engine) => {
  const primary = useDatabase(engine, fillSample)
  const watch = async (...replicas: readonly string[]) => {
    const { store, of } = await watchStore({
      ...engine.locate(primary().url, ...replicas),
      timeout: 1000,
    })
    return { store, news: () => of('server-out', 'server-back') }
  }

  test.for(['users', 'apps'])('a replica without %s is out until the table is back', async (table) => {
    const replica = await openDatabase(engine, fillSample)
    const { news } = await watch(replica.url)
    const server = engine.engine.errors.addressOf(replica.url)
    await replica.run(`ALTER TABLE ${table} RENAME TO gone`)
    const reason = expect.stringContaining(missing[engine.kind](table))
    const out = { type: 'server-out', server, reason }
    await expect.poll(news).toEqual([out])
    await replica.run(`ALTER TABLE gone RENAME TO ${table}`)
    await expect.poll(news).toEqual([out, { type: 'server-back', server }])
  })

  test('a lock on users does not delay lookups of apps', async () => {
    const { store, news } = await watch()
    const unlock = await lock(engine, primary(), 'users')
    const reason = expect.stringMatching(
      /^users: no response within 500 ms. Check whether the table is locked/,
    )
    await expect.poll(news, { timeout: 5000 }).toMatchObject([{ type: 'server-out', reason }])
    for (let time = 0; time < 50; time++) expect(await store.findApps(['1'])).toHaveLength(1)
    expect(news()).toHaveLength(1)
    await unlock()
    await expect.poll(news, { timeout: 5000 }).toMatchObject([{}, { type: 'server-back' }])
  })

  test('a server where both tables are locked is out', async () => {
    const { store, news } = await watch()
    await lock(engine, primary(), 'users', 'apps')
    const reason = expect.stringMatching(/^no response within 500 ms\./)
    await expect.poll(news, { timeout: 5000 }).toMatchObject([{ type: 'server-out', reason }])
    await expect.poll(() => store.capacity?.()).toBe(0)
  })
})
