// Passwords and users are replaced while lookups go on, as an orchestrator does it: in files.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { makeTables } from '../../src/stores/transfer.ts'
import { fill, sample, temporaryFolder } from '../kit/gateway.ts'
import { ask, startLoad } from '../kit/load.ts'
import { readLog } from '../kit/log.ts'
import { locate } from '../kit/postgres/database.ts'
import { PostgresServer } from '../kit/postgres/server.ts'
import { runLookup } from '../kit/run-lookup.ts'
import { originOf, serve } from '../kit/serving.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await PostgresServer.start(inject('postgres').programs)
  const location = locate(server.url())
  await makeTables(location)
  await fill(location, 'users', sample.users)
  await fill(location, 'apps', sample.apps)
  // The superuser alone comes in without a password.
  const rules = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'
  writeFileSync(join(server.folder, 'pg_hba.conf'), rules)
  await server.run('SELECT pg_reload_conf()')
})
afterAll(() => server.stop())

let folder: string
beforeEach(async () => {
  const made = temporaryFolder()
  onTestFinished(made.remove)
  folder = made.path
  await makeRole('reader', 'first')
})

const fileOf = (name: string) => join(folder, name)
const write = (name: string, text: string) => writeFileSync(fileOf(name), `${text}\n`)
const urlOf = (user: string, password = '') =>
  server.url().replace('postgres@', `${user}${password === '' ? '' : `:${password}`}@`)
const endSessions = (user: string) =>
  server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${user}'`)

const sessionsOf = (user: string) => server.run(`SELECT pid FROM pg_stat_activity WHERE usename = '${user}'`)

async function makeRole(user: string, password: string): Promise<void> {
  await server.run(`DROP OWNED BY ${user}`).catch(() => {})
  await server.run(`DROP ROLE IF EXISTS ${user}; CREATE ROLE ${user} LOGIN PASSWORD '${password.replaceAll("'", "''")}';
    GRANT SELECT ON users, apps TO ${user}`)
}

async function start(env: Readonly<Record<string, string>>) {
  const serving = await serve({ cwd: folder, env, timeout: 60_000 })
  const log = readLog(serving.process.stderr)
  const url = originOf(serving.shown['Legacy JSON'])
  return { ...serving, url, log, lookup: () => ask(`${url}/?Event=ProfileLookup&Users=1`) }
}

test('a password that is replaced in its file, and then in the database, fails no request', async () => {
  write('password', 'first')
  const { url, log } = await start({
    DATABASE_URL: urlOf('reader'),
    DATABASE_PASSWORD_FILE: fileOf('password'),
  })
  const load = startLoad(url)
  await pause(300)
  for (const password of ['second', "th'ird/%"]) {
    write('password', password)
    await server.run(`ALTER ROLE reader PASSWORD '${password.replaceAll("'", "''")}'`)
    await endSessions('reader')
    await pause(500)
  }
  const asked = await load.stop()
  expect(asked.length).toBeGreaterThan(100)
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  expect(log.of('server-out')).toEqual([])
  expect(await sessionsOf('reader')).not.toEqual([])
})

test('a password may be in its file long before it is in the database', async () => {
  write('password', 'first')
  const { url, log } = await start({
    DATABASE_URL: urlOf('reader'),
    DATABASE_PASSWORD_FILE: fileOf('password'),
  })
  const load = startLoad(url)
  await pause(300)
  write('password', 'second')
  // Longer than a login that was refused is left alone.
  for (let time = 0; time < 12; time++) {
    await endSessions('reader')
    await pause(500)
  }
  expect(await sessionsOf('reader')).not.toEqual([])
  await server.run(`ALTER ROLE reader PASSWORD 'second'`)
  for (let time = 0; time < 3; time++) {
    await endSessions('reader')
    await pause(500)
  }
  const asked = await load.stop()
  expect(asked.length).toBeGreaterThan(100)
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  expect(log.of('server-out')).toEqual([])
  expect(await sessionsOf('reader')).not.toEqual([])
})

test('where neither the new login nor the one before works, the new one is named', async () => {
  write('url', urlOf('reader', 'first'))
  const { log } = await start({ DATABASE_URL_FILE: fileOf('url') })
  const out = log.next('server-out', 5000)
  write('url', urlOf('newcomer', 'second'))
  await server.run(`ALTER ROLE reader PASSWORD 'third'`)
  await endSessions('reader')
  expect(await out).toMatchObject({ reason: expect.stringContaining('user "newcomer"') })
})

