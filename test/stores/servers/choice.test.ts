// Which of several servers is asked, by how they are.

import { describe, expect, test } from 'vitest'
import { type Candidate, choose } from '../../../src/stores/servers/choice.ts'
import type { ServerState } from '../../../src/stores/servers/examination.ts'

interface Reading {
  readonly state?: ServerState
  readonly suspect?: boolean
  readonly busy?: number
  readonly connections?: number
}

function candidate(isReplica: boolean, reading: Reading): Candidate {
  const { state = 'fit', suspect = false, busy = 0, connections = 10 } = reading
  return { isReplica, connections, state: () => state, isSuspect: () => suspect, busy: () => busy }
}
const primary = (reading: Reading = {}) => candidate(false, reading)
const replica = (reading: Reading = {}) => candidate(true, reading)

describe('is asked rather', () => {
  test.for<[what: string, better: Candidate, worse: Candidate]>([
    ['a replica than the primary', replica(), primary()],
    ['a busy replica than an idle primary', replica({ busy: 9 }), primary()],
    ['the less busy of two replicas', replica({ busy: 1 }), replica({ busy: 2 })],
    [
      'the less busy, however many connections it lets free',
      replica({ busy: 2 }),
      replica({ busy: 3, connections: 99 }),
    ],
    ['an idle primary than a replica without a free connection', primary({ busy: 0 }), replica({ busy: 10 })],
    [
      'a busy primary than a replica without a free connection',
      primary({ busy: 9 }),
      replica({ busy: 1, connections: 1 }),
    ],
    ['of those fully busy, a replica', replica({ busy: 20 }), primary({ busy: 10 })],
    ['a fully busy primary than a suspect replica', primary({ busy: 99 }), replica({ suspect: true })],
    ['of suspects, a replica', replica({ suspect: true }), primary({ suspect: true })],
    [
      'of suspects, one that is not fully busy',
      primary({ suspect: true }),
      replica({ suspect: true, busy: 10 }),
    ],
    [
      'a suspect that is fully busy than a faulty one that is idle',
      primary({ suspect: true, busy: 99 }),
      replica({ state: 'faulty' }),
    ],
    [
      'of the faulty, one that is no suspect',
      primary({ state: 'faulty' }),
      replica({ state: 'faulty', suspect: true }),
    ],
    ['of the faulty, a replica', replica({ state: 'faulty' }), primary({ state: 'faulty' })],
    ['a faulty one than a stale one', primary({ state: 'faulty', busy: 99 }), replica({ state: 'stale' })],
    [
      'a stale one than a faulty suspect',
      primary({ state: 'stale', busy: 99 }),
      replica({ state: 'faulty', suspect: true }),
    ],
    ['a stale one than one that is out', primary({ state: 'stale' }), replica({ state: 'out' })],
    [
      'a faulty one than one that is out',
      primary({ state: 'faulty', suspect: true, busy: 99 }),
      replica({ state: 'out' }),
    ],
  ])('%s', ([, better, worse]) => {
    expect(choose([better, worse], null)).toBe(better)
    expect(choose([worse, better], null)).toBe(better)
  })

  test('the first of two that are alike, so that the order of the URLs decides', () => {
    const alike = [primary(), replica({ busy: 1 }), replica({ busy: 1 })]
    expect(choose(alike, null)).toBe(alike[1])
  })
})

describe('after one has failed', () => {
  const [first, second, third] = [replica(), replica({ busy: 5 }), primary()] as const

  test('another is asked, though it is worse', () => {
    expect(choose([third, first, second], first)).toBe(second)
    expect(choose([third, first], first)).toBe(third)
    expect(choose([first, primary({ state: 'faulty' })], first)).not.toBe(first)
  })

  test('there is none where the others are out', () => {
    expect(choose([first], first)).toBe(null)
    expect(choose([first, primary({ state: 'out' })], first)).toBe(null)
  })
})

test('there is none where all are out', () => {
  expect(choose([primary({ state: 'out' }), replica({ state: 'out' })], null)).toBe(null)
  expect(choose([], null)).toBe(null)
})
