// Which of several servers gets a query, and how often a query is tried again.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { errors } from '../../../src/stores/postgres/errors.ts'
import { questions } from '../../../src/stores/postgres/statements.ts'
import type { Connect, Question } from '../../../src/stores/servers/engine.ts'
import { createLogin } from '../../../src/stores/servers/login.ts'
import { openPool } from '../../../src/stores/servers/pool.ts'
import { type Answer, failure, openFakeServers, sessionOf } from './fake-servers.ts'

const lookup = questions.usersById(['1'])
/** Probes look up the id 0. */
const isProbe = ({ values }: Question) => values.join() !== lookup.values.join()

function open(names: readonly string[], answer: Answer, connections?: number) {
  const opened = openFakeServers(names, answer, connections)
  onTestFinished(() => opened.servers.close())
  return opened
}
const all = ['primary', 'one', 'two']

test.for([
  [2, [0, 1, 1]],
  [4, [0, 2, 2]],
  [6, [2, 2, 2]],
] as const)(
  '%i queries at a time go to the least busy replicas, and then to the primary',
  async ([count, expected]) => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    const asked: string[] = []
    const { servers } = open(all, async (server, question) => {
      if (isProbe(question)) return []
      asked.push(server)
      await gate
      return [[1]]
    })
    const rows = Array.from({ length: count }, () => servers.ask(lookup))
    await expect.poll(() => asked).toHaveLength(count)
    expect(all.map((name) => asked.filter((server) => server === name).length)).toEqual(expected)
    release()
    await Promise.all(rows)
  },
)

test('as many queries may be in flight as all servers have connections', () => {
  expect(open(all, async () => [], 3).servers.capacity()).toBe(9)
})

test('a connection is replaced by a new one at the end of its lifetime: its host may have moved', async () => {
  let host = 'old'
  const connect: Connect<string> = async (config, socket) => sessionOf(async () => [[config]], socket)
  const pool = openPool(
    connect,
    errors,
    createLogin(() => host),
    { max: 1, maxLifetimeSeconds: 0.05 },
  )
  onTestFinished(() => pool.close())
  const ask = async () => (await pool.begin(lookup, 1000).rows)[0]?.[0]
  expect(await ask()).toBe('old')
  host = 'new'
  expect(await ask()).toBe('old')
  await expect.poll(ask).toBe('new')
})

describe('servers that are slow, and answer', () => {
  const slow: Answer = async (_, question) => {
    if (!isProbe(question)) await pause(200)
    return [[1]]
  }

  test.for(['one', 'primary and one'])('fail no query: %s', async (names) => {
    const answer: Answer = async (server, question) =>
      names.includes(server) ? slow(server, question) : [[1]]
    const { servers, of } = open(['primary', 'one'], answer)
    const ask = async () => {
      for (let time = 0; time < 3; time++) expect(await servers.ask(lookup)).toEqual([[1]])
    }
    await Promise.all([ask(), ask(), ask(), ask()])
    expect(of('store-failed')).toEqual([])
  })

  test('are not left for a server that fails', async () => {
    const answer: Answer = async (server, question) => {
      if (server === 'one') throw failure('42P01')
      return slow(server, question)
    }
    const { servers } = open(['primary', 'one'], answer)
    // The first query finds out; from then on the primary is waited for.
    await servers.ask(lookup).catch(() => null)
    for (let time = 0; time < 4; time++) expect(await servers.ask(lookup)).toEqual([[1]])
  })
})

describe('a replica that fails though its probes do not', () => {
  const failing =
    (names: readonly string[], isOver = () => false): Answer =>
    async (server, question) => {
      if (names.includes(server) && !isProbe(question) && !isOver()) throw failure('P0001', 'disk error')
      return [[1]]
    }

  test('fails no query, and is soon left alone until it is well again', async () => {
    const { servers, of } = open(['primary', 'one'], failing(['one']))
    for (let time = 0; time < 300; time++) expect(await servers.ask(lookup)).toEqual([[1]])
    expect(of('server-out')).not.toEqual([])
    const retried = of('store-retried')
    expect(retried.length).toBeLessThan(20)
    // The log names the server that failed, and not the one that helped out.
    const blamed = { server: 'one:5432/forum', reason: 'disk error.' }
    expect(retried).toEqual(retried.map(() => expect.objectContaining(blamed)))
    await expect.poll(() => of('server-back').length, { timeout: 5000 }).toBe(of('server-out').length)
  })

  test('gets no more second attempts than the budget has; queries that go well earn some', async () => {
    let isOver = false
    const { servers, of } = open(
      all,
      failing(all, () => isOver),
    )
    for (let time = 0; time < 100; time++)
      await expect(servers.ask(lookup)).rejects.toMatchObject({ code: 'P0001' })
    expect(of('store-retried')).toHaveLength(20)
    isOver = true
    for (let time = 0; time < 20; time++) await servers.ask(lookup)
    isOver = false
    for (let time = 0; time < 10; time++) await servers.ask(lookup).catch(() => null)
    expect(of('store-retried')).toHaveLength(22)
  })
})
