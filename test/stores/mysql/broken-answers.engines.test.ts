// What is no answer to a lookup is an outage: it is never taken for "nothing matches", and never ends the
// process.

import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { locate, makeDatabase, type TestDatabase } from '../../kit/mysql/database.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { startRewritingProxy } from '../../kit/mysql/rewriting-proxy.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  let server: MysqlServer
  let database: TestDatabase
  beforeAll(async () => {
    server = await MysqlServer.start(flavour)
    database = await makeDatabase(server)
    await makeTables(database.location)
    await database.run(
      `INSERT INTO users VALUES (7, 'Ada', 'ada', NULL, '', 1, 1, 1, 0); COMMIT;
       CREATE PROCEDURE one_result() SELECT * FROM users;
       CREATE PROCEDURE two_results() BEGIN SELECT * FROM users; SELECT * FROM users; END`,
    )
  })
  afterAll(() => server.remove())

  test.for([
    ['a result, and that of the CALL', 'CALL one_result()', /several results/],
    ['two results, and that of the CALL', 'CALL two_results()', /several results/],
    ['no result', 'DO 1', /without a result/],
    ['a packet of another query first', null, /out of order/],
  ] as const)('%s', async ([, rewritten, reason]) => {
    // The driver says so, too.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => void vi.restoreAllMocks())
    const proxy = await startRewritingProxy(server, (statement) =>
      statement.includes('IN (7)') ? rewritten : statement,
    )
    onTestFinished(proxy.close)
    const observations: Observation[] = []
    const location = locate(proxy.url(new URL(database.url).pathname.slice(1)))
    const store = await openStore(location, (observation) => observations.push(observation))
    onTestFinished(() => store.close())
    await expect(store.findUsers('ID', ['7'])).rejects.toMatchObject({ code: 'Unavailable' })
    expect(observations.flatMap((one) => (one.type === 'store-failed' ? [String(one.error)] : []))).toEqual([
      expect.stringMatching(reason),
    ])
    // Other lookups are answered.
    expect(await store.findUsers('USERNAME', ['ada'])).toMatchObject([{ id: 7 }])
  })

  test('a column that has become another type since the start refuses its rows', async () => {
    const other = await makeDatabase(server)
    await makeTables(other.location)
    await other.run(`INSERT INTO users VALUES (7, 'Ada', 'ada', NULL, '', 1, 1, 1, 0); COMMIT`)
    const store = await openStore(other.location, () => {})
    onTestFinished(async () => {
      await store.close()
      await other.remove()
    })
    for (const type of ['decimal(20)', 'varchar(20)']) {
      await other.run(`ALTER TABLE users MODIFY id ${type}`)
      expect(await store.findUsers('ID', ['7', '8'])).toMatchObject([{ code: 'Internal' }, null])
    }
  })
})
