// TLS to PostgreSQL, as the parameters of the URL say.

import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { locate } from '../../kit/postgres/database.ts'
import { giveAway } from '../../kit/postgres/programs.ts'
import { PostgresServer } from '../../kit/postgres/server.ts'
import { hasProgram } from '../../kit/programs.ts'

describe.skipIf(!hasProgram('openssl'))('a server with TLS', () => {
  let server: PostgresServer
  const certificate = () => join(server.folder, 'server.crt')
  beforeAll(async () => {
    server = await PostgresServer.start(inject('postgres').programs)
    await makeTables(locate(server.url()))
    const key = join(server.folder, 'server.key')
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    const flags = [
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      ...subject,
      '-keyout',
      key,
      '-out',
      certificate(),
    ]
    execFileSync('openssl', ['req', ...flags], { stdio: 'ignore' })
    for (const file of [key, certificate()]) giveAway(file)
    chmodSync(key, 0o600)
    await server.run(`ALTER SYSTEM SET ssl = on`)
    await server.run(`SELECT pg_reload_conf()`)
  })
  afterAll(() => server.stop())

  /** Whether the store's connections are encrypted: 0 or 1. */
  async function encrypted(parameters: string): Promise<unknown> {
    const store = await openStore(locate(`${server.url()}${parameters}`), () => {})
    try {
      await store.ready()
      const sessions = await server.run(
        `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'lookup-service'`,
      )
      return sessions.flat()
    } finally {
      await store.close()
    }
  }

  test('without parameters it is not used', async () => {
    expect(await encrypted('')).toEqual([0])
  })

  test('sslmode=no-verify encrypts, and checks no certificate', async () => {
    expect(await encrypted('?sslmode=no-verify')).toEqual([1])
  })

  test('sslmode=verify-full takes the authority that sslrootcert names', async () => {
    expect(await encrypted(`?sslmode=verify-full&sslrootcert=${certificate()}`)).toEqual([1])
  })

  test('sslmode=verify-full refuses any other, and says what to do', async () => {
    await expect(encrypted('?sslmode=verify-full')).rejects.toThrow(
      /^The database of DATABASE_URL \(.*\) cannot be used: self-signed certificate.* Set sslrootcert=FILE/,
    )
  })

  test('sslmode=verify-full refuses another name', async () => {
    const url = `${server.url().replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${certificate()}`
    await expect(openStore(locate(url), () => {})).rejects.toThrow(/does not match certificate/)
  })

  describe('whose certificate has expired', () => {
    const verified = () => `?sslmode=verify-full&sslrootcert=${certificate()}`
    const valid = () => readFileSync(certificate())

    /** Signs the server's key anew, for so many days from now. */
    async function renew(days: number): Promise<void> {
      const key = join(server.folder, 'server.key')
      const request = join(server.folder, 'server.csr')
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
      execFileSync('openssl', ['req', '-new', '-key', key, ...subject, '-out', request], { stdio: 'ignore' })
      const signing = ['-signkey', key, '-copy_extensions', 'copy', '-days', String(days)]
      const flags = ['x509', '-req', '-in', request, ...signing, '-out', certificate()]
      execFileSync('openssl', flags, { stdio: 'ignore' })
      await server.run('SELECT pg_reload_conf()')
    }

    test.for(['verify-full', 'verify-ca'])('sslmode=%s refuses it, and says what to do', async (mode) => {
      const before = valid()
      await renew(-1)
      await expect(encrypted(`?sslmode=${mode}&sslrootcert=${certificate()}`)).rejects.toThrow(
        /^The database of DATABASE_URL \(.*\) cannot be used: certificate has expired\. Renew the certificate/,
      )
      writeFileSync(certificate(), before)
      await server.run('SELECT pg_reload_conf()')
    })

    test('while it runs, is out until it is renewed', async () => {
      const seen: Observation[] = []
      const store = await openStore(locate(`${server.url()}${verified()}`), (one) => seen.push(one))
      const types = () => seen.map(({ type }) => type)
      await renew(-1)
      await server.run(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lookup-service'`,
      )
      await expect.poll(types, { timeout: 5000 }).toContain('server-out')
      expect(seen.find(({ type }) => type === 'server-out')).toMatchObject({
        reason: expect.stringContaining('certificate has expired. Renew the certificate'),
      })
      await renew(2)
      // The authority is this certificate itself: it was read again, too.
      await expect.poll(types, { timeout: 5000 }).toContain('server-back')
      await store.ready()
      await store.close()
    })
  })
})
