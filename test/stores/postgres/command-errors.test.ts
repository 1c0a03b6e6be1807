// What is wrong with a PostgreSQL database is said in one line that names the setting and not the secret.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sample, temporaryFolder } from '../../support/gateway.ts'
import { PostgresServer } from '../../support/postgres/server.ts'
import { runLookup } from '../../support/run-lookup.ts'

let server: PostgresServer
const folder = temporaryFolder()
beforeAll(async () => {
  server = await PostgresServer.start(inject('postgres').programs)
  await server.run('CREATE DATABASE forum')
  await server.run(`CREATE DATABASE faulty`)
  await server.run(
    `CREATE ROLE app LOGIN PASSWORD 'right'; CREATE SCHEMA empty; GRANT USAGE ON SCHEMA empty TO app`,
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
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const run = (args: readonly string[], url: string, replicas = '') =>
  runLookup(args, {
    cwd: folder.path,
    env: { DATABASE_URL: url, DATABASE_REPLICA_URLS: replicas, PORT: '0', ADMIN_PORT: '0' },
  })
const app = (rest: string, password = ':right') =>
  `postgres://app${password}@127.0.0.1:${server.port}/${rest}`

const cases: readonly (readonly [what: string, url: () => string, says: RegExp])[] = [
  [
    'a wrong password',
    () => app('forum', ':wr0ng'),
    /authentication failed for user "app". Check the user and the password\./,
  ],
  [
    'no password',
    () => app('forum', ''),
    /a password is needed, and none is given\. Check the user and the password\./,
  ],
  ['an unknown role', () => app('forum').replace('app', 'nobody'), /authentication failed for user "nobody"/],
  ['an unknown database', () => app('none'), /database "none" does not exist\. Make the database first/],
  [
    'a role without rights',
    () => app('forum'),
    /permission denied for table users\. Grant its role what it needs/,
  ],
  [
    'no tables',
    () => app('forum?options=-c%20search_path%3Dempty'),
    /relation "users" does not exist\. "lookup migrate" makes/,
  ],
  [
    'nobody at the port',
    () => 'postgres://app:right@127.0.0.1:1/forum',
    /ECONNREFUSED 127\.0\.0\.1:1\. Is the server running/,
  ],
  [
    'a name with several addresses',
    () => 'postgres://app:right@localhost:1/forum',
    /ECONNREFUSED .*:1\. Is the server running/,
  ],
  [
    'an unknown host',
    () => 'postgres://app:right@db.invalid/forum',
    /(?:ENOTFOUND|EAI_AGAIN) db\.invalid\. Is the server running/,
  ],
  [
    'no TLS there',
    () => app('forum?sslmode=verify-full'),
    /does not support SSL connections\. Leave out sslmode/,
  ],
  [
    'a certificate that is no file',
    () => app('forum?sslrootcert=/none.pem'),
    /no such file or directory, open '\/none\.pem'\./,
  ],
  ['options that are none', () => app('forum?options=--nonsense'), /--nonsense requires a value\./],
  [
    'columns that lack or are of another type, all of them',
    () => app('faulty'),
    /: users has no column rank; users\.join_date is of type numeric, and must be bigint, integer or smallint; users\.banned is of type text, and must be boolean; apps has no column title\./,
  ],
]

describe.for(cases)('%s', ([, url, says]) => {
  test('of the primary', async () => {
    const { status, stdout, stderr } = await run(['serve'], url())
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(says)
    expect(stderr).toMatch(/^The database of DATABASE_URL \(.*\) cannot be used: .*\n$/)
    expect(stderr).not.toMatch(/right|wr0ng|\n\s+at /)
  })
})

test('of several servers each has its line', async () => {
  const { status, stderr } = await run(
    ['serve'],
    server.url('forum'),
    `${app('forum', ':wr0ng')}, ${app('faulty')}`,
  )
  expect(status).toBe(1)
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /^The database of DATABASE_REPLICA_URLS \(.*\/forum\) cannot be used: .*authentication failed/,
    ),
    expect.stringMatching(
      /^The database of DATABASE_REPLICA_URLS \(.*\/faulty\) cannot be used: .*has no column/,
    ),
  ])
  expect(stderr).not.toMatch(/right|wr0ng/)
})

test.for([['migrate'], ['export', 'users'], ['import', 'users', sample.users]])(
  '%s says it too',
  async (args) => {
    const { status, stderr } = await run(args, app('forum', ':wr0ng'))
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /The database of DATABASE_URL \(.*\/forum\) cannot be used: .*authentication failed.*\n$/,
    )
    expect(stderr).not.toContain('wr0ng')
  },
)

test('a server that logs in and then says nothing is not waited for', async () => {
  const login = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]) // authenticated, ready
  const silent = createServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.write(login)),
  )
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const address = silent.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const { status, stderr } = await run(['serve'], `postgres://app@127.0.0.1:${port}/x`)
  expect(status).toBe(1)
  expect(stderr).toMatch(/cannot be used: no answer within 1000 ms\. Is the server running/)
  silent.close()
})
