// What is wrong with a database on a server is said in one line that names the setting and not the secret.
// Each engine's own test has a server with a user `app`, and its cases.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { DatabaseServer } from '../../kit/database-server.ts'
import { sample, temporaryFolder } from '../../kit/gateway.ts'
import { runProcess } from '../../kit/run-lookup.ts'

/** The URL of a database, with parameters, for the user `app`. @param password begins with its colon */
export type AppUrl = (rest: string, password?: string) => string

export type CommandErrorCase = readonly [what: string, url: (app: AppUrl) => string, says: RegExp]

interface Options {
  readonly scheme: string
  /** Has the databases `forum`, and `faulty`, which lacks a column. */
  readonly server: () => DatabaseServer
  readonly cases: readonly CommandErrorCase[]
  /** What a wrong password is answered with. */
  readonly refusal: RegExp
}

/** The password of `app`. */
export const PASSWORD = 'r1ght'
const secret = /r1ght|wr0ng/

/** @returns runs a command over a database */
export function useCommands() {
  const folder = temporaryFolder()
  afterAll(folder.remove)
  return (args: readonly string[], url: string, replicas = '') =>
    runProcess(args, {
      cwd: folder.path,
      env: { DATABASE_URL: url, DATABASE_REPLICA_URLS: replicas, PORT: '0', ADMIN_PORT: '0' },
    })
}

/** Listens for connections until the end of the test. @returns the port */
export async function listenWith(onData: (write: (data: Buffer) => void) => void): Promise<number> {
  const server = createServer((socket) =>
    socket.on('error', () => {}).once('data', () => onData((data) => socket.write(data))),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

export function commandErrorsSuite({ scheme, server, cases, refusal }: Options): void {
  const run = useCommands()
  const app: AppUrl = (rest, password = `:${PASSWORD}`) =>
    `${scheme}://app${password}@127.0.0.1:${server().port}/${rest}`
  const of = (setting: string, database: string, reason: RegExp) =>
    expect.stringMatching(
      new RegExp(`^The database of ${setting} \\(.*${database}\\) cannot be used: .*${reason.source}`),
    )

  const common: readonly CommandErrorCase[] = [
    [
      'no server at the port',
      () => `${scheme}://app:r1ght@127.0.0.1:1/forum`,
      /ECONNREFUSED 127\.0\.0\.1:1\. Check that the server is running/,
    ],
    [
      'a name with several addresses',
      () => `${scheme}://app:r1ght@localhost:1/forum`,
      /ECONNREFUSED .*:1\. Check that the server is running/,
    ],
    [
      'an unknown host',
      () => `${scheme}://app:r1ght@db.invalid/forum`,
      /(?:ENOTFOUND|EAI_AGAIN) db\.invalid\. Check that the server is running/,
    ],
  ]

  test.for([...common, ...cases])('%s', async ([, url, says]) => {
    const { status, stdout, stderr } = await run(['serve'], url(app))
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(says)
    expect(stderr).toMatch(/^The database of DATABASE_URL \(.*\) cannot be used: .*\n$/)
    expect(stderr).not.toMatch(secret)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test('of several servers each has its line', async () => {
    const replicas = `${app('forum', ':wr0ng')}, ${app('faulty')}`
    const { status, stderr } = await run(['serve'], server().url('forum'), replicas)
    expect(status).toBe(1)
    const lines = stderr.trimEnd().split('\n')
    // What is to be said of the server that answers is in the log, before the reasons.
    const warnings = lines.filter((line) => line.startsWith('{"level":"warn",'))
    expect(warnings).toEqual(warnings.map(() => expect.stringContaining('"type":"server-warning"')))
    expect(lines.slice(warnings.length)).toEqual([
      of('DATABASE_REPLICA_URLS', '/forum', refusal),
      of('DATABASE_REPLICA_URLS', '/faulty', /has no column/),
    ])
    expect(stderr).not.toMatch(secret)
  })

  test.for([['migrate'], ['export', 'users'], ['import', 'users', sample.users]])(
    '%s says it too',
    async (args) => {
      const { status, stdout, stderr } = await run(args, app('forum', ':wr0ng'))
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr.replace('Import failed. Nothing was changed. ', '')).toEqual(
        of('DATABASE_URL', '/forum', refusal),
      )
      expect(stderr).toMatch(/^[^\n]*\n$/)
      expect(stderr).not.toContain('wr0ng')
    },
  )

  test('a server that says nothing is not waited for', async () => {
    const port = await listenWith(() => {})
    const { status, stderr } = await run(['serve'], `${scheme}://app@127.0.0.1:${port}/x`)
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /cannot be used: no connection in time\. Check that the server is running .* correct\. If the server is far away/,
    )
  })
}
