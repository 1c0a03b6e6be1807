// Whatever a server's settings are, a lookup and an import mean the same there.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { endSessions, fillSample, openDatabase, useServer, watchStore } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { type Flavour, flavours, pristineFolder } from '../../kit/mysql/programs.ts'
import { locate, MysqlServer } from '../../kit/mysql/server.ts'
import { importSuite } from '../import-suite.ts'
import { useImportTarget } from '../servers/import-target.ts'
import { layouts, makeServerStore } from '../servers/support.ts'
import { storeSuite } from '../store-suite.ts'

const common = [
  '--character-set-server=latin1',
  '--collation-server=latin1_swedish_ci',
  '--default-time-zone=-03:00',
  '--lower-case-table-names=1',
  '--autocommit=0',
  '--max-join-size=2',
]
const flags = {
  mariadb: [
    ...common,
    '--skip-character-set-client-handshake',
    '--sql-mode=ORACLE,ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,EMPTY_STRING_IS_NULL',
    '--in-predicate-conversion-threshold=2',
  ],
  mysql: [
    ...common,
    '--sql-mode=ANSI,TRADITIONAL,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE',
    '--range-optimizer-max-mem-size=1000',
  ],
} as const satisfies Record<Flavour, readonly string[]>

test.for(flavours)('%s: a user with two connections is served, and its server is up', async (flavour) => {
  const engine = mysqlEngine(flavour)
  const { name, url, run } = await openDatabase(engine, fillSample)
  await run(`CREATE USER ${name}; GRANT SELECT ON ${name}.* TO ${name};
    ALTER USER ${name} WITH MAX_USER_CONNECTIONS 2`)
  const { store, of } = await watchStore(locate(url.replace('root@', `${name}@`)))
  for (const until = performance.now() + 2500; performance.now() < until; )
    await Promise.all(
      ['1', '2', '3', '4'].map(async (id) => expect(await store.findUsers('ID', [id])).toHaveLength(1)),
    )
  expect(of('server-out', 'store-failed')).toEqual([])
  // Lookups may take both connections now: the health check borrows one.
  await endSessions(engine, { run })
  await expect.poll(() => Promise.resolve(store.findUsers('ID', ['1'])).catch(() => null)).toHaveLength(1)
  await pause(1500)
  expect(of('server-back')).toHaveLength(of('server-out').length)
})

describe.for(flavours)('%s with odd settings', (flavour) => {
  const server = useServer(
    () => MysqlServer.start(flavour, [...flags[flavour], '--local-infile=ON'], pristineFolder(flavour, true)),
    // Errors are read, whatever their language.
    (one) => one.run(`SET GLOBAL lc_messages = 'de_DE'`),
  )
  const shared = async () => server()
  for (const layout of layouts)
    storeSuite(layout, (observe) => makeServerStore(mysqlEngine(flavour), shared, layout, observe))

  importSuite('imports', useImportTarget({ shared }))

  test('times are those of the server, and texts of a fixed width have no spaces at their end', async () => {
    const database = await openDatabase({ shared })
    await database.run(
      `CREATE TABLE member (id int PRIMARY KEY, name char(20), made datetime, seen timestamp NULL, gone datetime);
       SET sql_mode = '';
       INSERT INTO member VALUES (1, 'Ada', '2012-01-31 07:00:00', '2012-01-31 07:00:00', '0000-00-00 00:00:00'),
         (2, 'Zoë', '2012-01-31 07:00:00', NULL, NULL);
       CREATE VIEW users AS SELECT id, name AS username, name AS username_key, NULL AS chat_id,
         '' AS display_name, UNIX_TIMESTAMP(gone) AS \`rank\`, UNIX_TIMESTAMP(made) AS join_date,
         UNIX_TIMESTAMP(seen) = 1328004000 AS is_confirmed, 0 AS banned FROM member`,
    )
    await database.run(
      `CREATE TABLE apps (id int PRIMARY KEY, title text, version text, category int, changelog_link text, download_link text)`,
    )
    const { store } = await watchStore(database.location)
    const user = { id: 1, username: 'Ada', displayName: '', rank: 0, joinDate: 1_328_004_000, banned: false }
    expect(await store.findUsers('ID', ['1', '2'])).toEqual([
      { ...user, isConfirmed: true },
      { ...user, id: 2, username: 'Zoë', isConfirmed: false },
    ])
    expect(await store.findUsers('USERNAME', ['Ada', 'ada', 'Zoë', 'Zoe'])).toMatchObject([
      { id: 1 },
      { id: 1 },
      { id: 2 },
      null,
    ])
  })
})