test('a login that fails is followed by one with the new password, without a signal', async () => {
  write('password', 'first')
  const { lookup, log } = await start({
    DATABASE_URL: urlOf('reader'),
    DATABASE_PASSWORD_FILE: fileOf('password'),
  })
  const out = log.next('server-out', 5000)
  await server.run(`ALTER ROLE reader PASSWORD 'second'`)
  await endSessions('reader')
  expect(await lookup()).toMatchObject({ status: 503 })
  const { reason } = await out
  expect(reason).toMatch(/password authentication failed.* Check the user and the password/)
  // A file that is being written, or is not there, does no harm.
  write('password', '')
  await pause(300)
  const back = log.next('server-back', 5000)
  write('password', 'second')
  expect(await lookup()).toMatchObject({ status: 200 })
  await back
  expect(log.of('reloaded')).toEqual([])
})

test('a user that is replaced in the file of the URL, with its replicas, fails no request', async () => {
  await makeRole('other', 'second')
  const write2 = (login: readonly [string, string]) => {
    write('url', urlOf(...login))
    write('replicas', `${urlOf(...login)},${urlOf(...login).replace('127.0.0.1', 'localhost')}`)
  }
  write2(['reader', 'first'])
  const { url } = await start({
    DATABASE_URL_FILE: fileOf('url'),
    DATABASE_REPLICA_URLS_FILE: fileOf('replicas'),
  })
  const load = startLoad(url)
  await pause(300)
  write2(['other', 'second'])
  await server.run('ALTER ROLE reader NOLOGIN')
  await endSessions('reader')
  await pause(1000)
  const asked = await load.stop()
  expect(asked.filter(({ status }) => status !== 200)).toEqual([])
  const users = await server.run(
    `SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'lookup-service'`,
  )
  expect(users).toEqual([['other']])
})

test('SIGHUP has workers read the files, and a process alone as well', async () => {
  write('url', urlOf('reader', 'first'))
  const alone = await start({ DATABASE_URL_FILE: fileOf('url') })
  const many = await start({ DATABASE_URL_FILE: fileOf('url'), WORKERS: '2' })
  // Another database, of another user: what no new connection takes from the file by itself.
  await server.run('CREATE DATABASE moved TEMPLATE template0')
  onTestFinished(async () => {
    await server.run('DROP DATABASE moved WITH (FORCE)')
  })
  const moved = locate(server.url('moved'))
  await makeTables(moved)
  await fill(moved, 'users', sample.users)
  await server.run(
    `UPDATE users SET display_name = 'moved' WHERE id = 1; GRANT SELECT ON users, apps TO reader`,
    'moved',
  )
  write('url', urlOf('reader', 'first').replace(/postgres$/, 'moved'))
  await pause(1500)
  for (const { lookup } of [alone, many]) expect((await lookup()).body).not.toContain('moved')
  const renewed = [alone.log.next('reloaded', 15_000), many.log.next('restarted', 15_000)]
  for (const { process } of [alone, many]) process.kill('SIGHUP')
  await Promise.all(renewed)
  for (const { lookup } of [alone, many]) expect((await lookup()).body).toContain('moved')
  await server.run(`REASSIGN OWNED BY reader TO postgres; DROP OWNED BY reader`, 'moved')
})

test('commands read the files, too, and show no secret', async () => {
  await makeRole('owner', "o'wner")
  await server.run('GRANT ALL ON users, apps TO owner; GRANT CREATE ON SCHEMA public TO owner')
  write('url', urlOf('owner'))
  write('password', "o'wner")
  const env = { DATABASE_URL_FILE: fileOf('url'), DATABASE_PASSWORD_FILE: fileOf('password') }
  const run = (...args: string[]) => runLookup(args, { cwd: folder, env })
  expect(await run('migrate')).toMatchObject({ status: 0, stderr: '' })
  const exported = await run('export', 'apps')
  expect(exported).toMatchObject({ status: 0, stderr: '' })
  writeFileSync(fileOf('apps.jsonl'), exported.stdout)
  expect(await run('import', 'apps', 'apps.jsonl', '--replace')).toMatchObject({ status: 0 })
  const { stdout } = await run('serve', '--print-config')
  expect(stdout).toContain(`DATABASE_URL=postgres://***@127.0.0.1:${server.port}/postgres `)
  write('password', 'wrong-secret')
  const failed = await run('export', 'apps')
  expect(failed).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Check the user and the password'),
  })
  for (const shown of [stdout, failed.stderr]) expect(shown).not.toMatch(/o'wner|o%27wner|secret/)
  await server.run('DROP OWNED BY owner; DROP ROLE owner')
})
