// The examples of views over the tables of a forum (schema/views.example*.sql), as an operator would use
// them. Members count from 100 on: "Member 100", shown as "Shown 100", who joined on 31 January 2012 and is
// "chat#100"; member 101 is shown by no other name, and banned. No multiple of three is on the chat.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServersLocation } from '../../../src/config/database.ts'
import type { App } from '../../../src/data/apps.ts'
import type { User } from '../../../src/data/users.ts'
import { usernameKey } from '../../../src/model.ts'
import { statements as ofMysql } from '../../../src/stores/mysql/statements.ts'
import { statements as ofPostgres } from '../../../src/stores/postgres/statements.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { useDatabase, watchStore } from '../../kit/engines.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { locate as locateMysql, MysqlServer } from '../../kit/mysql/server.ts'
import { postgresEngine } from '../../kit/postgres/engine.ts'
import { locate } from '../../kit/postgres/server.ts'

const read = (name: string) => readFileSync(new URL(`../../../schema/${name}`, import.meta.url), 'utf8')
const sql = { postgres: read('views.example.sql'), mysql: read('views.example.mysql.sql') }
/** 31 January 2012, 10:00 UTC. */
const REGISTERED = 1_328_004_000
const nobody: User = {
  ...{ id: 7, username: '', displayName: '', rank: 1, joinDate: 1, isConfirmed: true, banned: false },
}
const objects = `SELECT table_schema, table_name, table_type FROM information_schema.tables
  WHERE table_schema IN ('forum', 'lookup', 'public') ORDER BY 1, 2`

interface Example {
  readonly reader: () => ServersLocation
  readonly owner: () => ServersLocation
  readonly run: (sql: string) => Promise<unknown>
  readonly example: string
  /** The rank of member 101. */
  readonly rank: number
  /** A member who is not on the chat, and the key of the name. */
  readonly odd: User
  readonly oddKey: string
  readonly app: App
}

function suite({ reader, owner, run, example, rank, odd, oddKey, app }: Example): void {
  test('shows the users and apps of other tables', async () => {
    const { store, of } = await watchStore(reader())
    const member = {
      ...nobody,
      id: 100,
      username: 'Member 100',
      displayName: 'Shown 100',
      joinDate: REGISTERED,
    }
    const first = { ...member, isConfirmed: false }
    const banned = { ...first, id: 101, username: 'Member 101', displayName: '', rank, banned: true }
    const find = store.findUsers
    expect(await find('ID', ['100', '7', '9', '101'])).toEqual([first, odd, null, banned])
    const keys = ['member 101', 'mémber 101', oddKey, 'member 101 ']
    expect(await find('USERNAME', keys)).toEqual([banned, null, odd, null])
    const chat = ['chat#100', 'chat#7', 'CHAT#100', 'chat#101', 'chat#101 ']
    expect(await find('CHAT', chat)).toEqual([first, null, null, banned, null])
    expect(await store.findApps([String(app.id), '0'])).toEqual([app, null])
    // The reader may do nothing else.
    expect(of('server-warning')).toEqual([])
  })

  test('can be run twice, and migrate leaves it alone', async () => {
    const before = await run(objects)
    await run(example)
    await makeTables(owner())
    expect(await run(objects)).toEqual(before)
  })
}

