// Long lists of values: they are looked up in an index, in statements that a server takes.

import { describe, expect, onTestFinished, test } from 'vitest'
import { usernameKey } from '../../../src/model.ts'
import { settingsOf } from '../../../src/stores/mysql/driver.ts'
import { statements } from '../../../src/stores/mysql/statements.ts'
import type { Store } from '../../../src/stores/store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { openDatabase, watchStore } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { startRewritingProxy } from '../../kit/mysql/proxies.ts'
import { locate } from '../../kit/mysql/server.ts'
import { rowsOf } from '../../kit/rows.ts'

/** As many as concurrent requests may ask for in one call. */
const MOST = 2048

describe.for(flavours)('%s', (flavour) => {
  const engine = mysqlEngine(flavour)
  const idsOf = async (store: Store, by: 'USERNAME' | 'CHAT', values: readonly string[]) =>
    rowsOf(await store.findUsers(by, values)).map((user) => user?.id ?? null)

  test('ten thousand values are looked up in an index', async () => {
    const { location, run, connect } = await openDatabase(engine, (one) => makeTables(one.location))
    const ids = Array.from({ length: 10_000 }, (_, index) => index + 1000)
    await run('INSERT INTO users VALUES ?', [
      ids.map((id) => [id, `name ${id}`, `name ${id}`, `chat ${id}`, '', 1, 1, 0, 0]),
    ])
    // To read all of a table that is not much larger would be quicker.
    for (let more = 10_000; more < 80_000; more *= 2)
      await run(
        `INSERT INTO users SELECT id + ${more}, username, concat(id + ${more}), concat(id + ${more}), '', 1, 1, 0, 0
         FROM users WHERE id BETWEEN 1000 AND 999 + ${more}`,
      )
    await run('ANALYZE TABLE users')
    const { store } = await watchStore({ ...location, timeout: 10_000 })
    const lists = [
      ['ID', statements.usersById, ''],
      ['USERNAME', statements.usersByUsername, 'name '],
      ['CHAT', statements.usersByChat, 'chat '],
    ] as const
    for (const [by, ask, word] of lists) {
      const values = ids.map((id) => `${word}${id}`)
      expect(rowsOf(await store.findUsers(by, values)).filter((user) => user !== null)).toHaveLength(10_000)
      // In a session with the settings of lookups.
      const session = await connect()
      const rows = await session.run(
        `${settingsOf({ connectTimeout: 3000, statementTimeout: 10_000, readOnly: true })}; FLUSH STATUS; ${ask(values).text};
         SHOW SESSION STATUS WHERE variable_name LIKE 'Handler_read%'`,
      )
      await session.end()
      expect(rows.reduce((sum, [, count]) => sum + Number(count), 0)).toBeLessThan(25_000)
    }
  })

  test.for([
    // One character, of which NFKC makes 18.
    ['USERNAME', (index: number) => usernameKey(`${'ﷺ'.repeat(250)}${index}`)],
    ['CHAT', (index: number) => `${'語'.repeat(250)}${index}`],
  ] as const)('the longest lists by %s fit into statements of 1 MiB', async ([by, make]) => {
    const { location, run } = await openDatabase(engine, (one) => makeTables(one.location))
    await run(`INSERT INTO users VALUES (7, 'Ada', 'ada', 'ada', '', 1, 1, 1, 0)`)
    const { store, of } = await watchStore(location)
    const values = [...Array.from({ length: MOST - 1 }, (_, index) => make(index)), 'ada']
    expect(await idsOf(store, by, values)).toEqual([...Array(MOST - 1).fill(null), 7])
    expect(of('store-failed', 'store-retried', 'server-out')).toEqual([])
  })

  test.for([
    ['latin1 COLLATE latin1_german1_ci', 0x4e00],
    ['utf8mb3', 0x1f300],
  ] as const)('a thousand names that %s lacks take few statements', async ([charset, first]) => {
    const { name, run } = await openDatabase(engine)
    await run(
      `CREATE TABLE users (id bigint PRIMARY KEY, username varchar(99) CHARACTER SET ${charset},
         username_key varchar(99) CHARACTER SET ${charset}, chat_id varchar(99) CHARACTER SET ${charset},
         display_name text, \`rank\` int, join_date int, is_confirmed int, banned int, KEY (username_key), KEY (chat_id));
       INSERT INTO users VALUES (1, 'zoë', 'zoë', 'zoë', '', 1, 1, 1, 0), (2, 'a?', 'a?', 'a?', '', 1, 1, 1, 0);
       CREATE TABLE apps (id bigint PRIMARY KEY, title text, version text, category int, changelog_link text,
         download_link text)`,
    )
    const statements: string[] = []
    const proxy = await startRewritingProxy(await engine.shared(), (statement) => {
      if (statement.includes('FROM `users`')) statements.push(statement)
      return statement
    })
    onTestFinished(proxy.close)
    const { store } = await watchStore(locate(proxy.url(name)))
    const lacking = Array.from({ length: 1000 }, (_, index) => `a${String.fromCodePoint(first + index)}`)
    const none = lacking.map(() => null)
    for (const by of ['USERNAME', 'CHAT'] as const) {
      statements.length = 0
      expect(await idsOf(store, by, ['zoë', ...lacking, 'a?', 'zoe'])).toEqual([1, ...none, 2, null])
      // Probes are among them.
      expect(statements.length).toBeLessThan(20)
    }
    await run('DELETE FROM users')
    expect(await idsOf(store, 'CHAT', lacking)).toEqual(none)
  })
})
