// What is made of the places of a primary and its replicas.

import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { compare } from '../../../src/stores/postgres/history.ts'
import type { WalPosition } from '../../../src/stores/postgres/wal-position.ts'
import type { Place } from '../../../src/stores/servers/engine.ts'
import { createLagMeter, Lag } from '../../../src/stores/servers/lag.ts'
import { createNodeLag } from '../../../src/stores/servers/node.ts'
import { createReplicaJudge } from '../../../src/stores/servers/replication.ts'

const primary: WalPosition = { system: '7', started: 'noon', acceptsWrites: true, timeline: 2, position: 500 }
const standby: WalPosition = { ...primary, started: 'one', acceptsWrites: false, position: 400 }

describe('a replica', () => {
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

  test('is what it was last known to be while the primary is silent', async () => {
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

  test('that lags, and has another history, has another history', async () => {
    const { judge } = judgeBeside({ primary }, 500)
    await expect(judge(standby)).rejects.toBeInstanceOf(Lag)
    const elsewhere: WalPosition = { ...standby, timeline: 3 }
    await expect(judge(elsewhere)).rejects.toThrow('follows another server')
  })

  test('of another system is named once, and its lag is not judged', async () => {
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

  test('without a history is judged by its lag', async () => {
    const { judge } = judgeBeside({ primary }, 500)
    await judge({ acceptsWrites: false, position: 500 })
    await judge({ acceptsWrites: false, position: null })
    await expect(judge({ acceptsWrites: false, position: 499 })).rejects.toBeInstanceOf(Lag)
  })
})
