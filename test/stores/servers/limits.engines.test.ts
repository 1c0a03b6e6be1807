// What a gateway does to a server that refuses it: a login with a wrong password, or one connection too many.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../../src/stores/store.ts'
import type { TestDatabase } from '../../kit/database-server.ts'
import {
  endSessions,
  engines,
  fillSample,
  makeForum,
  openDatabase,
  readerUrl,
  useServer,
  watchStore,
} from '../../kit/engines.ts'
import { temporaryFolder } from '../../kit/gateway.ts'

/** Puts a program before a port that counts connections. */
async function countConnections(port: number) {
  let count = 0
  const proxy = createServer((near) => {
    count++
    const far = connect(port, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => near.destroy() && far.destroy())
    near.on('close', () => far.destroy())
  })
  onTestFinished(() => void proxy.close())
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  const own = address !== null && typeof address === 'object' ? address.port : 0
  const begin = () => {
    count = 0
  }
  return { port: own, begin, count: () => count }
}

/** Asks as fast as lookups come, for a time. @returns how many lookups failed */
async function askFor(store: Store, milliseconds: number): Promise<number> {
  let failures = 0
  const askOn = async () => {
    for (const end = performance.now() + milliseconds; performance.now() < end; await pause(5))
      await Promise.resolve(store.findUsers('ID', ['1'])).catch(() => failures++)
  }
  await Promise.all([askOn(), askOn(), askOn(), askOn()])
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

  async function openWithPassword(database: TestDatabase) {
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    const file = join(folder.path, 'password')
    const url = new URL(database.url)
    const proxy = await countConnections(Number(url.port))
    Object.assign(url, { port: String(proxy.port), username: database.name, password: 'first' })
    writeFileSync(file, 'first')
    const files = { url: null, password: file }
    const location = { ...locate(url.href), files: { DATABASE_URL: files, DATABASE_REPLICA_URLS: files } }
    return { ...(await watchStore(location)), proxy, write: (text: string) => writeFileSync(file, text) }
  }

  test('a wrong password is tried by health checks only, ever more rarely; a new one at once', async () => {
    const database = await openDatabase(engine, async (one) => {
      await fillSample(one)
      await one.run(makeUser[kind](one.name))
    })
    const { store, of, proxy, write } = await openWithPassword(database)
    expect(await store.findUsers('ID', ['1'])).toHaveLength(1)
    await database.run(setPassword[kind](database.name, 'second'))
    await endSessions(engine, database)
    proxy.begin()
    expect(await askFor(store, 3000)).toBeGreaterThan(10)
    // Each connection of the pool may have been on its way; then after 1 s, and 2 s.
    expect(proxy.count()).toBeLessThan(12)
    expect(of('server-out')).toHaveLength(1)
    proxy.begin()
    await askFor(store, 1500)
    expect(proxy.count()).toBeLessThan(3)
    write('second')
    const began = performance.now()
    await expect.poll(() => of('server-back'), { interval: 20 }).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(2000)
    expect(await store.findUsers('ID', ['1'])).toHaveLength(1)
  })
})

describe.for(engines)('$name', (engine) => {
  const server = useServer(
    () => engine.startServer({ maxConnections: 10 }),
    (one) => makeForum(engine, one),
  )

  test('a full server is asked for a connection now and then, and lookups fail with its reason', async () => {
    const proxy = await countConnections(server().port)
    const url = readerUrl(server()).replace(`:${server().port}/`, `:${proxy.port}/`)
    const { store, of } = await watchStore(engine.locate(url))
    const taken: { end: () => Promise<void> }[] = []
    onTestFinished(async () => {
      for (const each of taken) await each.end()
    })
    for (let isFull = false; !isFull; )
      await server()
        .connect('forum', 'reader')
        .then(
          (one) => taken.push(one),
          () => {
            isFull = true
          },
        )
    proxy.begin()
    expect(await askFor(store, 1100)).toBeGreaterThan(10)
    expect(proxy.count()).toBeLessThan(15)
    const { describeError } = engine.engine.errors
    for (const one of of('store-failed'))
      expect(one.type === 'store-failed' && describeError(one.error)).toMatch(/Raise max_connections/)
  })
})
