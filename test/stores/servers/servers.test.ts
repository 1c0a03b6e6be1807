// Which of several servers gets a query, and how often a query is sent.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { statements } from '../../../src/stores/postgres/statements.ts'
import type { ReplicationState } from '../../../src/stores/servers/driver.ts'
import { type Answer, failure, isCheck, openFakeServers, standby } from './fake-servers.ts'

const lookup = statements.usersById(['1'])

async function open(...args: Parameters<typeof openFakeServers>) {
  const opened = await openFakeServers(...args)
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
    const { servers } = await open(all, async (server, statement) => {
      if (isCheck(statement)) return []
      asked.push(server)
      await gate
      return [[1]]
    })
    const rows = Array.from({ length: count }, () => servers.run(lookup))
    await expect.poll(() => asked).toHaveLength(count)
    expect(all.map((name) => asked.filter((server) => server === name).length)).toEqual(expected)
    release()
    await Promise.all(rows)
  },
)

test('as many queries may be in flight as all servers have connections', async () => {
  expect((await open(all, async () => [], 3)).servers.capacity()).toBe(9)
})

describe('servers that are slow, and answer', () => {
  const slow: Answer = async (_, statement) => {
    if (!isCheck(statement)) await pause(200)
    return [[1]]
  }

  test.for(['one', 'primary and one'])('fail no query: %s', async (names) => {
    const answer: Answer = async (server, statement) =>
      names.includes(server) ? slow(server, statement) : [[1]]
    const { servers, of } = await open(['primary', 'one'], answer)
    const ask = async () => {
      for (let time = 0; time < 3; time++) expect(await servers.run(lookup)).toEqual([[1]])
    }
    await Promise.all([ask(), ask(), ask(), ask()])
    expect(of('store-failed')).toEqual([])
  })

  test('are not left for a server that fails', async () => {
    let isBroken = false
    const answer: Answer = async (server, statement) => {
      if (server === 'one' && isBroken) throw failure('42P01')
      return slow(server, statement)
    }
    const { servers } = await open(['primary', 'one'], answer)
    isBroken = true
    // The first query finds out; from then on the primary is waited for.
    await servers.run(lookup).catch(() => null)
    for (let time = 0; time < 4; time++) expect(await servers.run(lookup)).toEqual([[1]])
  })
})

test('a replica that fails though its checks do not fails no query, and is soon left alone', async () => {
  const answer: Answer = async (server, statement) => {
    if (server === 'one' && !isCheck(statement)) throw failure('P0001', 'disk error')
    return [[1]]
  }
  const { servers, of } = await open(['primary', 'one'], answer)
  for (let time = 0; time < 300; time++) expect(await servers.run(lookup)).toEqual([[1]])
  // The log names the server that failed, and not the one that helped out.
  expect(of('store-retried')).toMatchObject([{ server: 'one:5432/forum', reason: 'disk error.' }])
})

test('a query that fails on every server is sent twice, and not again', async () => {
  const sent: string[] = []
  const { servers } = await open(all, async (server, statement) => {
    if (isCheck(statement)) return []
    sent.push(server)
    throw failure('P0001')
  })
  await expect(servers.run(lookup)).rejects.toMatchObject({ code: 'P0001' })
  expect(sent).toEqual(['one', 'two'])
})

test('two servers that go down at once fail no query, though their checks have not noticed', async () => {
  const { servers, of } = await open(all, async (server, statement) => {
    if (server !== 'primary' && !isCheck(statement)) throw new Error('connect ECONNREFUSED')
    return [[1]]
  })
  expect(await servers.run(lookup)).toEqual([[1]])
  expect(of('store-retried')).toMatchObject([{ server: 'one:5432/forum' }, { server: 'two:5432/forum' }])
})

test('a node that loses its quorum gets no query, and is logged with the reason', async () => {
  let state: ReplicationState = standby
  const { servers, of } = await open(
    ['primary'],
    async () => [[1]],
    2,
    () => state,
  )
  state = { ...standby, unready: { reason: 'it has no quorum', use: 'no' } }
  await expect
    .poll(() => of('server-out'), { timeout: 5000 })
    .toMatchObject([{ reason: 'it has no quorum.' }])
  await expect(servers.run(lookup)).rejects.toThrow('it has no quorum')
})

