// How far a node of a cluster is behind the others, none of which is the primary.

import { describe, expect, test } from 'vitest'
import { createLagMeter, Lag } from '../../../src/stores/servers/lag.ts'
import { createNodeLag, judgeNode, Unfit } from '../../../src/stores/servers/node.ts'

type Positions = Readonly<Record<string, number | null>>

/** What the nodes said at each second, where a node may be behind for three. */
function watch(...seconds: readonly Positions[]) {
  let now = 0
  const lag = createNodeLag(createLagMeter(3000, () => now))
  for (const [second, positions] of seconds.entries()) {
    now = second * 1000
    for (const [node, position] of Object.entries(positions)) lag.nodeIsAt(node, { cluster: 'c', position })
  }
  return (node: string) => {
    try {
      lag.judge(node)
      return 'fit'
    } catch (error) {
      return error instanceof Lag && error.isCertain ? 'behind' : 'not yet'
    }
  }
}
const same = { a: 10, b: 10 }

describe('a node', () => {
  test.for<[what: string, seconds: readonly Positions[], verdict: string]>([
    ['about which nothing is known', [{ b: 10 }], 'fit'],
    ['alone', [{ a: 1 }], 'fit'],
    ['that has what the others have', [same, same, same, same, same], 'fit'],
    ['that goes on while another stands still', [same, { a: 20 }, { a: 30 }, { a: 40 }, { a: 50 }], 'fit'],
    ['that is behind for less than is allowed', [same, same, same, { b: 20 }, { b: 30 }, { b: 40 }], 'fit'],
    ['that is behind for longer', [same, { b: 20 }, { b: 20 }, { b: 20 }, { b: 20 }, { b: 20 }], 'behind'],
    ['that is a second behind', [same, { b: 20 }, { a: 20, b: 30 }, { a: 30, b: 40 }, { b: 50 }], 'fit'],
    ['whose others are gone', [same, { b: 20 }, {}, {}, {}, { b: null }, { a: 10 }], 'fit'],
    ['that is back, and was not compared yet', [same, { a: null, b: 10 }, { a: 10 }], 'not yet'],
    ['that is back with old data', [same, { a: null }, { a: 10 }, { b: 20 }, { a: 10 }], 'not yet'],
    ['that is back with all data', [same, { a: null }, { a: 20 }, { b: 20 }, { a: 20 }], 'fit'],
    ['that is back while others go on', [same, { a: null }, { a: 20 }, { b: 25 }, { a: 25, b: 30 }], 'fit'],
    ['that is back, and alone', [same, { a: null, b: 20 }, { a: 10, b: null }], 'fit'],
    ['that is back twice', [same, { a: null }, { a: 20 }, { b: 20 }, { a: null }, { a: 20 }], 'not yet'],
    [
      'that is back, and whose others began anew',
      [same, { a: null }, { a: 10 }, { b: 20 }, { b: null }, { a: 10, b: 5 }],
      'fit',
    ],
  ])('%s', ([, seconds, verdict]) => {
    expect(watch(...seconds)('a')).toBe(verdict)
  })

  test.for([
    [false, 'faulty'],
    [true, 'stale'],
  ] as const)('in trouble is not fit; apart from the others: %s', ([isApart, state]) => {
    const node = { cluster: null, position: null, trouble: { reason: 'it is late', isApart } }
    expect(() => judgeNode('a', node, null)).toThrow(new Unfit('it is late', state))
    expect(() => judgeNode('a', { ...node, trouble: null }, null)).not.toThrow()
  })

  test.for<[what: string, one: Clusters, others: Clusters, isOld: boolean]>([
    ['that is none, beside nodes', { x: null }, { a: 'c' }, true],
    ['that is none, beside nodes that are gone', { x: null }, { a: null }, false],
    ['that is none, beside replicas that are nodes', { x: null }, { replica: 'c' }, false],
    ['that is a replica of nodes', { replica: null }, { a: 'c' }, false],
    ['of a cluster of its own, before two of another', { x: 'd' }, { a: 'c', b: 'c' }, true],
    ['of a cluster of its own, after two of another', { b: 'd' }, { x: 'c', a: 'c' }, true],
    ['of the cluster that two of three are in', { a: 'c' }, { x: 'd', b: 'c' }, false],
    ['of another cluster than the first', { a: 'c' }, { x: 'd' }, true],
    ['that is the first, of another cluster', { x: 'c' }, { a: 'd' }, false],
  ])('a host %s', ([, one, others, isOld]) => {
    const lag = createNodeLag(createLagMeter(3000), ['x', 'a', 'b'])
    const nodes = Object.entries({ ...others, ...one }).map(
      ([address, cluster]) => [address, cluster === null ? null : { cluster, position: 10 }] as const,
    )
    for (const [address, node] of nodes) lag.nodeIsAt(address, node)
    for (const [address, node] of nodes.slice(-1)) {
      const judged = expect(() => lag.judgeMembership(address, node))
      if (isOld)
        judged.toThrow(new Unfit('it is not in the cluster of the other hosts in DATABASE_URL', 'stale'))
      else judged.not.toThrow()
    }
  })

  test('of another cluster, which counts from elsewhere, makes the others no older', () => {
    let now = 0
    const lag = createNodeLag(
      createLagMeter(3000, () => now),
      ['x', 'a', 'b'],
    )
    for (; now < 10_000; now += 1000) {
      for (const host of ['a', 'b']) lag.nodeIsAt(host, { cluster: 'c', position: 10 })
      lag.nodeIsAt('x', { cluster: 'd', position: 1000 + now })
    }
    expect(() => lag.judge('a')).not.toThrow()
  })
})

type Clusters = Readonly<Record<string, string | null>>
