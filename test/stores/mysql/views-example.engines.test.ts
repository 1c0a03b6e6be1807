// schema/views.example.mysql.sql, as an operator would use it.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { questions } from '../../../src/stores/mysql/statements.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import type { Store } from '../../../src/stores/store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { locate, MysqlServer } from '../../kit/mysql/server.ts'
import { REGISTERED, viewsExampleSuite } from '../servers/views-example-suite.ts'

const example = readFileSync(new URL('../../../schema/views.example.mysql.sql', import.meta.url), 'utf8')
describe.for(flavours)('%s', (flavour) => {
  let server: MysqlServer
  let store: Store
  const seen: string[] = []

  beforeAll(async () => {
    // Its time zone is not UTC.
    server = await MysqlServer.shared(flavour)
    const deep = flavour === 'mysql' ? 'cte_max_recursion_depth' : 'max_recursive_iterations'
    await server.run(example)
    await server.run(
      `SET sql_mode = '', ${deep} = 100000;
       INSERT INTO \`groups\` VALUES (0, 'members', 1), (1, 'staff', -5);
       INSERT INTO users (user_name, group_id, user_regdate) VALUES ('first', 0, 1);
       INSERT INTO users (user_id, user_name, user_title, group_id, user_active, user_regdate)
         WITH RECURSIVE s (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM s WHERE n < 30000)
         SELECT n, concat('Member ', n), if(n % 2 = 0, concat('Shown ', n), NULL), n % 2, n % 3 = 0, ${REGISTERED} FROM s;
       INSERT INTO chat_accounts SELECT user_id, concat('chat#', user_id) FROM users WHERE user_id % 3 > 0;
       INSERT INTO bans (user_id, ban_until) VALUES (101, '0000-00-00 00:00:00'), (102, now() + INTERVAL 1 HOUR),
         (103, now() - INTERVAL 1 HOUR);
       INSERT INTO downloads (download_id, name, version, category_id)
         SELECT user_id, concat('App ', user_id), '1.20.3', 5 FROM users;
       INSERT INTO users (user_id, user_name, group_id) VALUES (7, 'Ὀδυσσεύς ÉTÉ', 9);
       ANALYZE TABLE users, chat_accounts, bans, downloads, \`groups\``,
      'forum',
    )
    // As the comment at its head says.
    await server.run(
      `CREATE USER lookup_reader IDENTIFIED BY 'secret';
       GRANT SELECT ON lookup.users TO lookup_reader; GRANT SELECT ON lookup.apps TO lookup_reader`,
    )
    store = await openStore(locate(server.url('lookup', 'lookup_reader', 'secret')), ({ type }) =>
      seen.push(type),
    )
  })
  afterAll(async () => {
    await store.close()
    await server.run('DROP DATABASE forum; DROP DATABASE lookup; DROP USER lookup_reader')
  })

  viewsExampleSuite({
    store: () => store,
    rank: -5,
    odd: {
      id: 7,
      username: 'Ὀδυσσεύς ÉTÉ',
      displayName: '',
      rank: 0,
      joinDate: 0,
      isConfirmed: false,
      banned: false,
    },
    oddKey: 'ὀδυσσεύς été',
    app: {
      id: 104,
      title: 'App 104',
      version: '1.20.3',
      category: 5,
      changelogLink: 'https://forum.example/downloads/104/changes',
      downloadLink: 'https://forum.example/download/104/',
    },
    objects: () =>
      server.run(`SELECT table_schema, table_name, table_type FROM information_schema.tables
        WHERE table_schema IN ('forum', 'lookup') ORDER BY 1, 2`),
    runAgain: async () => {
      await server.run(example)
      await makeTables(locate(server.url('lookup')))
    },
  })

  test('a ban has its end', async () => {
    expect(await store.findUsers('ID', ['102', '103'])).toMatchObject([{ banned: true }, { banned: false }])
  })

  test('its reader may do nothing else, so that there is no warning', () => {
    expect(new Set(seen)).toEqual(new Set(['server-known']))
  })

  describe.for([
    [questions.usersById, ''],
    [questions.usersByUsername, 'member '],
    [questions.usersByChat, 'chat#'],
    [questions.appsById, ''],
  ] as const)('lookup %#', ([ask, word]) => {
    test.for([1, 2, 100])('reads no more rows for %i values than there are', async (count) => {
      const values = Array.from({ length: count }, (_, index) => `${word}${200 + index}`)
      const rows = await server.run(
        `FLUSH STATUS; ${ask(values).text}; SHOW SESSION STATUS WHERE variable_name LIKE 'Handler_read%'`,
        'lookup',
      )
      const read = rows.reduce((sum, [, times]) => sum + Number(times), 0)
      expect(read).toBeGreaterThanOrEqual(Math.floor(count / 2))
      // A user is in four tables, and MySQL reads its dictionary, too.
      expect(read).toBeLessThan(10 * count + 50)
    })
  })
  test.for(['usersByUsername', 'usersByChat'] as const)(
    '%s asks one row for its character set',
    async (by) => {
      const rows = await server.run(
        `FLUSH STATUS; ${questions.charsets?.of(by).text}; SHOW SESSION STATUS WHERE variable_name LIKE 'Handler_read%'`,
        'lookup',
      )
      expect(rows.reduce((sum, [, times]) => sum + Number(times), 0)).toBeLessThan(50)
      const [row] = await server.run(questions.charsets?.of(by).text ?? '', 'lookup')
      expect(row).toEqual([by === 'usersByChat' ? 'utf8mb4' : 'binary'])
    },
  )
})
