// Whatever a server's settings are, a lookup means the same there.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { makeDatabase } from '../../kit/mysql/database.ts'
import { flavours, hasServer, nameOf, pristineFolder } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { words } from '../../kit/mysql/words.ts'
import { tables } from '../servers/layouts.ts'
import { makeServerStore } from '../servers/support.ts'
import { storeSuite } from '../store-suite.ts'
import { oddFlags } from './odd-settings.ts'
import { views } from './views.ts'

describe.for(flavours.filter(hasServer))('%s, with settings as odd as can be', (flavour) => {
  let server: MysqlServer
  beforeAll(async () => {
    server = await MysqlServer.start(flavour, oddFlags[flavour], pristineFolder(flavour, true))
  })
  afterAll(() => server.remove())

  storeSuite(`${nameOf[flavour]} tables`, (observe) =>
    makeServerStore({ words }, () => makeDatabase(server), tables, observe),
  )

  storeSuite(`${nameOf[flavour]} views`, (observe) =>
    makeServerStore({ words }, () => makeDatabase(server), views, observe),
  )

  test('names in capitals are found', async () => {
    const database = await makeDatabase(server)
    await makeTables(database.location)
    await database.run(
      `RENAME TABLE users TO kept; CREATE VIEW USERS AS SELECT id AS ID, username AS UserName, username_key, chat_id,
         display_name, \`rank\` AS \`RANK\`, join_date, is_confirmed, banned FROM KEPT;
       INSERT INTO kept VALUES (1, 'Ada', 'ada', NULL, 'x  ', 1, 1, 0, 0); COMMIT`,
    )
    const store = await openStore(database.location, () => {})
    expect(await store.findUsers('USERNAME', ['ada'])).toMatchObject([
      { username: 'Ada', displayName: 'x  ' },
    ])
    await store.close()
    await database.remove()
  })

  test('times are those of the server, and texts of a fixed width have no spaces at their end', async () => {
    const database = await makeDatabase(server)
    await database.run(
      `CREATE TABLE member (id int PRIMARY KEY, name char(20), made datetime, seen timestamp NULL, gone datetime);
       SET sql_mode = '';
       INSERT INTO member VALUES (1, 'Ada', '2012-01-31 07:00:00', '2012-01-31 07:00:00', '0000-00-00 00:00:00'),
         (2, 'Zoë', '2012-01-31 07:00:00', NULL, NULL);
       COMMIT;
       CREATE VIEW users AS SELECT id, name AS username, name AS username_key, NULL AS chat_id,
         '' AS display_name, UNIX_TIMESTAMP(gone) AS \`rank\`, UNIX_TIMESTAMP(made) AS join_date,
         UNIX_TIMESTAMP(seen) = 1328004000 AS is_confirmed, 0 AS banned FROM member`,
    )
    await database.run(
      `CREATE TABLE apps (id int PRIMARY KEY, title text, version text, category int, changelog_link text, download_link text)`,
    )
    const store = await openStore(database.location, () => {})
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
    await store.close()
    await database.remove()
  })
})
