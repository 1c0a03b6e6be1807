// What is wrong with a PostgreSQL database is said in one line that names the setting and not the secret.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sample } from '../../kit/gateway.ts'
import { PostgresServer } from '../../kit/postgres/server.ts'
import {
  type CommandErrorCase,
  commandErrorsSuite,
  listenWith,
  PASSWORD,
  useCommands,
} from '../servers/command-errors-suite.ts'

const run = useCommands()
let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start(inject('postgres').programs)
  await server.run('CREATE DATABASE forum')
  await server.run(`CREATE DATABASE faulty`)
  await server.run(
    `CREATE ROLE app LOGIN PASSWORD '${PASSWORD}'; CREATE SCHEMA empty; GRANT USAGE ON SCHEMA empty TO app`,
    'forum',
  )
  const rules = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'
  writeFileSync(join(server.folder, 'pg_hba.conf'), rules)
  await server.run('SELECT pg_reload_conf()')
  for (const database of ['forum', 'faulty'])
    expect(await run(['migrate'], server.url(database))).toMatchObject({ status: 0, stderr: '' })
  await server.run(
    `ALTER TABLE users DROP COLUMN rank; ALTER TABLE users ALTER COLUMN banned TYPE text;
     ALTER TABLE users ALTER COLUMN join_date TYPE numeric; ALTER TABLE apps DROP COLUMN title;
     GRANT SELECT ON users, apps TO app`,
    'faulty',
  )
})
afterAll(() => server.remove())

const cases: readonly CommandErrorCase[] = [
  [
    'a wrong password',
    (app) => app('forum', ':wr0ng'),
    /authentication failed for user "app". Check the user and the password\./,
  ],
  [
    'no password',
    (app) => app('forum', ''),
    /a password is required, and none is set\. Check the user and the password\./,
  ],
  [
    'an unknown role',
    (app) => app('forum').replace('app', 'nobody'),
    /authentication failed for user "nobody"/,
  ],
  ['an unknown database', (app) => app('none'), /database "none" does not exist\. Create the database/],
  [
    'a role without rights',
    (app) => app('forum'),
    /permission denied for table users\. To serve, grant the role SELECT/,
  ],
  [
    'no tables',
    (app) => app('forum?options=-c%20search_path%3Dempty'),
    /relation "users" does not exist\. Run "lookup migrate" to create/,
  ],
  [
    'no TLS there',
    (app) => app('forum?sslmode=verify-full'),
    /does not support SSL connections\. Remove sslmode/,
  ],
  [
    'a certificate that is no file',
    (app) => app('forum?sslrootcert=/none.pem'),
    /no such file or directory, open '\/none\.pem'\./,
  ],
  ['options that are none', (app) => app('forum?options=--nonsense'), /--nonsense requires a value\./],
  [
    'columns that lack or are of another type, all of them',
    (app) => app('faulty'),
    /: users has no column rank; users\.join_date is of type numeric, and must be bigint, integer or smallint; users\.banned is of type text, and must be boolean; apps has no column title\./,
  ],
]

commandErrorsSuite({ scheme: 'postgres', server: () => server, cases, refusal: /authentication failed/ })

test.for([
  ['export', 'users'],
  ['import', 'users', sample.users],
])('%s says it too', async (args) => {
  const url = `postgres://app:wr0ng@127.0.0.1:${server.port}/forum`
  const { status, stderr } = await run(args, url)
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /The database of DATABASE_URL \(.*\/forum\) cannot be used: .*authentication failed.*\n$/,
  )
  expect(stderr).not.toContain('wr0ng')
})

test('a server that logs in and then says nothing is not waited for', async () => {
  const login = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]) // authenticated, ready
  const port = await listenWith((write) => write(login))
  const { status, stderr } = await run(['serve'], `postgres://app@127.0.0.1:${port}/x`)
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /cannot be used: no response within 1000 ms\. .*overload\. If the server is far away, raise DATABASE_TIMEOUT\./,
  )
})
