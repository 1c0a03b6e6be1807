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
  errorSuite(errors, [
    ['a wrong password', logIn('', ':wrong'), 'lr', /^password authentication failed .*\. Check the user/],
    ['no password', logIn('', ''), 'r', /^a password is required, and none is set\. Check/],
    ['a role that may not log in', logIn('_gone', ':right'), 'lr'],
    ['too many connections', logIn('_crowd', ''), 'pfr', /^too many connections .*Raise max_connections/],
    [
      'no rights',
      logIn('', ':right', 'SELECT FROM kept'),
      'r',
      /^permission denied .*search_path.*SELECT on/,
    ],
    ['no such database', () => failureAt(`${database().url}_`), 'r', /Create the database/],
    ['no such schema', run('CREATE TABLE none.users ()'), 'r', /Run "lookup migrate"/],
    ['no such table', run('SELECT FROM users'), 'r', /Run "lookup migrate".* search_path/],
    [
      'a forum without search_path',
      run('SELECT chat_id FROM kept'),
      'r',
      /not exist\. Correct .*search_path/,
    ],
    ['a column with the number of a class', run('SELECT number_28 FROM kept'), 'r', /not exist\.$/],
    ['no TLS there', () => failureAt(`${database().url}?sslmode=require`), 'r', /Remove sslmode/],
    ['a locked table', lockOut, 'sr', /Another import may be running/],
    ['a value out of range', run('SELECT 70000::smallint'), 'd', /out of range/],
    ['a character that an encoding lacks', raise('22P05'), 'du'],
    ['a statement that took too long', run('SET statement_timeout = 10; SELECT pg_sleep(5)'), 's', /locked/],
    ['a session that is ended', run('SELECT pg_terminate_backend(pg_backend_pid())'), 'cpr'],
    ['a broken connection', raise('08003'), 'cpr', /^so it is\.$/],
    ['a server that starts', raise('57P03'), 'pr'],
    ['no memory there', raise('53200'), 'pr'],
    ['a failing disk', raise('58030'), 'r'],
    ['text with states', raise('P0001', '08006 22P05 57014'), 'r', /^08006 22P05 57014\.$/],
  ])
})
