// TLS to PostgreSQL, as the parameters of the URL say.

import { afterEach, describe, expect, test } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import { useServer, watchStore } from '../../kit/engines.ts'
import { locate, PostgresServer } from '../../kit/postgres/server.ts'
import { makeCertificate } from '../servers/certificate.ts'

describe('TLS', () => {
  let files: ReturnType<typeof makeCertificate>
  const server = useServer(
    () => PostgresServer.start(),
    async (one) => {
      await makeTables(locate(one.url()))
      files = makeCertificate(one.folder)
      await one.run(`ALTER SYSTEM SET ssl_cert_file = '${files.certificate}'`)
      await one.run(`ALTER SYSTEM SET ssl_key_file = '${files.key}'`)
      await one.run('ALTER SYSTEM SET ssl = on')
      await one.run('SELECT pg_reload_conf()')
    },
  )
  const sessions = `pg_stat_activity WHERE application_name = 'lookup-service'`
  const watch = (parameters: string, host = '127.0.0.1') => {
    const url = `${server().url()}?${parameters}`.replace('FILE', files.certificate)
    return watchStore(locate(url.replace('127.0.0.1', host)))
  }

  test.for<[parameters: string, host: string, outcome: 0 | 1 | RegExp]>([
    ['', '127.0.0.1', 0],
    ['sslmode=no-verify', '127.0.0.1', 1],
    ['sslmode=disable', '127.0.0.1', 0],
    // As libpq: not verified without an authority, and never for its name.
    ['sslmode=require', 'localhost', 1],
    ['sslmode=require&channel_binding=require', 'localhost', 1],
    ['sslmode=require&sslrootcert=FILE', 'localhost', 1],
    ['sslmode=prefer', '127.0.0.1', 1],
    ['sslmode=verify-ca&sslrootcert=FILE', 'localhost', 1],
    ['sslmode=verify-full&sslrootcert=FILE', '127.0.0.1', 1],
    ['sslmode=verify-full', '127.0.0.1', /cannot be used: self-signed certificate.* Set sslrootcert=FILE/],
    ['sslmode=verify-full&sslrootcert=FILE', 'localhost', /does not match certificate/],
  ])('"%s" to %s', async ([parameters, host, outcome]) => {
    const watched = watch(parameters, host)
    if (outcome instanceof RegExp) {
      await expect(watched).rejects.toThrow(outcome)
      return
    }
    const { store } = await watched
    await store.ready()
    const encrypted = `SELECT DISTINCT ssl FROM pg_stat_ssl WHERE pid IN (SELECT pid FROM ${sessions})`
    expect(await server().run(encrypted)).toEqual([[outcome]])
    await store.close()
    await expect.poll(() => server().run(`SELECT FROM ${sessions}`)).toEqual([])
  })

  describe('a certificate that has expired', () => {
    async function renew(days: number): Promise<void> {
      files.renew(days)
      await server().run('SELECT pg_reload_conf()')
    }
    afterEach(() => renew(2))

    test('takes a running server out until it is renewed', async () => {
      const { store, of } = await watch('sslmode=verify-full&sslrootcert=FILE')
      await renew(-1)
      await server().run(`SELECT pg_terminate_backend(pid) FROM ${sessions}`)
      const reason = expect.stringContaining('certificate has expired. Renew the certificate')
      await expect.poll(() => of('server-out'), { timeout: 5000 }).toMatchObject([{ reason }])
      await renew(2)
      // The authority is this certificate itself: the gateway has read it again, too.
      await expect.poll(() => of('server-back'), { timeout: 5000 }).toHaveLength(1)
      await store.ready()
    })
  })
})
