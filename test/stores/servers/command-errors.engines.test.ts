// A database that cannot be used: every command ends with one line that names the setting and not the secret.

import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { engines, openDatabase, useDatabase } from '../../kit/engines.ts'
import { sample, temporaryFolder } from '../../kit/gateway.ts'
import { runLookup } from '../../kit/run-lookup.ts'

const makeUser = {
  postgres: (name: string) =>
    `CREATE ROLE ${name} LOGIN PASSWORD 'r1ght' IN ROLE with_password; GRANT SELECT ON users, apps TO ${name}`,
  mysql: (name: string) => `CREATE USER ${name} IDENTIFIED BY 'r1ght'; GRANT SELECT ON ${name}.* TO ${name}`,
}
const refusal = { postgres: 'authentication failed', mysql: 'Access denied' } as const
/** The parameters of a URL that cannot be used, and why. */
const parameters = {
  postgres: [
    ['sslrootcert=/none.pem', /no such file or directory, open '\/none\.pem'\./],
    ['options=--nonsense', /--nonsense requires a value\./],
    ['options=-c%20search_path%3Dempty', /relation "users" does not exist\. Run "lookup migrate"/],
    // Without its right name, TLS would be left out.
    ['sslmod=require', /the parameter sslmod is unknown\. Allowed: host, port, user, .*sslmode/],
    ['connect_timeout=10', /the parameter connect_timeout is unknown/],
    ['sslmode=always', /sslmode has an unknown value\. Set one of disable, prefer, require,/],
    ['sslmode=verify-ca', /sslmode=verify-ca needs sslrootcert=FILE/],
  ],
  mysql: [
    ['ssl-ca=/none.pem', /no such file .*'\/none\.pem'\./],
    ['socket=/none.sock', /ENOENT \/none\.sock/],
    ['ssl-mode=always', /ssl-mode has an unknown value\. Set one of disabled, required,/],
    ['sslrootcert=x.pem', /the parameter sslrootcert is unknown\. Allowed: user, password, socket, ssl-mode/],
  ],
} as const
const faults = {
  postgres: [
    `ALTER TABLE users DROP COLUMN rank; ALTER TABLE users ALTER COLUMN banned TYPE text;
     ALTER TABLE users ALTER COLUMN join_date TYPE numeric; ALTER TABLE apps DROP COLUMN title`,
    /users has no column rank; users\.join_date is of type numeric, and must be bigint, integer or smallint; users\.banned is of type text, and must be boolean; apps has no column title\./,
  ],
  mysql: [
    'ALTER TABLE users DROP COLUMN `rank`, MODIFY banned text, MODIFY join_date datetime; ALTER TABLE apps DROP COLUMN title',
    /users has no column rank; users\.join_date is of type datetime, and must be an integer \(convert times by UNIX_TIMESTAMP.*\); users\.banned is of type blob, and must be an integer, BIT .*; apps has no column title\./,
  ],
} as const

describe.for(engines)('$name', ({ kind, shared, locate }) => {
  const database = useDatabase({ shared }, async ({ location, run, name }) => {
    await makeTables(location)
    await run(makeUser[kind](name))
  })
  const urlOf = (password: string) => {
    const url = new URL(database().url)
    url.username = database().name
    url.password = password
    return url.href
  }
  async function run(args: readonly string[], url: string, replicas = '') {
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    const urls = { DATABASE_URL: url, DATABASE_REPLICA_URLS: replicas }
    const env = { ...urls, DATABASE_TIMEOUT: '10000', PORT: '0', ADMIN_PORT: '0' }
    return runLookup(args, { cwd: folder.path, env })
  }
  const lineOf = (setting: string, reason: string) =>
    expect.stringMatching(
      new RegExp(`^(?:Import failed.*\\. )?The database of ${setting} \\(.*\\) cannot be used: .*${reason}`),
    )

  test.for([['serve'], ['migrate'], ['export', 'users'], ['import', 'users', sample.users]])(
    '%s names the setting, and not the password',
    async (args) => {
      const { status, stdout, stderr } = await run(args, urlOf('wr0ng'))
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toEqual(lineOf('DATABASE_URL', refusal[kind]))
      expect(stderr).toMatch(/^[^\n]*\n$/)
      expect(stderr).not.toContain('wr0ng')
    },
  )

  test.for([['serve'], ['migrate'], ['export', 'users'], ['check'], ['import', 'users', sample.users]])(
    '%s ends with 2 if the URL has an unknown parameter: a retry does not help',
    async (args) => {
      const { status, stderr } = await run(args, `${urlOf('r1ght')}?sslmod=require`)
      expect(stderr).toEqual(lineOf('DATABASE_URL', 'the parameter sslmod is unknown'))
      expect(status).toBe(2)
    },
  )

  test('each of several servers has its line', async () => {
    const faulty = await openDatabase({ shared }, async ({ location, run: runSql }) => {
      await makeTables(location)
      await runSql(faults[kind][0])
    })
    await expect(openStore(faulty.location, () => {})).rejects.toThrow(faults[kind][1])
    const { status, stderr } = await run(['serve'], urlOf('r1ght'), `${urlOf('wr0ng')}, ${faulty.url}`)
    expect(status).toBe(1)
    expect(stderr.trimEnd().split('\n')).toEqual([
      lineOf('DATABASE_REPLICA_URLS', refusal[kind]),
      lineOf('DATABASE_REPLICA_URLS', 'has no column'),
    ])
    expect(stderr).not.toMatch(/r1ght|wr0ng/)
  })

  test.for<readonly [string, RegExp]>(parameters[kind])('%s', async ([parameter, says]) => {
    await expect(openStore(locate(`${urlOf('r1ght')}?${parameter}`), () => {})).rejects.toThrow(says)
  })
})
