// What the positions of a primary and its replicas mean.

import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../src/observe/events.ts'
import { compare, differenceOf } from '../../../src/stores/postgres/history.ts'
import type { WalPosition } from '../../../src/stores/postgres/wal-position.ts'
import type { Place } from '../../../src/stores/servers/engine.ts'
import { createLagMeter, Lag } from '../../../src/stores/servers/lag.ts'
import { createNodeLag } from '../../../src/stores/servers/node.ts'
import { createReplicaJudge } from '../../../src/stores/servers/replication.ts'

const primary: WalPosition = { system: '7', started: 'noon', acceptsWrites: true, timeline: 2, position: 500 }
const standby: WalPosition = { ...primary, started: 'one', acceptsWrites: false, position: 400 }

describe('a replica', () => {
  test.for([
    ['follows the primary', standby, primary, null],
    ['has all the primary has', { ...standby, position: 500 }, primary, null],
    ['has not heard of a failover yet', { ...standby, timeline: 1 }, primary, null],
    ['accepts writes', { ...standby, acceptsWrites: true, timeline: 3 }, primary, /accepts writes itself/],
    [
      'accepts writes as the primary once did',
      { ...standby, acceptsWrites: true },
      primary,
      /accepts writes/,
    ],
    ['follows one that was promoted', { ...standby, timeline: 3 }, primary, /follows another server/],
    ['is further than the primary', { ...standby, position: 501 }, primary, /the primary does not have/],
    ['does not say how far it is', { ...standby, position: null }, primary, null],
    ['is the primary itself', primary, primary, null],
    ['is of another system', { ...primary, system: '8', started: 'one' }, primary, null],
    ['accepts writes, and the primary is a standby', { ...primary, started: 'one' }, standby, null],
  ] as const)('that %s', ([, replica, of, reason]) => {
    const difference = differenceOf(replica, of)
    if (reason === null) expect(difference).toBe(null)
    else expect(difference).toMatch(reason)
  })
})

describe('the judge of a replica', () => {
  function judgeBeside(known: { primary: Place | null }, reached = 0) {
    const lag = createLagMeter(3000, () => 0)
    lag.primaryIsAt(reached)
    const seen: Observation[] = []
    const judge = createReplicaJudge(
      compare,
      'b',
      { lag, nodes: createNodeLag(lag), readPrimary: async () => known.primary },
      (one) => seen.push(one),
    )
    return { judge, seen }
  }

  test('has its last verdict while the primary is silent', async () => {
    const known: { primary: Place | null } = { primary: null }
    const { judge } = judgeBeside(known)
    const promoted = { ...standby, acceptsWrites: true }
    await judge(promoted)
    known.primary = primary
    await expect(judge(promoted)).rejects.toThrow('Rebuild it as a standby')
    known.primary = null
    await expect(judge(promoted)).rejects.toThrow('Rebuild it as a standby')
    known.primary = primary
    await judge(standby)
  })

  test('reports another history rather than the lag', async () => {
    const { judge } = judgeBeside({ primary }, 500)
    await expect(judge(standby)).rejects.toBeInstanceOf(Lag)
    const elsewhere: WalPosition = { ...standby, timeline: 3 }
    await expect(judge(elsewhere)).rejects.toThrow('follows another server')
  })

  test('names a replica of another system once, and ignores its lag', async () => {
    const { judge, seen } = judgeBeside({ primary }, 500)
    const other = { ...standby, system: '8' }
    await judge(other)
    await judge(other)
    expect(seen).toEqual([
      {
        type: 'lag-unknown',
        server: 'b',
        reason: expect.stringContaining('their system identifiers differ. Correct'),
      },
    ])
  })

  test('judges a replica without a history by its lag', async () => {
    const { judge } = judgeBeside({ primary }, 500)
    await judge({ acceptsWrites: false, position: 500 })
    await judge({ acceptsWrites: false, position: null })
    await expect(judge({ acceptsWrites: false, position: 499 })).rejects.toBeInstanceOf(Lag)
  })
})
