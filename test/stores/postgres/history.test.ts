import { describe, expect, test } from 'vitest'
import { differenceOf } from '../../../src/stores/postgres/history.ts'
import type { WalPosition } from '../../../src/stores/postgres/wal-position.ts'

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
