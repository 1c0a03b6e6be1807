// An orchestrator replaces users and URLs in files while lookups go on. For passwords, see
// test/stores/servers/passwords.engines.test.ts.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished } from 'vitest'
import { makeTables } from '../../src/stores/transfer.ts'
import { fill, sample } from '../kit/gateway.ts'
import { ask, startLoad } from '../kit/load.ts'
import { locate, PostgresServer } from '../kit/postgres/server.ts'
import { serve } from '../kit/serving.ts'
import { test as base } from '../kit/test.ts'

const quoted = (password: string) => `'${password.replaceAll("'", "''")}'`

describe('PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.start(inject('postgres').programs)
    const location = locate(server.url())
    await makeTables(location)
    await fill(location, 'users', sample.users)
    await fill(location, 'apps', sample.apps)
    // Only the superuser needs no password.
    const rules = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'
    writeFileSync(join(server.folder, 'pg_hba.conf'), rules)
    await server.run('SELECT pg_reload_conf()')
  })
  afterAll(() => server.stop())

  const urlOf = (user: string, password = '') =>
    server.url().replace('postgres@', `${user}${password === '' ? '' : `:${password}`}@`)
  const endSessions = (user: string) =>
    server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${user}'`)
  async function makeRole(user: string, password: string): Promise<void> {
    await server.run(`DROP OWNED BY ${user}`).catch(() => {})
    await server.run(`DROP ROLE IF EXISTS ${user}`)
    await server.run(`CREATE ROLE ${user} LOGIN PASSWORD ${quoted(password)}`)
    await server.run(`GRANT SELECT ON users, apps TO ${user}`)
  }

  /** A folder with files, and a role `reader` whose password is `first`. */
  const test = base.extend('files', async ({ place }) => {
    await makeRole('reader', 'first')
    const write = (name: string, text: string) => place.write(name, `${text}\n`)
    const pathOf = (name: string) => join(place.path, name)
    write('password', 'first')
    const withPassword = { DATABASE_URL: urlOf('reader'), DATABASE_PASSWORD_FILE: pathOf('password') }
    async function start(env: Readonly<Record<string, string>>) {
      // Time for a busy machine to log in.
      const patient = { DATABASE_TIMEOUT: '5000', ...env }
      const serving = await serve({ cwd: place.path, env: patient, timeout: 120_000 })
      const lookup = () => ask(`${serving.url}/?Event=ProfileLookup&Users=1`)
      return { ...serving, lookup }
    }
    return { write, pathOf, withPassword, start }
  })

  test('a user that is replaced in the file of the URL, with its replicas, fails no request', async ({
    files,
  }) => {
    await makeRole('other', 'second')
    const writeUrls = (user: string, password: string) => {
      const url = urlOf(user, password)
      files.write('url', url)
      files.write('replicas', `${url},${url.replace('127.0.0.1', 'localhost')}`)
    }
    writeUrls('reader', 'first')
    const replicas = files.pathOf('replicas')
    const { url } = await files.start({
      ...{ DATABASE_URL_FILE: files.pathOf('url'), DATABASE_REPLICA_URLS_FILE: replicas },
    })
    const load = startLoad(url, { clients: 4, pause: 20 })
    await pause(300)
    writeUrls('other', 'second')
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

  test('SIGHUP has workers read the files, and a process alone as well', async ({ files }) => {
    files.write('url', urlOf('reader', 'first'))
    const env = { DATABASE_URL_FILE: files.pathOf('url') }
    const [alone, many] = [await files.start(env), await files.start({ ...env, WORKERS: '2' })]
    // A new connection takes the user and the password from the file by itself, but no other database.
    await server.run('CREATE DATABASE moved TEMPLATE template0')
    onTestFinished(async () => {
      await server.run('DROP DATABASE moved WITH (FORCE)')
    })
    const moved = locate(server.url('moved'))
    await makeTables(moved)
    await fill(moved, 'users', sample.users)
    await server.run(`UPDATE users SET display_name = 'moved' WHERE id = 1`, 'moved')
    await server.run('GRANT SELECT ON users, apps TO reader', 'moved')
    files.write('url', urlOf('reader', 'first').replace(/postgres$/, 'moved'))
    await pause(1000)
    for (const { lookup } of [alone, many]) expect((await lookup()).body).not.toContain('moved')
    const renewed = [alone.log.next('reloaded', 40_000), many.log.next('restarted', 40_000)]
    for (const { process } of [alone, many]) process.kill('SIGHUP')
    await Promise.all(renewed)
    for (const { lookup } of [alone, many]) expect((await lookup()).body).toContain('moved')
    await server.run(`REASSIGN OWNED BY reader TO postgres; DROP OWNED BY reader`, 'moved')
  })

  test('commands read the files, too, and show no secret', async ({ files, place }) => {
    await makeRole('owner', "o'wner")
    await server.run('GRANT ALL ON users, apps TO owner; GRANT CREATE ON SCHEMA public TO owner')
    files.write('url', urlOf('owner'))
    files.write('password', "o'wner")
    const password = files.pathOf('password')
    const env = { DATABASE_URL_FILE: files.pathOf('url'), DATABASE_PASSWORD_FILE: password }
    expect(await place.run(['migrate'], { env })).toMatchObject({ status: 0, stderr: '' })
    const exported = await place.run(['export', 'apps'], { env })
    expect(exported).toMatchObject({ status: 0, stderr: '' })
    place.write('apps.jsonl', exported.stdout)
    const imported = await place.run(['import', 'apps', 'apps.jsonl', '--replace'], { env })
    expect(imported).toMatchObject({ status: 0 })
    const { stdout } = await place.run(['serve', '--print-config'], { env })
    expect(stdout).toContain(`DATABASE_URL=postgres://***@127.0.0.1:${server.port}/postgres `)
    files.write('password', 'wrong-secret')
    const failed = await place.run(['export', 'apps'], { env })
    const advice = expect.stringContaining('Check the user and the password')
    expect(failed).toMatchObject({ status: 1, stderr: advice })
    for (const shown of [stdout, failed.stderr]) expect(shown).not.toMatch(/o'wner|o%27wner|secret/)
    await server.run('DROP OWNED BY owner; DROP ROLE owner')
  })
})
