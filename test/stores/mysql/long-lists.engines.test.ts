// Long lists of values are looked up in an index, though MySQL and MariaDB would rather not.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../src/stores/items.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { makeDatabase } from '../../kit/mysql/database.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  let server: MysqlServer
  beforeAll(async () => {
    server = await MysqlServer.start(flavour)
  })
  afterAll(() => server.remove())

  test('ten thousand values at once are looked up in an index', async () => {
    const database = await makeDatabase(server)
    await makeTables(database.location)
    const ids = Array.from({ length: 10_000 }, (_, index) => index + 1000)
    await database.run('INSERT INTO users VALUES ?', [
      ids.map((id) => [id, `name ${id}`, `name ${id}`, `chat ${id}`, '', 1, 1, 0, 0]),
    ])
    // Of a table that is much larger, or to read all of it would be quicker.
    for (let more = 10_000; more < 160_000; more *= 2)
      await database.run(
        `INSERT INTO users
         SELECT id + ${more}, username, concat(id + ${more}), concat(id + ${more}), '', 1, 1, 0, 0
         FROM users WHERE id BETWEEN 1000 AND 999 + ${more}`,
      )
    await database.run('ANALYZE TABLE users')
    const store = await openStore({ ...database.location, timeout: 10_000 }, () => {})
    const readRows = async () => {
      const rows = await database.run(`SHOW GLOBAL STATUS WHERE variable_name LIKE 'Handler_read%'`)
      return rows.reduce((sum, [, count]) => sum + Number(count), 0)
    }
    for (const [by, word] of [
      ['ID', ''],
      ['USERNAME', 'name '],
      ['CHAT', 'chat '],
    ] as const) {
      const before = await readRows()
      const found = await store.findUsers(
        by,
        ids.map((id) => `${word}${id}`),
      )
      expect(rowsOf(found).filter((user) => user !== null)).toHaveLength(10_000)
      expect((await readRows()) - before).toBeLessThan(25_000)
    }
    await store.close()
  })
})