describe('PostgreSQL', () => {
  const database = useDatabase(postgresEngine, async ({ run }) => {
    await run(sql.postgres)
    await run(`
      INSERT INTO forum.members SELECT id, 'Member ' || id, id % 9, '2012-01-31 10:00Z' FROM generate_series(100, 100000) AS id;
      INSERT INTO forum.profiles SELECT member_id, 'Shown ' || member_id FROM forum.members WHERE member_id % 2 = 0;
      INSERT INTO forum.chat_accounts SELECT member_id, 'chat#' || member_id FROM forum.members WHERE member_id % 3 > 0;
      INSERT INTO forum.bans SELECT member_id, CASE WHEN member_id % 2 = 0 THEN now() END FROM forum.members WHERE member_id % 20 < 2;
      INSERT INTO forum.releases SELECT id, 'App ' || id, 1, 20, id, 5 FROM generate_series(1, 10000) AS id;
      INSERT INTO forum.members VALUES (7, 'İﬀ Ὀδυσσεύς', 1, '1970-01-01 00:00:01Z', now());
      ANALYZE;
      CREATE ROLE lookup_reader LOGIN; GRANT USAGE ON SCHEMA lookup TO lookup_reader;
      GRANT SELECT ON lookup.users, lookup.apps TO lookup_reader`)
  })
  afterAll(() => database().run('DROP OWNED BY lookup_reader; DROP ROLE lookup_reader'))
  const url = () => `${database().url}?options=-c%20search_path%3Dlookup`

  suite({
    reader: () => locate(url().replace('postgres@', 'lookup_reader@')),
    owner: () => locate(url()),
    run: (text) => database().run(text),
    example: sql.postgres,
    rank: 2,
    odd: { ...nobody, username: 'İﬀ Ὀδυσσεύς' },
    oddKey: usernameKey('İFF ὈΔΥΣΣΕΎΣ'),
    app: {
      ...{ id: 4, title: 'App 4', version: '1.20.4', category: 5 },
      changelogLink: 'https://shop.example/releases/4/changelog',
      downloadLink: 'https://shop.example/download/4/',
    },
  })

  describe.for(['usersById', 'usersByUsername', 'usersByChat', 'appsById'] as const)('%s', (lookup) => {
    const { text } = ofPostgres[lookup]([])
    test('is an index scan', async () => {
      const values = Array.from({ length: 100 }, (_, index) => 200 + index).join()
      // As a prepared statement is planned at first, and after some uses.
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        const plan = await database().run(`
          SET search_path = lookup; SET plan_cache_mode = ${mode}; DEALLOCATE ALL;
          PREPARE lookup AS ${text};
          EXPLAIN (FORMAT TEXT) EXECUTE lookup('{${values}}')`)
        const lines = plan.flat().join('\n')
        expect(lines).toMatch(/Index (?:Only )?Scan|Bitmap Index Scan/)
        expect(lines).not.toContain('Seq Scan')
      }
    })
  })
})

describe.for(flavours)('%s', (flavour) => {
  let server: MysqlServer
  beforeAll(async () => {
    server = await MysqlServer.shared(flavour)
    const deep = flavour === 'mysql' ? 'cte_max_recursion_depth' : 'max_recursive_iterations'
    await server.run(sql.mysql)
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
       ANALYZE TABLE users, chat_accounts, bans, downloads, \`groups\`;
       CREATE USER lookup_reader IDENTIFIED BY 'secret'; GRANT SELECT ON lookup.users TO lookup_reader;
       GRANT SELECT ON lookup.apps TO lookup_reader`,
      'forum',
    )
  })
  afterAll(() => server.run('DROP DATABASE forum; DROP DATABASE lookup; DROP USER lookup_reader'))
  const reader = () => locateMysql(server.url('lookup', 'lookup_reader', 'secret'))

  suite({
    reader,
    owner: () => locateMysql(server.url('lookup')),
    run: (text) => server.run(text),
    example: sql.mysql,
    rank: -5,
    odd: { ...nobody, username: 'Ὀδυσσεύς ÉTÉ', rank: 0, joinDate: 0, isConfirmed: false },
    oddKey: 'ὀδυσσεύς été',
    app: {
      ...{ id: 104, title: 'App 104', version: '1.20.3', category: 5 },
      changelogLink: 'https://forum.example/downloads/104/changes',
      downloadLink: 'https://forum.example/download/104/',
    },
  })

  /** How many rows a statement reads. */
  async function countReads(text: string): Promise<number> {
    const status = `SHOW SESSION STATUS WHERE variable_name LIKE 'Handler_read%'`
    const rows = await server.run(`FLUSH STATUS; ${text}; ${status}`, 'lookup')
    return rows.reduce((sum, [, times]) => sum + Number(times), 0)
  }

  test.for([
    ['usersById', ''],
    ['usersByUsername', 'member '],
    ['usersByChat', 'chat#'],
    ['appsById', ''],
  ] as const)('%s reads no more rows than there are', async ([lookup, word]) => {
    const values = Array.from({ length: 100 }, (_, index) => `${word}${200 + index}`)
    const reads = await countReads(ofMysql[lookup](values).text)
    expect(reads).toBeGreaterThanOrEqual(50)
    // A user is in four tables, and MySQL reads its dictionary, too.
    expect(reads).toBeLessThan(1050)
  })
})
