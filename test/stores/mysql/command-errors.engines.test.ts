// What is wrong with a MySQL or MariaDB database is said in one line that names the setting and not the secret.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sample } from '../../kit/gateway.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import {
  type CommandErrorCase,
  commandErrorsSuite,
  PASSWORD,
  useCommands,
} from '../servers/command-errors-suite.ts'

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  const run = useCommands()
  let server: MysqlServer
  beforeAll(async () => {
    server = await MysqlServer.start(
      flavour,
      ['--skip-ssl'].filter(() => flavour === 'mariadb'),
    )
    await server.run(
      `CREATE DATABASE forum; CREATE DATABASE faulty; CREATE DATABASE broken; CREATE DATABASE hidden;
       CREATE USER app IDENTIFIED BY '${PASSWORD}'; CREATE USER open; GRANT ALL ON forum.* TO open`,
    )
    for (const database of ['forum', 'faulty', 'broken', 'hidden'])
      expect(await run(['migrate'], server.url(database))).toMatchObject({ status: 0, stderr: '' })
    await server.run(
      `ALTER TABLE users DROP COLUMN \`rank\`, MODIFY banned text, MODIFY join_date datetime;
       ALTER TABLE apps DROP COLUMN title;
       GRANT SELECT ON faulty.users TO app; GRANT SELECT ON faulty.apps TO app; GRANT SELECT ON broken.* TO app;
       GRANT SELECT ON hidden.apps TO app; CREATE DATABASE nothing; GRANT SELECT ON nothing.* TO app`,
      'faulty',
    )
    await server.run(
      `RENAME TABLE users TO kept; CREATE VIEW users AS SELECT * FROM kept; ALTER TABLE kept DROP COLUMN banned`,
      'broken',
    )
  })
  afterAll(() => server.remove())

  const LOGIN = /Access denied for user 'app'@.* Check the user, the password, the hosts .* TLS is required/
  const cases: CommandErrorCase[] = [
    ['a wrong password', (app) => app('forum', ':wr0ng'), LOGIN],
    ['no password', (app) => app('forum', ''), LOGIN],
    ['an unknown user', (app) => app('forum').replace('app', 'nobody'), /Access denied for user 'nobody'/],
    [
      'a database without rights',
      (app) => app('forum'),
      /Access denied .* to database 'forum'\. Grant the user SELECT on users and apps/,
    ],
    ['an unknown database', () => server.url('none'), /Unknown database 'none'\. Create the database/],
    ['no database', () => server.url(''), /No database selected\. Name the database in the URL/],
    [
      'a table without rights',
      (app) => app('hidden'),
      /SELECT command denied to user .* for table .*users.*Grant the user SELECT on users and apps\./,
    ],
    [
      'no tables',
      (app) => app('nothing'),
      /Table 'nothing\.users' doesn't exist\. Run "lookup migrate" to create/,
    ],
    [
      'a view that reads what is not there',
      (app) => app('broken'),
      /View 'broken\.users' references invalid .*Check that what the view reads exists/,
    ],
    ['a socket that is not there', () => `${flavour}:///forum?socket=/none.sock`, /ENOENT \/none\.sock/],
    [
      'a certificate that is no file',
      (app) => app('forum?ssl-ca=/none.pem'),
      /no such file .*'\/none\.pem'\./,
    ],
    [
      'an unknown mode of TLS',
      (app) => app('forum?ssl-mode=always'),
      /ssl-mode has an unknown value\. Set one of disabled, required,/,
    ],
    [
      'an unknown parameter',
      (app) => app('forum?sslrootcert=x.pem'),
      /the parameter sslrootcert is unknown\. Allowed: user, password, socket, ssl-mode/,
    ],
    [
      'columns that are missing or of another type, all of them',
      (app) => app('faulty'),
      /: users has no column rank; users\.join_date is of type datetime, and must be an integer \(convert times by UNIX_TIMESTAMP.*\); users\.banned is of type blob, and must be an integer, BIT .*; apps has no column title\./,
    ],
  ]

  if (flavour === 'mariadb')
    cases.push([
      'no TLS there',
      (app) => app('forum?ssl-mode=VERIFY_IDENTITY'),
      /cannot be used: the server does not support TLS\. Remove ssl-mode/,
    ])

  commandErrorsSuite({ scheme: flavour, server: () => server, cases, refusal: /Access denied/ })

  test('a server that requires TLS says so', async () => {
    const strict = await MysqlServer.start(flavour, ['--require-secure-transport=ON'])
    onTestFinished(() => strict.remove())
    const { stderr } = await run(['export', 'users'], strict.url())
    expect(stderr).toMatch(/ TLS is required \(ssl-mode\)\.\n$| requires TLS: add ssl-mode to the URL\.\n$/)
  })

  describe('an import', () => {
    const importing = ['import', 'users', sample.users]
    const rights =
      /command denied .* To import, grant the user SELECT and INSERT on the table, DELETE for --replace, and CREATE/
    beforeAll(async () => {
      await server.run(
        `CREATE DATABASE filled; CREATE DATABASE vacant; CREATE USER reader, writer, maker;
         GRANT SELECT ON filled.* TO reader; GRANT SELECT, INSERT ON filled.* TO writer;
         GRANT SELECT, INSERT, DELETE, CREATE ON filled.* TO maker;
         GRANT SELECT, CREATE ON vacant.* TO maker;
         CREATE DATABASE narrow; CREATE USER narrow`,
      )
    })
    const as = (user: string) => server.url('filled', user)

    test('by a user that lacks rights says which it needs', async () => {
      const refused = { status: 1, stderr: expect.stringMatching(rights) }
      // There is no table yet.
      for (const args of [importing, ['migrate']])
        expect(await run(args, as('writer'))).toMatchObject(refused)
      expect(await run([...importing, '--replace'], as('maker'))).toMatchObject({ status: 0 })
      await server.run('DELETE FROM users', 'filled')
      expect(await run([...importing, '--replace'], as('writer'))).toMatchObject(refused)
      expect(await run(importing, as('reader'))).toMatchObject(refused)
      expect(await run(importing, as('writer'))).toMatchObject({ status: 0 })
      expect(await run(['export', 'users'], as('reader'))).toMatchObject({ status: 0, stderr: '' })
    })

    test('by a user with rights on that table alone works', async () => {
      expect(await run(['migrate'], server.url('narrow'))).toMatchObject({ status: 0 })
      await server.run('GRANT SELECT, INSERT, DELETE ON narrow.users TO narrow')
      const url = server.url('narrow', 'narrow')
      expect(await run([...importing, '--replace'], url)).toMatchObject({ status: 0 })
      expect(await run(['migrate'], url)).toMatchObject({ status: 1, stderr: expect.stringMatching(rights) })
    })

    test('into a server that is read only names the setting', async () => {
      await server.run('SET GLOBAL read_only = ON')
      onTestFinished(async () => void (await server.run('SET GLOBAL read_only = OFF')))
      const says = /cannot be used: .*read.only.*\. Name the primary in DATABASE_URL\.\n$/
      // A superuser could write there.
      for (const [args, url] of [
        [['migrate'], server.url('vacant', 'maker')],
        [['migrate'], server.url('vacant')],
        [importing, as('writer')],
        [importing, server.url('filled')],
      ] as const)
        expect(await run(args, url)).toMatchObject({ status: 1, stderr: expect.stringMatching(says) })
    })
  })

  test('no tables: an export says so', async () => {
    const { stderr } = await run(['export', 'users'], server.url('nothing'))
    expect(stderr).toMatch(/Table 'nothing\.users' doesn't exist\. Run "lookup migrate" to create/)
  })
})
