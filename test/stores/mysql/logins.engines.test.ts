// Ways to log in, and TLS, as users and URLs say.

import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { locate } from '../../kit/mysql/database.ts'
import { type Flavour, flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { giveAway } from '../../kit/postgres/programs.ts'
import { hasProgram } from '../../kit/programs.ts'

const secret = 'a p@ss/wörd?#:1'
type Plugin = readonly [name: string, identified: (password: string) => string]
const plugins: Readonly<Record<Flavour, readonly Plugin[]>> = {
  mariadb: [
    [
      'mysql_native_password',
      (password) => `IDENTIFIED VIA mysql_native_password USING PASSWORD('${password}')`,
    ],
    ['ed25519', (password) => `IDENTIFIED VIA ed25519 USING PASSWORD('${password}')`],
  ],
  mysql: [
    ['caching_sha2_password', (password) => `IDENTIFIED WITH caching_sha2_password BY '${password}'`],
    ['sha256_password', (password) => `IDENTIFIED WITH sha256_password BY '${password}'`],
  ],
}
const loads = { mariadb: ['--plugin-load-add=auth_ed25519'], mysql: [] } as const satisfies Record<
  Flavour,
  readonly string[]
>

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  let server: MysqlServer
  beforeAll(async () => {
    server = await MysqlServer.start(flavour, loads[flavour])
    await server.run('CREATE DATABASE forum')
    await makeTables(locate(server.url('forum')))
  })
  afterAll(() => server.remove())

  describe.for(plugins[flavour])('%s', ([plugin, identified]) => {
    beforeAll(async () => {
      await server.run(
        `CREATE USER ${plugin}_user ${identified(secret)}; GRANT SELECT ON forum.* TO ${plugin}_user`,
      )
    })

    // The second login is another one where the server remembers the first.
    test.for(['first', 'second'])('lets its user in: the %s time', async () => {
      const store = await openStore(locate(server.url('forum', `${plugin}_user`, secret)), () => {})
      expect(await store.findUsers('ID', ['1'])).toEqual([null])
      await store.close()
    })

    test.for(['wrong', ''])('refuses another password: "%s"', async (password) => {
      const url = server.url('forum', `${plugin}_user`, password)
      await expect(openStore(locate(url), () => {})).rejects.toThrow(/Access denied for user '\w+_user'/)
    })
  })

  test('a Unix socket', async () => {
    const url = `${flavour}:///forum?socket=${encodeURIComponent(join(server.folder, 'socket'))}`
    const user =
      flavour === 'mariadb' ? '&user=mysql_native_password_user' : '&user=caching_sha2_password_user'
    const store = await openStore(locate(`${url}${user}&password=${encodeURIComponent(secret)}`), () => {})
    expect(await store.findUsers('ID', ['1'])).toEqual([null])
    await store.close()
  })
})

describe.for(flavours.filter((flavour) => hasServer(flavour) && hasProgram('openssl')))(
  'TLS to %s',
  (flavour) => {
    let server: MysqlServer
    const file = (name: string) => join(server.folder, name)
    beforeAll(async () => {
      server = await MysqlServer.start(flavour)
      await server.run('CREATE DATABASE forum')
      await makeTables(locate(server.url('forum')))
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
      const files = ['-keyout', file('key.pem'), '-out', file('cert.pem')]
      execFileSync(
        'openssl',
        ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
        {
          stdio: 'ignore',
        },
      )
      for (const name of ['key.pem', 'cert.pem']) giveAway(file(name))
      chmodSync(file('key.pem'), 0o600)
      await server.restart([
        `--ssl-cert=${file('cert.pem')}`,
        `--ssl-key=${file('key.pem')}`,
        `--ssl-ca=${file('cert.pem')}`,
      ])
    })
    afterAll(() => server.remove())

    /** The cipher of the store's connections; empty without one. */
    async function cipher(parameters: string, host = '127.0.0.1'): Promise<unknown> {
      const url = `${server.url('forum').replace('127.0.0.1', host)}${parameters}`
      // A view shows what the connection of the lookup is.
      await server.run(
        `DROP TABLE IF EXISTS users; CREATE OR REPLACE VIEW users AS
       SELECT 1 AS id, (SELECT variable_value FROM ${flavour === 'mysql' ? 'performance_schema' : 'information_schema'}.session_status
          WHERE variable_name = 'Ssl_cipher') AS username,
         'a' AS username_key, 'a' AS chat_id, '' AS display_name, 1 AS \`rank\`, 1 AS join_date, 1 AS is_confirmed, 1 AS banned`,
        'forum',
      )
      const store = await openStore(locate(url), () => {})
      try {
        const [user] = await store.findUsers('ID', ['1'])
        return user !== null && user !== undefined && 'username' in user ? user.username : null
      } finally {
        await store.close()
      }
    }

    test('without parameters it is not used', async () => {
      expect(await cipher('')).toBe('')
    })

    test.for(['REQUIRED', 'trust'])('ssl-mode=%s encrypts, and checks no certificate', async (mode) => {
      expect(await cipher(`?ssl-mode=${mode}`)).toMatch(/\w/)
    })

    test.for(['VERIFY_IDENTITY', 'verify-full', 'VERIFY_CA', 'verify-ca'])(
      'ssl-mode=%s takes the authority that ssl-ca names',
      async (mode) => {
        expect(await cipher(`?ssl-mode=${mode}&ssl-ca=${file('cert.pem')}`)).toMatch(/\w/)
      },
    )

    test('an authority alone is enough to check', async () => {
      expect(await cipher(`?ssl_ca=${file('cert.pem')}`)).toMatch(/\w/)
      await expect(cipher(`?ssl-ca=${file('cert.pem')}`, 'localhost')).rejects.toThrow(
        /does not match certificate/,
      )
    })

    test.for(['VERIFY_IDENTITY', 'VERIFY_CA'])(
      'sslMode=%s refuses any other, and says what to do',
      async (mode) => {
        await expect(cipher(`?sslMode=${mode}`)).rejects.toThrow(
          /^The database of DATABASE_URL \(.*\) cannot be used: self-signed certificate.* Set ssl-ca=FILE/,
        )
      },
    )

    test('ssl-mode=VERIFY_IDENTITY refuses another name, and VERIFY_CA does not', async () => {
      const ca = `&ssl-ca=${file('cert.pem')}`
      await expect(cipher(`?ssl-mode=VERIFY_IDENTITY${ca}`, 'localhost')).rejects.toThrow(
        /does not match certificate/,
      )
      expect(await cipher(`?ssl-mode=VERIFY_CA${ca}`, 'localhost')).toMatch(/\w/)
    })

    test('a certificate of the client is sent, where the server asks for one', async () => {
      await server.run(`CREATE USER holder REQUIRE X509; GRANT SELECT ON forum.* TO holder`)
      const url = server.url('forum', 'holder')
      const open = (parameters: string) =>
        openStore(locate(`${url}?ssl-mode=REQUIRED${parameters}`), () => {})
      await expect(open('')).rejects.toThrow(/Access denied/)
      const store = await open(`&ssl-cert=${file('cert.pem')}&ssl-key=${file('key.pem')}`)
      await store.close()
    })
  },
)
