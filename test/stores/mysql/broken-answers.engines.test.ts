// What is no response to a lookup is an outage: it is never taken for "nothing matches", and never ends the
// process.

import { describe, expect, onTestFinished, test } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import { openDatabase, useDatabase, watchStore } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { startRewritingProxy } from '../../kit/mysql/proxies.ts'
import { locate } from '../../kit/mysql/server.ts'

const insert = `INSERT INTO users VALUES (7, 'Ada', 'ada', NULL, '', 1, 1, 1, 0)`

describe.for(flavours)('%s', (flavour) => {
  const engine = mysqlEngine(flavour)
  const database = useDatabase(engine, async ({ location, run }) => {
    await makeTables(location)
    await run(insert)
  })

  test('no result', async () => {
    const proxy = await startRewritingProxy(await engine.shared(), (statement) =>
      statement.includes('IN (7)') ? 'DO 1' : statement,
    )
    onTestFinished(proxy.close)
    const { store, of } = await watchStore(locate(proxy.url(database().name)))
    await expect(store.findUsers('ID', ['7'])).rejects.toMatchObject({ code: 'Unavailable' })
    expect(of('store-failed')).toMatchObject([
      { error: { message: expect.stringMatching(/without a result/) } },
    ])
    // Other lookups have their response.
    expect(await store.findUsers('USERNAME', ['ada'])).toMatchObject([{ id: 7 }])
  })

  test('a column that has become another type since the start refuses its rows', async () => {
    const { location, run } = await openDatabase(engine, (one) => makeTables(one.location))
    await run(insert)
    const { store } = await watchStore(location)
    for (const type of ['decimal(20)', 'varchar(20)']) {
      await run(`ALTER TABLE users MODIFY id ${type}`)
      expect(await store.findUsers('ID', ['7', '8'])).toMatchObject([{ code: 'Internal' }, null])
    }
  })
})
