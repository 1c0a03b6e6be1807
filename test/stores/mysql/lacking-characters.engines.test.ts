// Names with characters that a column lacks match nothing, and cost no more than others.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rowsOf } from '../../../src/stores/items.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeDatabase } from '../../kit/mysql/database.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'

const COUNT = 1000
/** What a few probes ask meanwhile, and this test, is less. */
const MOST_STATEMENTS = 50

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  let server: MysqlServer
  beforeAll(async () => {
    server = await MysqlServer.start(flavour)
  })
  afterAll(() => server.remove())

  test.for([
    ['latin1 COLLATE latin1_german1_ci', 0x4e00],
    ['utf8mb3', 0x1f300],
  ] as const)('a thousand names that %s lacks take few statements', async ([charset, first]) => {
    const database = await makeDatabase(server)
    await database.run(
      `CREATE TABLE users (id bigint PRIMARY KEY, username varchar(99) CHARACTER SET ${charset},
         username_key varchar(99) CHARACTER SET ${charset}, chat_id varchar(99) CHARACTER SET ${charset},
         display_name text, \`rank\` int, join_date int, is_confirmed int, banned int, KEY (username_key), KEY (chat_id));
       INSERT INTO users VALUES (1, 'zoë', 'zoë', 'zoë', '', 1, 1, 1, 0), (2, 'a?', 'a?', 'a?', '', 1, 1, 1, 0);
       CREATE TABLE apps (id bigint PRIMARY KEY, title text, version text, category int, changelog_link text,
         download_link text); COMMIT`,
    )
    const store = await openStore(database.location, () => {})
    onTestFinished(async () => {
      await store.close()
      await database.remove()
    })
    const lacking = Array.from({ length: COUNT }, (_, index) => `a${String.fromCodePoint(first + index)}`)
    const countStatements = async () =>
      Number((await server.run(`SHOW GLOBAL STATUS LIKE 'Questions'`))[0]?.[1])
    for (const by of ['USERNAME', 'CHAT'] as const) {
      const before = await countStatements()
      const found = rowsOf(await store.findUsers(by, ['zoë', ...lacking, 'a?', 'zoe']))
      expect(found.map((user) => user?.id ?? null)).toEqual([1, ...lacking.map(() => null), 2, null])
      expect((await countStatements()) - before).toBeLessThan(MOST_STATEMENTS)
    }
    await database.run('DELETE FROM users; COMMIT')
    expect(await store.findUsers('CHAT', lacking)).toEqual(lacking.map(() => null))
  })
})
