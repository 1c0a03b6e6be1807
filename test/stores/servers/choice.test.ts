// Which of several servers gets a query.

import { expect, test } from 'vitest'
import { type Candidate, choose } from '../../../src/stores/servers/choice.ts'
import type { ServerState } from '../../../src/stores/servers/examination.ts'

const states: readonly ServerState[] = ['faulty', 'stale', 'out']

/** @param text such as `faulty suspect replica, 9 of 10 busy`; by default, a server is fit and idle */
function server(text: string): Candidate {
  const [, busy = '0', connections = '10'] = /(\d+) of (\d+) busy/.exec(text) ?? []
  return {
    isReplica: text.includes('replica'),
    connections: Number(connections),
    state: () => states.find((state) => text.includes(state)) ?? 'fit',
    isSuspect: () => text.includes('suspect'),
    busy: () => Number(busy),
  }
}

test.for([
  ['replica', 'primary'],
  ['replica, 9 of 10 busy', 'primary'],
  ['replica, 1 of 10 busy', 'replica, 2 of 10 busy'],
  ['replica, 2 of 10 busy', 'replica, 3 of 99 busy'],
  ['primary', 'replica, 10 of 10 busy'],
  ['primary, 9 of 10 busy', 'replica, 1 of 1 busy'],
  ['replica, 20 of 10 busy', 'primary, 10 of 10 busy'],
  ['primary, 99 of 10 busy', 'suspect replica'],
  ['suspect replica', 'suspect primary'],
  ['suspect primary', 'suspect replica, 10 of 10 busy'],
  ['suspect primary, 99 of 10 busy', 'faulty replica'],
  ['faulty primary', 'faulty suspect replica'],
  ['faulty replica', 'faulty primary'],
  ['faulty primary, 99 of 10 busy', 'stale replica'],
  ['stale primary, 99 of 10 busy', 'faulty suspect replica'],
  ['stale primary', 'out replica'],
  ['faulty suspect primary, 99 of 10 busy', 'out replica'],
] as const)('%s rather than %s', ([one, other]) => {
  const [better, worse] = [server(one), server(other)]
  expect(choose([better, worse], null)).toBe(better)
  expect(choose([worse, better], null)).toBe(better)
})

test('the first of two that are alike, so that the order of the URLs decides', () => {
  const alike = [server('primary'), server('replica, 1 of 2 busy'), server('replica, 1 of 2 busy')]
  expect(choose(alike, null)).toBe(alike[1])
})

test('after one has failed another gets the query, though it is worse, unless it is out', () => {
  const [first, second, third] = [server('replica'), server('replica, 5 of 10 busy'), server('primary')]
  expect(choose([third, first, second], first)).toBe(second)
  expect(choose([third, first], first)).toBe(third)
  expect(choose([first, server('faulty primary')], first)).not.toBe(first)
  for (const others of [[], [server('out primary')]]) expect(choose([first, ...others], first)).toBe(null)
})

test('none if all are out', () => {
  expect(choose([server('out primary'), server('out replica')], null)).toBe(null)
  expect(choose([], null)).toBe(null)
})