test('a query that no server can take says why each is out by now', async () => {
  let failed: Error | null = null
  const { servers, of } = await open(['primary', 'one'], async () => {
    if (failed !== null) throw failed
    return [[1]]
  })
  failed = new Error('connect ECONNREFUSED')
  await expect.poll(() => of('server-out'), { timeout: 5000 }).toHaveLength(2)
  failed = failure('28P01', 'password authentication failed')
  const says =
    /^No database server is fit.* primary:5432\/forum: password .*\. Check .* one:5432\/forum: password /
  await expect
    .poll(() => servers.run(lookup).catch(({ message }: Error) => message), { timeout: 5000 })
    .toMatch(says)
})

describe('of three servers, only those with the same data are read', () => {
  const writer: ReplicationState = { ...standby, writable: true, server: 'primary' }
  const node = (cluster: string, position = 9n): ReplicationState => ({
    ...{ ...writer, position: null, node: { cluster, position } },
  })

  test.for<
    readonly [
      what: string,
      role: 'peers' | 'replicas',
      states: readonly [ReplicationState, ReplicationState, ReplicationState],
      used: readonly string[],
    ]
  >([
    ['nodes of one cluster', 'peers', [node('a'), node('a'), node('a')], all],
    ['a first host that is a cluster of its own', 'peers', [node('b'), node('a'), node('a')], ['one', 'two']],
    ['a host that is no node', 'peers', [node('a'), writer, node('a')], ['primary', 'two']],
    ['a node that lags', 'peers', [node('a'), node('a', 8n), node('a')], ['primary', 'two']],
    ['a replica of another cluster', 'replicas', [node('a'), node('a'), node('b')], ['primary', 'one']],
    ['replicas that follow', 'replicas', [writer, standby, standby], all],
    ['a promoted replica', 'replicas', [writer, { ...writer, server: 'two' }, standby], ['primary', 'two']],
    ['the primary by another address', 'replicas', [writer, writer, standby], all],
    ['a replica that lags', 'replicas', [writer, { ...standby, position: 0n }, standby], ['primary', 'two']],
    ['seconds of lag', 'replicas', [writer, { ...standby, secondsBehind: 11 }, standby], ['primary', 'two']],
  ])('%s', async ([, role, states, used]) => {
    const asked = new Set<string>()
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    const answer: Answer = async (server, statement) => {
      if (isCheck(statement)) return []
      asked.add(server)
      await gate
      return [[1]]
    }
    const { servers } = await open(all, answer, 2, (name) => states[all.indexOf(name)] ?? standby, role)
    const rows = Array.from({ length: 2 * used.length }, () => servers.run(lookup))
    await expect.poll(() => [...asked].toSorted()).toEqual([...used].toSorted())
    release()
    await Promise.all(rows)
  })
})

test('a server whose state the role may not read is named once, and used', async () => {
  const { servers, of } = await open(
    ['primary', 'one'],
    async () => [[1]],
    2,
    (server) => {
      if (server === 'one') throw failure('42501', 'permission denied')
      return { ...standby, writable: true, server }
    },
  )
  await pause(1500)
  expect(of('history-unknown')).toMatchObject([{ server: 'one:5432/forum' }])
  expect(of('server-out')).toEqual([])
  expect(await servers.run(lookup)).toEqual([[1]])
})

test('a replica that lags, and is promoted then, is named for both', async () => {
  const writer: ReplicationState = { ...standby, writable: true, server: 'primary', position: 5n }
  let replica: ReplicationState = { ...standby, secondsBehind: 60 }
  const stateOf = (server: string) => (server === 'one' ? replica : writer)
  const { of } = await open(['primary', 'one'], async () => [[1]], 2, stateOf)
  const reasons = () => of('server-out').map((one) => 'reason' in one && one.reason)
  await expect.poll(reasons).toEqual([expect.stringMatching(/^it is too far behind the primary/)])
  replica = { ...writer, server: 'one' }
  await expect.poll(reasons).toEqual([expect.anything(), 'it accepts writes.'])
})
