// What PostgreSQL's errors mean, on errors of a real server.

import pg from 'pg'
import { describe } from 'vitest'
import { errors } from '../../../src/stores/postgres/errors.ts'
import { useDatabase } from '../../kit/engines.ts'
import { postgresEngine } from '../../kit/postgres/engine.ts'
import { errorSuite, failureOf } from '../servers/error-suite.ts'

const database = useDatabase(postgresEngine, ({ run, name }) =>
  run(
    `CREATE ROLE ${name} LOGIN PASSWORD 'right' IN ROLE with_password;
     CREATE ROLE ${name}_gone NOLOGIN PASSWORD 'right' IN ROLE with_password;
     CREATE ROLE ${name}_crowd LOGIN CONNECTION LIMIT 0; CREATE TABLE kept (id integer)`,
  ),
)
const urlOf = (suffix: string, password: string) =>
  database().url.replace('postgres@', `${database().name}${suffix}${password}@`)

/** What a connection, or a statement over it, fails with. */
async function failureAt(url: string, sql = 'SELECT'): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  return failureOf(client.connect().then(() => client.query(sql))).finally(() => client.end().catch(() => {}))
}
const run = (sql: string) => () => failureAt(database().url, sql)
/** An error of this state. */
const raise = (state: string, text = 'so it is') =>
  run(`DO $$ BEGIN RAISE '${text}' USING ERRCODE = '${state}'; END $$`)
const logIn = (suffix: string, password: string, sql?: string) => () =>
  failureAt(urlOf(suffix, password), sql)

async function lockOut(): Promise<unknown> {
  const holder = await database().connect()
  await holder.run('BEGIN; LOCK TABLE kept')
  return failureAt(database().url, 'BEGIN; LOCK TABLE kept NOWAIT').finally(holder.end)
}

describe('an error', () => {
  const soItIs = /^so it is\.$/
  errorSuite(errors, [
    [
      'a wrong password',
      logIn('', ':wrong'),
      /^password authentication failed for user "\w+"\. Check the user and the password\.$/,
      ['isLoginRefused', 'isWorthRetrying'],
    ],
    ['no password', logIn('', ''), /^a password is required, and none is set\. Check/, ['isWorthRetrying']],
    [
      'a role that may not log in',
      logIn('_gone', ':right'),
      /is not permitted to log in\. Check the user/,
      ['isLoginRefused', 'isWorthRetrying'],
    ],
    [
      'too many connections',
      logIn('_crowd', ''),
      /^too many connections for role .*Raise max_connections/,
      ['isPassing', 'isServerFull', 'isWorthRetrying'],
    ],
    [
      'no rights',
      logIn('', ':right', 'SELECT FROM kept'),
      /^permission denied for table kept\. If the views are in another schema, set it in search_path.*SELECT on users and apps\./,
      ['isWorthRetrying'],
    ],
    [
      'no such database',
      () => failureAt(`${database().url}_`),
      /does not exist\. Create the database \(createdb\)/,
      ['isWorthRetrying'],
    ],
    ['no such schema', run('CREATE TABLE none.users ()'), /Run "lookup migrate"/, ['isWorthRetrying']],
    ['no such table', run('SELECT FROM users'), /Run "lookup migrate"/, ['isWorthRetrying']],
    [
      'a table of a forum, for want of search_path',
      run('SELECT chat_id FROM kept'),
      /^column "chat_id" does not exist\. Correct the view or table\. .* search_path/,
      ['isWorthRetrying'],
    ],
    [
      'a column with the number of a class',
      run('SELECT number_28 FROM kept'),
      /^column "number_28" does not exist\.$/,
      ['isWorthRetrying'],
    ],
    [
      'no TLS there',
      () => failureAt(`${database().url}?sslmode=require`),
      /does not support SSL connections\. Remove sslmode/,
      ['isWorthRetrying'],
    ],
    ['a locked table', lockOut, /Another import may be running/, ['isStatementTooSlow', 'isWorthRetrying']],
    ['a value out of range', run('SELECT 70000::smallint'), /out of range/, ['isAboutData']],
    ['a character that an encoding lacks', raise('22P05'), soItIs, ['isAboutData', 'isUntranslatable']],
    [
      'a statement that took too long',
      run('SET statement_timeout = 10; SELECT pg_sleep(5)'),
      /^canceling statement due to statement timeout\. Check for a locked table/,
      ['isStatementTooSlow'],
    ],
    [
      'a session that is ended',
      run('SELECT pg_terminate_backend(pg_backend_pid())'),
      /terminating connection/,
      ['isConnectionLost', 'isPassing', 'isWorthRetrying'],
    ],
    ['a broken connection', raise('08003'), soItIs, ['isConnectionLost', 'isPassing', 'isWorthRetrying']],
    ['a server that starts', raise('57P03'), soItIs, ['isPassing', 'isWorthRetrying']],
    ['no memory there', raise('53200'), soItIs, ['isPassing', 'isWorthRetrying']],
    ['a failing disk', raise('58030'), soItIs, ['isWorthRetrying']],
    ['a function that fails', raise('P0001'), soItIs, ['isWorthRetrying']],
    ['a state that ends like another one', raise('42P22'), soItIs, ['isWorthRetrying']],
    ['text with states', raise('P0001', '08006 22P05 57014'), /^08006 22P05 57014\.$/, ['isWorthRetrying']],
  ])
})
