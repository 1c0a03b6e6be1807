// A password in a file: one that is replaced, and one that the server refuses.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../../src/stores/store.ts'
import { endSessions, engines, fillSample, openDatabase, watchStore } from '../../kit/engines.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { startProxy } from '../../kit/proxy.ts'

/** Looks users up without a pause. @returns how many lookups failed */
async function lookUpFor(store: Store, milliseconds: number): Promise<number> {
  let failures = 0
  const client = async () => {
    for (const end = performance.now() + milliseconds; performance.now() < end; await pause(5))
      await Promise.resolve(store.findUsers('ID', ['1'])).catch(() => failures++)
  }
  await Promise.all([client(), client(), client(), client()])
  return failures
}

const setPassword = {
  postgres: (name: string, password: string) => `ALTER ROLE ${name} PASSWORD '${password}'`,
  mysql: (name: string, password: string) => `ALTER USER ${name} IDENTIFIED BY '${password}'`,
}
const makeUser = {
  postgres: (name: string) =>
    `CREATE ROLE ${name} LOGIN PASSWORD 'first' IN ROLE with_password; GRANT SELECT ON users, apps TO ${name}`,
  mysql: (name: string) => `CREATE USER ${name} IDENTIFIED BY 'first'; GRANT SELECT ON ${name}.* TO ${name}`,
}

describe.for(engines)('$name', (engine) => {
  const { kind, locate } = engine

  async function open() {
    const database = await openDatabase(engine, async (one) => {
      await fillSample(one)
      await one.run(makeUser[kind](one.name))
    })
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    const file = join(folder.path, 'password')
    const url = new URL(database.url)
    let logins = 0
    const proxy = await startProxy(Number(url.port), (client, upstream) => {
      logins++
      client.pipe(upstream).pipe(client)
    })
    onTestFinished(proxy.close)
    Object.assign(url, { port: String(proxy.port), username: database.name, password: 'first' })
    const write = (text: string) => writeFileSync(file, text)
    write('first')
    const files = { url: null, password: file }
    const location = { ...locate(url.href), files: { DATABASE_URL: files, DATABASE_REPLICA_URLS: files } }
    const change = (password: string) => database.run(setPassword[kind](database.name, password))
    const { store, of } = await watchStore(location)
    const find = async () => expect(await store.findUsers('ID', ['1'])).toHaveLength(1)
    /** The logins since the last call. */
    const countLogins = () => {
      const count = logins
      logins = 0
      return count
    }
    return { store, of, find, write, change, countLogins, endAll: () => endSessions(engine, database) }
  }

  test('a password that is replaced in its file logs in new connections', async () => {
    const { of, find, write, change, endAll } = await open()
    await find()
    // The file is ahead of the server, and then the server has the password, too.
    write('second')
    await endAll()
    await find()
    await change('second')
    await endAll()
    await find()
    expect(of('store-failed')).toEqual([])
  })

  test('a wrong password is tried by health checks only, ever more rarely; a new one at once', async () => {
    const { store, of, find, write, change, countLogins, endAll } = await open()
    await find()
    await change('second')
    await endAll()
    countLogins()
    expect(await lookUpFor(store, 3000)).toBeGreaterThan(10)
    // Each connection of the pool may have been on its way; then after 1 s, and 2 s.
    expect(countLogins()).toBeLessThan(12)
    expect(of('server-out')).toHaveLength(1)
    await lookUpFor(store, 1500)
    expect(countLogins()).toBeLessThan(3)
    write('second')
    const began = performance.now()
    await expect.poll(() => of('server-back'), { interval: 20 }).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(2000)
    await find()
  })
})
