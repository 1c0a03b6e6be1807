// What PostgreSQL's errors mean, on errors that real servers make. That of a certificate is in
// postgres-tls.test.ts.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { describeError, isPassing, unusable } from '../../../src/stores/postgres/errors.ts'
import { QueryTimeout } from '../../../src/stores/servers/errors.ts'
import { UnusableDatabase } from '../../../src/stores/store.ts'
import { PostgresServer } from '../../kit/postgres/server.ts'
import { failureAt, failureOfLogin, failuresOfPool, raised } from './failures.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start(inject('postgres').programs)
  await server.run(
    `CREATE ROLE reader LOGIN PASSWORD 'right'; CREATE ROLE gone NOLOGIN PASSWORD 'right';
     CREATE ROLE crowd LOGIN PASSWORD 'right' CONNECTION LIMIT 0; CREATE TABLE kept (id integer)`,
  )
  const rules = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'
  writeFileSync(join(server.folder, 'pg_hba.conf'), rules)
  await server.run('SELECT pg_reload_conf()')
  await vi.waitFor(() => failureAt(as('reader', ':wrong')), 10_000)
})
afterAll(() => server.stop())

const as = (user: string, password = ':right') => server.url().replace('postgres@', `${user}${password}@`)

async function locked(): Promise<unknown> {
  const holder = new pg.Client({ connectionString: server.url() })
  await holder.connect()
  await holder.query('BEGIN; LOCK TABLE kept')
  return failureAt(server.url(), 'BEGIN; LOCK TABLE kept NOWAIT').finally(() => holder.end())
}

const LOGIN = 'Check the user and the password.'
const RUNNING = 'Check that the server is running and that the address is correct.'
const FAR = 'If the server is far away, raise DATABASE_TIMEOUT.'
const SLOW = `Check for a locked table (pg_locks) and for overload. ${FAR}`
const SCHEMA =
  'Run "lookup migrate" to create missing tables. If they exist, set their schema in search_path.'
const TLS =
  'Set sslrootcert=FILE to the certificate authority, or sslmode=no-verify to encrypt without verification.'

