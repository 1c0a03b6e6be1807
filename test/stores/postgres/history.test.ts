import { describe, expect, test } from 'vitest'
import {
  createHistoryProbe,
  createWalPositionReader,
  differenceOf,
  type WalPosition,
} from '../../../src/stores/postgres/history.ts'
import { makeDatabase } from '../../support/postgres/database.ts'

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
    ['is the primary itself', primary, primary, null],
    ['is of another system', { ...primary, system: '8', started: 'one' }, primary, null],
    ['accepts writes, and the primary is a standby', { ...primary, started: 'one' }, standby, null],
  ] as const)('that %s', ([, replica, of, reason]) => {
    const difference = differenceOf(replica, of)
    if (reason === null) expect(difference).toBe(null)
    else expect(difference).toMatch(reason)
  })

  test('is what it was last known to be while the primary is silent', async () => {
    let replica = standby
    let known: WalPosition | null = null
    const probe = createHistoryProbe(
      async () => replica,
      async () => known,
    )
    replica = { ...standby, acceptsWrites: true }
    await probe()
    known = primary
    await expect(probe()).rejects.toThrow('Rebuild it as a standby')
    known = null
    await expect(probe()).rejects.toThrow('Rebuild it as a standby')
    replica = standby
    known = primary
    await probe()
  })
})

describe('a server', () => {
  test('tells any role where it is', async () => {
    const database = await makeDatabase()
    await database.run('CREATE ROLE anybody LOGIN')
    await database.run('SET ROLE anybody')
    const ask = async ({ text }: { text: string }) =>
      (await database.run(text)).map(([system, started, writes, ...rest]) => [
        String(system),
        String(started),
        writes === 1,
        ...rest.map(Number),
      ])
    const read = createWalPositionReader(ask, () => expect.unreachable())
    const first = await read()
    expect(first).toMatchObject({ acceptsWrites: true, timeline: 1, system: expect.stringMatching(/^\d+$/) })
    await database.run('RESET ROLE; CREATE TABLE more (); DROP ROLE anybody')
    const second = await read()
    expect(second).toEqual({ ...first, position: expect.any(Number) })
    expect(second?.position).toBeGreaterThan(first?.position ?? 0)
    await database.remove()
  })

  test.for([
    ['42883', 1],
    ['42501', 1],
    ['57P01', 3],
  ] as const)('that answers %s is asked %i times of three', async ([code, times]) => {
    let asked = 0
    let unknown = 0
    const read = createWalPositionReader(
      () => {
        asked++
        return Promise.reject(Object.assign(new Error('failed'), { code }))
      },
      () => unknown++,
    )
    for (let round = 0; round < 3; round++) await read().catch(() => null)
    expect({ asked, unknown }).toEqual({ asked: times, unknown: times === 1 ? 1 : 0 })
  })
})
