// Ways to log in, and TLS.

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { useDatabase, useServer, watchStore } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { type Flavour, flavours } from '../../kit/mysql/programs.ts'
import { locate, MysqlServer } from '../../kit/mysql/server.ts'
import { makeCertificate } from '../servers/certificate.ts'

const secret = 'a p@ss/wörd?#:1'
type Plugin = readonly [name: string, identified: (password: string) => string]
const plugins: Readonly<Record<Flavour, readonly [Plugin, ...Plugin[]]>> = {
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
describe.for(flavours)('%s', (flavour) => {
  const engine = mysqlEngine(flavour)
  const database = useDatabase(engine, ({ location }) => makeTables(location))
  const logIn = async (user: string, password: string) => {
    const server = await engine.shared()
    return openStore(locate(server.url(database().name, user, password)), () => {})
  }

  test.for(plugins[flavour])('%s', async ([plugin, identified]) => {
    const { name, run } = database()
    const user = `${name}_${plugin.slice(0, 8)}`
    await run(`CREATE USER ${user} ${identified(secret)}; GRANT SELECT ON ${name}.* TO ${user}`)
    // The second login is another one if the server remembers the first.
    for (let time = 0; time < 2; time++) {
      const store = await logIn(user, secret)
      expect(await store.findUsers('ID', ['1'])).toEqual([null])
      await store.close()
    }
    for (const wrong of ['wrong', ''])
      await expect(logIn(user, wrong)).rejects.toThrow(/Access denied for user/)
  })

  test('a Unix socket', async () => {
    const { name, run } = database()
    const [, identified] = plugins[flavour][0]
    await run(`CREATE USER ${name} ${identified(secret)}; GRANT SELECT ON ${name}.* TO ${name}`)
    const socket = join((await engine.shared()).folder, 'socket')
    const parameters = new URLSearchParams({ socket, user: name, password: secret })
    const { store } = await watchStore(locate(`${flavour}:///${name}?${parameters}`.replaceAll('+', '%20')))
    expect(await store.findUsers('ID', ['1'])).toEqual([null])
  })
})

describe.for(flavours)('TLS to %s', (flavour) => {
  const file = (name: string) => join(server().folder, name)
  const server = useServer(
    () => MysqlServer.start(flavour),
    async (one) => {
      const { key, certificate } = makeCertificate(one.folder)
      await one.restart([`--ssl-cert=${certificate}`, `--ssl-key=${key}`, `--ssl-ca=${certificate}`])
      await one.run('CREATE DATABASE forum')
      await makeTables(locate(one.url('forum')))
      // A view shows what the connection of the lookup is.
      const status = `${flavour === 'mysql' ? 'performance_schema' : 'information_schema'}.session_status`
      await one.run(
        `DROP TABLE users; CREATE VIEW users AS
         SELECT 1 AS id, (SELECT variable_value FROM ${status} WHERE variable_name = 'Ssl_cipher') AS username,
           'a' AS username_key, 'a' AS chat_id, '' AS display_name, 1 AS \`rank\`, 1 AS join_date,
           1 AS is_confirmed, 1 AS banned`,
        'forum',
      )
    },
  )

  /** Whether the store's connections are encrypted. */
  async function isEncrypted(parameters: string, host = '127.0.0.1'): Promise<boolean> {
    const url = `${server().url('forum').replace('127.0.0.1', host)}?${parameters}`
    const { store } = await watchStore(locate(url.replaceAll('FILE', file('cert.pem'))))
    const [user] = await store.findUsers('ID', ['1'])
    return user !== null && user !== undefined && 'username' in user && user.username !== ''
  }
  const unknown = /cannot be used: self-signed certificate.* Set ssl-ca=FILE/
  const another = /does not match certificate/

  test.for<[parameters: string, host: string, outcome: boolean | RegExp]>([
    ['', '127.0.0.1', false],
    ['ssl-mode=REQUIRED', '127.0.0.1', true],
    ['ssl-mode=trust', '127.0.0.1', true],
    ['ssl-mode=VERIFY_IDENTITY&ssl-ca=FILE', '127.0.0.1', true],
    ['ssl-mode=verify-full&ssl-ca=FILE', '127.0.0.1', true],
    ['ssl-mode=verify-ca&ssl-ca=FILE', '127.0.0.1', true],
    ['ssl_ca=FILE', '127.0.0.1', true],
    ['ssl-ca=FILE', 'localhost', another],
    ['sslMode=VERIFY_IDENTITY', '127.0.0.1', unknown],
    ['sslMode=VERIFY_CA', '127.0.0.1', unknown],
    ['ssl-mode=VERIFY_IDENTITY&ssl-ca=FILE', 'localhost', another],
    ['ssl-mode=VERIFY_CA&ssl-ca=FILE', 'localhost', true],
  ])('"%s" to %s', async ([parameters, host, outcome]) => {
    const encrypted = isEncrypted(parameters, host)
    if (outcome instanceof RegExp) await expect(encrypted).rejects.toThrow(outcome)
    else expect(await encrypted).toBe(outcome)
  })

  test('the gateway sends its certificate if the server asks for one', async () => {
    await server().run('CREATE USER holder REQUIRE X509; GRANT SELECT ON forum.* TO holder')
    const open = (parameters: string) =>
      watchStore(locate(`${server().url('forum', 'holder')}?ssl-mode=REQUIRED${parameters}`))
    await expect(open('')).rejects.toThrow(/Access denied/)
    await open(`&ssl-cert=${file('cert.pem')}&ssl-key=${file('key.pem')}`)
  })
})
