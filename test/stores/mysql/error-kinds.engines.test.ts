// What a lookup does about the errors of MariaDB and MySQL, on errors that real servers make.

import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { errors } from '../../../src/stores/mysql/errors.ts'
import { makeForum } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { errorKindsSuite, kindsOf } from '../servers/error-kinds-suite.ts'

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  let server: MysqlServer
  beforeAll(async () => {
    server = await MysqlServer.start(flavour)
    await makeForum(mysqlEngine(flavour), server)
    await server.run(
      `CREATE USER single; GRANT SELECT ON forum.* TO single; ALTER USER single WITH MAX_USER_CONNECTIONS 1;
       CREATE TABLE names (name varchar(9) CHARACTER SET latin1); INSERT INTO names VALUES (1)`,
      'forum',
    )
  })
  afterAll(() => server.remove())

  async function connect(user = 'root'): Promise<Connection> {
    const client = await createConnection({ host: '127.0.0.1', port: server.port, user, database: 'forum' })
    client.on('error', () => {})
    onTestFinished(async () => client.destroy())
    return client
  }
  async function failureOf(sql: string, after?: (client: Connection) => unknown): Promise<unknown> {
    const client = await connect()
    const failure = client.query(sql).then(
      () => expect.unreachable(),
      (error: unknown) => error,
    )
    await after?.(client)
    return failure
  }
  const kill = (how: string) => async (client: Connection) => {
    const { threadId } = client
    await pause(100)
    await server.run(`KILL ${how} ${threadId}`)
  }
  const limited = flavour === 'mariadb' ? 'max_statement_time = 0.01' : 'max_execution_time = 10'

  errorKindsSuite(kindsOf(errors), [
    ['a value out of range', () => failureOf('SELECT CAST(1 AS UNSIGNED) - 2 FROM names'), ['isAboutData']],
    [
      'a text that a character set lacks',
      () => failureOf(`SELECT 1 FROM names WHERE name IN (_utf8mb4 x'e697a5')`),
      ['isAboutData', 'isUntranslatable'],
    ],
    [
      'two texts that a character set lacks',
      () =>
        failureOf(
          `SELECT 1 FROM names WHERE name IN (_utf8mb4 x'61', _utf8mb4 x'e697a5', _utf8mb4 x'e69cac')`,
        ),
      ['isAboutData', 'isUntranslatable'],
    ],
    ['a subquery with two rows', () => failureOf('SELECT (SELECT id FROM users)'), ['isAboutData']],
    [
      'a statement that took too long',
      async () => {
        const client = await connect()
        await client.query(`SET ${limited}`)
        return client.query('SELECT 1 FROM users WHERE sleep(0.1) = 0').catch((error: unknown) => error)
      },
      ['isStatementTooSlow'],
    ],
    [
      'a statement that was ended',
      () => failureOf('SELECT count(*) FROM users WHERE sleep(1) = 0', kill('QUERY')),
      ['isWorthRetrying', 'isPassing', 'isCancelled'],
    ],
    [
      'a session that was ended',
      () => failureOf('SELECT sleep(5)', kill('CONNECTION')),
      ['isWorthRetrying', 'isConnectionLost', 'isPassing'],
    ],
    ['a table that is not there', () => failureOf('SELECT 1 FROM nothing'), ['isWorthRetrying']],
    [
      'a user with too many connections',
      async () => {
        await connect('single')
        return connect('single').catch((error: unknown) => error)
      },
      ['isWorthRetrying', 'isPassing'],
    ],
    [
      'an error of Node',
      async () => Object.assign(new Error('read ECONNRESET'), { errno: -104, code: 'ECONNRESET' }),
      ['isWorthRetrying', 'isConnectionLost', 'isPassing'],
    ],
  ])
})
