// Which transactions a server has, and what that means for a replica.

import { describe, expect, test } from 'vitest'
import { compare, countOf, readReplicationState } from '../../../src/stores/mysql/replication.ts'
import type { ServerRow, Statement } from '../../../src/stores/servers/driver.ts'

const [a, b] = ['3e11fa47-71ca-11e1-9e33-c80aa9429562', '4f22fa47-71ca-11e1-9e33-c80aa9429562']

test.for([
  ['', null],
  [`${a}:1`, 1n],
  [`${a}:1-5`, 5n],
  [`${a}:1-5:7:10-11,\n${b}:3-4`, 10n],
  [`${a}:1-5:tag_one:1-3:tag_two:9`, 9n],
  ['0-1-100', 100n],
  ['0-1-100,7-2-3', 103n],
] as const)('transactions are counted: %j', ([text, count]) => {
  expect(countOf(text)).toBe(count)
})

/** The state of a server with these results, and the statements that it got. */
async function stateOf(row: ServerRow, statuses: readonly (ServerRow | number)[] = []) {
  const asked: string[] = []
  const unknown: unknown[] = []
  const left = [...statuses]
  const ask = async ({ text }: Statement): Promise<readonly ServerRow[]> => {
    asked.push(text.slice(0, 12))
    if (!text.startsWith('SHOW')) return [row]
    const next = left.shift() ?? []
    if (typeof next === 'number') throw Object.assign(new Error('failed'), { errno: next, sqlState: '42000' })
    return next.length === 0 ? [] : [next]
  }
  const state = await readReplicationState(ask, (error) => unknown.push(error))
  return { asked, unknown, state }
}
const statusOf = (seconds: number | null): ServerRow => [...Array.from({ length: 32 }, () => ''), seconds]
const replica = (transactions: string): ServerRow => [1, 'r', transactions, null]
const never = async (): Promise<readonly ServerRow[]> => expect.unreachable()

describe('a replica', () => {
  test.for([
    ['has what the primary has', '0-1-5', '0-1-5', 'follows'],
    ['is behind', '0-1-4', '0-1-5', 'follows'],
    ['is further', '0-2-6', '0-1-5', 'is ahead'],
    ['has another domain too', '0-1-5,7-2-1', '0-1-5', 'is ahead'],
    ['has nothing of the primary', '7-2-1', '0-1-5', 'is unrelated'],
    ['and its primary say nothing', '', '', 'follows'],
  ] as const)('of MariaDB that %s', async ([, is, of, relationship]) => {
    const [one, other] = [await stateOf(replica(is)), await stateOf([0, 'p', of, null])]
    expect(await compare(one.state, other.state, never)).toMatchObject({ relationship })
  })

  test.for([
    ['has nothing more', '', '', { relationship: 'follows', own: 0n }],
    ['has transactions of its own', '', `${b}:1-3`, { relationship: 'follows', own: 3n }],
    ['has a transaction more', `${a}:6`, `${a}:6`, { relationship: 'is ahead' }],
    ['has nothing of the primary', `${a}:1-6`, `${a}:1-6`, { relationship: 'is unrelated' }],
  ] as const)('of MySQL that %s, as the primary says', async ([, missing, own, comparison]) => {
    const { state } = await stateOf([1, 'r', `${a}:1-6,${b}:1`, `${a}:1-6`])
    const primary = (await stateOf([0, 'p', `${a}:1-5`, ''])).state
    expect(await compare(state, primary, async () => [[missing, own]])).toMatchObject(comparison)
  })

  test.for([
    [[statusOf(7)], 7],
    [[statusOf(null)], Number.POSITIVE_INFINITY],
    [[1064, statusOf(3)], 3],
  ] as const)('without identifiers is asked how far it is behind: %#', async ([statuses, secondsBehind]) => {
    const { state, unknown } = await stateOf(replica(''), statuses)
    expect(state).toMatchObject({ position: null, secondsBehind })
    expect(unknown).toEqual([])
  })

  test.for([0, 'OFF'])('that accepts writes says so: %j', async (readOnly) => {
    const { state, asked } = await stateOf([readOnly, 'p', '', null])
    expect(state.writable).toBe(true)
    expect(asked).toHaveLength(1)
  })
})
