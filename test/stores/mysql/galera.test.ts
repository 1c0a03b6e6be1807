// Reads the status that a node of Galera reports.

import { describe, expect, test } from 'vitest'
import { readNode } from '../../../src/stores/mysql/galera.ts'

const cluster = '8a40127a-e742-11f1-aa86-0fffd33b51f8'

/** The status of a node, in capitals as real nodes have it. */
function said(values: Readonly<Record<string, string>> = {}): string {
  const all = {
    ...{ reject_queries: 'NONE', last_committed: '12', local_state: '4', cluster_state_uuid: cluster },
    ...{ cluster_status: 'Primary', ready: 'ON', ...values },
  }
  return Object.entries(all)
    .map(([name, value]) => `WSREP_${name.toUpperCase()}=${value}`)
    .join()
}

describe('a node', () => {
  test('that is synced is fit', () => {
    expect(readNode(said())).toEqual({ node: { cluster, position: 12n }, unready: null })
  })

  test.for([
    ['has no quorum', { cluster_status: 'non-Primary', local_state: '0', ready: 'OFF' }, 'non-Primary', 'no'],
    ['has no quorum, and is ready yet', { cluster_status: 'non-Primary' }, 'non-Primary', 'no'],
    ['has left its cluster', { cluster_status: 'Disconnected', ready: 'OFF' }, 'left its cluster', 'no'],
    ['is joining', { local_state: '1', ready: 'OFF' }, 'wsrep_local_state is 1', 'no'],
    ['is a donor', { local_state: '2' }, 'wsrep_local_state is 2', 'last resort'],
    ['has joined', { local_state: '3' }, 'catching up (wsrep_local_state is 3)', 'last resort'],
    ['refuses queries', { reject_queries: 'ALL_KILL' }, 'wsrep_reject_queries is ALL_KILL', 'no'],
  ] as const)('that %s is not', ([, values, reason, use]) => {
    expect(readNode(said(values))).toEqual({
      node: { cluster, position: use === 'no' ? null : 12n },
      unready: { reason: expect.stringContaining(reason), use },
    })
  })

  test.for(['', '00000000-0000-0000-0000-000000000000'])('may know no cluster yet: "%s"', (unknown) => {
    expect(readNode(said({ cluster_state_uuid: unknown }))).toMatchObject({ node: { cluster: null } })
  })
})
