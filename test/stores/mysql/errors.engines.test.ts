// What the errors of MariaDB and MySQL mean, on errors of real servers.

import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import { describe, onTestFinished } from 'vitest'
import { errors } from '../../../src/stores/mysql/errors.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { useDatabase } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { errorSuite, failureOf } from '../servers/error-suite.ts'

describe.for(flavours)('%s', (flavour) => {
  const database = useDatabase(mysqlEngine(flavour), async ({ run, name, location }) => {
    await makeTables(location)
    await run(
      `INSERT INTO users VALUES (1, 'a', 'a', NULL, '', 1, 1, 1, 1), (2, 'b', 'b', NULL, '', 1, 1, 1, 1);
       CREATE USER ${name} IDENTIFIED BY 'right'; GRANT SELECT ON ${name}.apps TO ${name};
       ALTER USER ${name} WITH MAX_USER_CONNECTIONS 1; CREATE USER ${name}_tls REQUIRE SSL;
       CREATE TABLE names (name varchar(9) CHARACTER SET latin1); INSERT INTO names VALUES (1);
       CREATE TABLE gone (id int); CREATE VIEW broken AS SELECT * FROM gone; DROP TABLE gone;
       CREATE FUNCTION fail() RETURNS int NO SQL
         BEGIN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'disk error'; RETURN 0; END`,
    )
  })

  async function connect(options: { user?: string; password?: string; database?: string } = {}) {
    const { url, name } = database()
    const { port } = new URL(url)
    const client = await createConnection({
      ...{ host: '127.0.0.1', port: Number(port), user: 'root', database: name, ...options },
    })
    client.on('error', () => {})
    onTestFinished(async () => client.destroy())
    return client
  }
  const logIn =
    (suffix: string, password = 'right', to?: string) =>
    () =>
      failureOf(connect({ user: database().name + suffix, password, database: to ?? database().name }))
  /** MariaDB asks an unknown user for the plugin of another account, which depends on the name. */
  const logInUnknown = async () => {
    for (const suffix of ['_a', '_b', '_c', '_d', '_e', '_f']) {
      const error = await logIn(suffix)()
      if (!errors.describeError(error).includes('plugin')) return error
    }
    throw new Error('every unknown user is asked for a plugin that is not supported')
  }
  const run = (sql: string, after?: (client: Connection) => unknown) => async () => {
    const client = await connect()
    const failure = failureOf(client.query(sql))
    await after?.(client)
    return failure
  }
  const asUser = (sql: string) => async () => {
    const client = await connect({ user: database().name, password: 'right' })
    return failureOf(client.query(sql)).finally(() => client.end())
  }
  const kill = (how: string) => async (client: Connection) => {
    const { threadId } = client
    await pause(100)
    await database().run(`KILL ${how} ${threadId}`)
  }
  const limited = flavour === 'mariadb' ? 'max_statement_time = 0.01' : 'max_execution_time = 10'

  const tooManyLogins = async () => {
    await connect({ user: database().name, password: 'right' })
    return logIn('')()
  }
  const tooLong = async () => {
    const client = await connect()
    await client.query(`SET ${limited}`)
    return failureOf(client.query('SELECT 1 FROM users WHERE sleep(0.1) = 0'))
  }
  const isLacking = (texts: string) => run(`SELECT 1 FROM names WHERE name IN (${texts})`)
  const slow = 'SELECT count(*) FROM users WHERE sleep(1) = 0'

  errorSuite(errors, [
    [
      'a wrong password',
      logIn('', 'wrong'),
      'lr',
      /^Access denied for user .* Check the user.*TLS is required/,
    ],
    ['an unknown user', logInUnknown, 'lr', /^Access denied for user/],
    ['no TLS though it is required', logIn('_tls', ''), 'lr', /TLS is required/],
    ['no rights on the database', logIn('', 'right', 'mysql'), 'r', /Grant the user SELECT/],
    ['no such database', () => failureOf(connect({ database: 'none' })), 'r', /Create the database/],
    ['no rights on the table', asUser('SELECT id FROM users'), 'r', /Grant the user SELECT/],
    ['no rights to write', asUser('DELETE FROM users'), 'r', /To import, grant the user/],
    ['no such table', run('SELECT 1 FROM nothing'), 'r', /Run "lookup migrate"/],
    ['a view of nothing', run('SELECT 1 FROM broken'), 'r', /what the view reads exists/],
    ['too many connections of a user', tooManyLogins, 'pfr', /Raise max_connections/],
    ['a value out of range', run('SELECT CAST(1 AS UNSIGNED) - 2 FROM names'), 'd', /out of range/],
    ['a character that a column lacks', isLacking("_utf8mb4 x'e697a5'"), 'du'],
    ['several', isLacking("_utf8mb4 x'61', _utf8mb4 x'e697a5', _utf8mb4 x'e69cac'"), 'du'],
    ['a subquery with two rows', run('SELECT (SELECT id FROM users)'), 'd'],
    ['a function that fails', run('SELECT fail()'), 'r', /^disk error\.$/],
    ['a statement that took too long', tooLong, 's', /Check for a locked table/],
    ['a statement that was ended', run(slow, kill('QUERY')), 'pr', /interrupted/],
    ['a session that was ended', run('SELECT sleep(5)', kill('CONNECTION')), 'cpr'],
  ])
})