type Case = readonly [what: string, fail: () => Promise<unknown>, says: string, isPassing: boolean]
const cases: readonly Case[] = [
  [
    'a wrong password',
    () => failureAt(as('reader', ':wrong')),
    `password authentication failed for user "reader". ${LOGIN}`,
    false,
  ],
  [
    'a role that may not log in',
    () => failureAt(as('gone')),
    `role "gone" is not permitted to log in. ${LOGIN}`,
    false,
  ],
  [
    'no password',
    () => failureAt(as('reader', '')),
    `a password is required, and none is set. ${LOGIN}`,
    false,
  ],
  [
    'a rule that has no such user',
    () => raised(server.url(), '28000', 'no pg_hba.conf entry.'),
    `no pg_hba.conf entry. ${LOGIN}`,
    false,
  ],
  [
    'a column with the number of another class',
    () => failureAt(server.url(), 'SELECT number_28 FROM kept'),
    'column "number_28" does not exist.',
    false,
  ],
  [
    'no such database',
    () => failureAt(server.url('none')),
    'database "none" does not exist. Create the database (createdb), or correct its name.',
    false,
  ],
  [
    'no such schema',
    () => failureAt(server.url(), 'CREATE TABLE none.users (id integer)'),
    `schema "none" does not exist. ${SCHEMA}`,
    false,
  ],
  [
    'no such table',
    () => failureAt(server.url(), 'SELECT FROM users'),
    `relation "users" does not exist. ${SCHEMA}`,
    false,
  ],
  [
    'a role without rights',
    () => failureAt(as('reader'), 'SELECT FROM kept'),
    'permission denied for table kept. To serve, grant the role SELECT on users and apps. To import, grant SELECT, INSERT and DELETE on them, and CREATE on the schema for missing tables.',
    false,
  ],
  [
    'a table that is locked',
    locked,
    'could not obtain lock on relation "kept". Another import may be running. Try again when it has ended.',
    false,
  ],
  [
    'too many connections',
    () => failureAt(as('crowd')),
    'too many connections for role "crowd". Raise max_connections on the server, or lower DATABASE_CONNECTIONS.',
    true,
  ],
  ['no memory there', () => raised(server.url(), '53200'), 'so it is.', true],
  ['a server that starts', () => raised(server.url(), '57P03'), 'so it is.', true],
  ['a session that is ended', () => raised(server.url(), '57P01'), 'so it is.', true],
  ['a statement that is too slow', () => raised(server.url(), '57014'), 'so it is.', false],
  [
    'a statement that PostgreSQL ends',
    () => failureAt(server.url(), 'SET statement_timeout = 10; SELECT pg_sleep(5)'),
    `canceling statement due to statement timeout. ${SLOW}`,
    false,
  ],
  ['a connection that PostgreSQL calls broken', () => raised(server.url(), '08006'), 'so it is.', true],
  ['a state that only ends like one of these', () => raised(server.url(), '42P08'), 'so it is.', false],
  [
    'a certificate',
    async () => new Error('self-signed certificate'),
    `self-signed certificate. ${TLS}`,
    false,
  ],
  [
    'no TLS there',
    () => failureAt(`${server.url()}?sslmode=require`),
    'The server does not support SSL connections. Remove sslmode, or enable TLS on the server.',
    false,
  ],
  [
    'nothing at the port',
    () => failureAt('postgres://a@127.0.0.1:1/x'),
    `connect ECONNREFUSED 127.0.0.1:1. ${RUNNING}`,
    true,
  ],
  ['a server that hangs up', () => failureOfLogin(true), 'Connection terminated unexpectedly.', true],
  [
    'a login without an answer',
    () => failureOfLogin(false),
    `no connection in time. ${RUNNING} ${FAR}`,
    true,
  ],
  [
    'a query without an answer',
    async () => new QueryTimeout(150),
    `no response within 150 ms. ${SLOW}`,
    true,
  ],
  ...[
    'ENOTFOUND db.invalid',
    'EAI_AGAIN db',
    'EHOSTUNREACH ::1:1',
    'ENETUNREACH ::1:1',
    'ETIMEDOUT ::1:1',
  ].map(
    (text): Case => [text, async () => new Error(`connect ${text}`), `connect ${text}. ${RUNNING}`, true],
  ),
  [
    'two addresses with nothing at their ports',
    async () => new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new QueryTimeout(9)]),
    `connect ECONNREFUSED ::1:1; no response within 9 ms. ${RUNNING}`,
    true,
  ],
  [
    'two addresses, one of them with another trouble',
    async () => new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('bad')]),
    `connect ECONNREFUSED ::1:1; bad. ${RUNNING}`,
    false,
  ],
  ['what is no error', async () => 'odd', 'odd.', false],
  ['several lines', async () => new Error('one. \nTIMEOUT'), 'one.', false],
]

test.for(cases)('%s', async ([, fail, says, passes]) => {
  const error = await fail()
  expect(describeError(error)).toBe(says)
  expect(isPassing(error)).toBe(passes)
})

test('a connection that is not there in time, in any words of the driver', async () => {
  const failures = await failuresOfPool()
  expect(failures.map((failure) => failure instanceof Error && failure.message)).toEqual([
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
  ])
  for (const failure of failures) {
    expect(describeError(failure)).toBe(`no connection in time. ${RUNNING} ${FAR}`)
    expect(isPassing(failure)).toBe(true)
  }
})

test('it is told to the operator with the setting and the address, without the secret', async () => {
  const url = as('reader', ':wrong')
  const error = unusable('DATABASE_REPLICA_URLS', url, await failureAt(url))
  expect(error).toBeInstanceOf(UnusableDatabase)
  const address = `127.0.0.1:${server.port}/postgres`
  expect(error.message).toBe(
    `The database of DATABASE_REPLICA_URLS (${address}) cannot be used: password authentication failed for user "reader". ${LOGIN}`,
  )
})
