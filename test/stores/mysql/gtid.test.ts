// Which transactions a server has, and what that says of a replica.

import { describe, expect, test } from 'vitest'
import {
  areRelated,
  countOf,
  hasOthers,
  readGtidPosition,
  readGtidSet,
} from '../../../src/stores/mysql/gtid.ts'
import { compare, createPlaceReader } from '../../../src/stores/mysql/place.ts'
import type { Question, Row } from '../../../src/stores/servers/engine.ts'

const [a, b] = ['3e11fa47-71ca-11e1-9e33-c80aa9429562', '4f22fa47-71ca-11e1-9e33-c80aa9429562']

describe('transactions', () => {
  test.for([
    ['', 0],
    [`${a}:1`, 1],
    [`${a}:1-5`, 5],
    [`${a}:1-5:7:10-11,\n${b}:3-4`, 10],
    [`${a}:1-5:tag_one:1-3:tag_two:9`, 9],
  ] as const)('of MySQL: %j', ([text, count]) => {
    expect(countOf(readGtidSet(text))).toBe(count)
  })

  test.for([
    ['', 0],
    ['0-1-100', 100],
    ['0-1-100,7-2-3', 103],
  ] as const)('of MariaDB: %j', ([text, count]) => {
    expect(countOf(readGtidPosition(text))).toBe(count)
  })

  test.for([
    [`${a}:1-5`, `${a}:1-5`, false],
    [`${a}:1-4`, `${a}:1-5`, false],
    [`${a}:2-3:5`, `${a}:1-3:5-9`, false],
    [`${a}:1-6`, `${a}:1-5`, true],
    [`${a}:1-6`, `${a}:1-3:5-9`, true],
    [`${a}:1,${b}:1`, `${a}:1-5`, true],
    [`${a}:1:tag:2`, `${a}:1-5`, true],
    ['', `${a}:1`, false],
  ] as const)('%j that are not in %j', ([one, other, expected]) => {
    expect(hasOthers(readGtidSet(one), readGtidSet(other), null)).toBe(expected)
  })

  test('of a server itself are none', () => {
    expect(hasOthers(readGtidSet(`${a}:1,${b}:1:tag:4`), readGtidSet(`${a}:1-5`), b)).toBe(false)
  })

  test('are related by where they began', () => {
    expect(areRelated(readGtidSet(`${a}:1`), readGtidSet(`${a}:9,${b}:1`))).toBe(true)
    expect(areRelated(readGtidSet(`${a}:1`), readGtidSet(`${b}:1`))).toBe(false)
    expect(areRelated(readGtidPosition('0-1-5'), readGtidPosition('0-2-9'))).toBe(true)
  })
})

/** A server that answers so, and what it was asked. */
async function placeOf(row: Row, statuses: readonly (Row | number)[] = [], isWanted = true) {
  const asked: string[] = []
  const unknown: string[] = []
  const left = [...statuses]
  const ask = async ({ text }: Question): Promise<readonly Row[]> => {
    asked.push(text.slice(0, 12))
    if (!text.startsWith('SHOW')) return [row]
    const next = left.shift() ?? []
    if (typeof next === 'number') throw Object.assign(new Error('failed'), { errno: next, sqlState: '42000' })
    return next.length === 0 ? [] : [next]
  }
  const read = createPlaceReader(ask, isWanted, (what) => unknown.push(what))
  return { read, asked, unknown, place: await read() }
}
const statusOf = (seconds: number | null): Row => [...Array.from({ length: 32 }, () => ''), seconds]
const primary = (gtids: string, uuid = a): Row => [0, 'p', uuid, gtids]
const replica = (gtids: string, uuid = b): Row => [1, 'r', uuid, gtids]
const judge = async (one: Row, other: Row) => {
  const [{ place: is }, { place: of }] = [await placeOf(one), await placeOf(other)]
  return is === null || of === null ? null : compare(is, of)
}

describe('a replica', () => {
  test.for([
    ['has what the primary has', replica(`${a}:1-5`), primary(`${a}:1-5`), null, null],
    ['is behind', replica(`${a}:1-4`), primary(`${a}:1-5`), null, null],
    ['wrote something by itself', replica(`${a}:1-5,${b}:1`), primary(`${a}:1-5`), null, null],
    ['is further than the primary', replica(`${a}:1-6`), primary(`${a}:1-5`), /does not have/, null],
    ['follows another server', replica(`${a}:1-5,c:1`), primary(`${a}:1-5`), /does not have/, null],
    ['accepts writes', [0, 'r', b, `${a}:1`], primary(`${a}:1-5`), /accepts writes itself/, null],
    ['is the primary itself', primary(`${a}:1-5`), primary(`${a}:1-5`), null, null],
    ['has nothing of the primary', replica('c:1'), primary(`${a}:1-5`), null, /no transaction in common/],
    ['and its primary say nothing', replica(''), primary(''), null, null],
    [
      'accepts writes, as MariaDB 12 says it',
      ['OFF', 'r', null, '0-1-5'],
      ['OFF', 'p', null, '0-1-5'],
      /accepts/,
      null,
    ],
    ['of MariaDB is further', [1, 'r', null, '0-2-6'], [0, 'p', null, '0-1-5'], /does not have/, null],
    ['has a primary that is a replica itself', [0, 'r', b, `${a}:9`], [1, 'p', a, `${a}:1`], null, null],
  ] as const)('that %s', async ([, is, of, difference, unrelated]) => {
    const found = await judge(is, of)
    if (difference === null) expect(found?.difference).toBe(null)
    else expect(found?.difference).toMatch(difference)
    if (unrelated === null) expect(found?.unrelated).toBe(null)
    else expect(found?.unrelated).toMatch(unrelated)
  })

  test('without identifiers of transactions is asked how far it is behind', async () => {
    expect((await placeOf(replica(''), [statusOf(7)])).place).toMatchObject({
      position: null,
      secondsBehind: 7,
    })
    const stopped = await placeOf(replica(''), [statusOf(null)])
    expect(stopped.place).toMatchObject({ secondsBehind: Number.POSITIVE_INFINITY })
    expect((await placeOf(primary(''))).asked).toHaveLength(1)
  })

  test('of an old version is asked in its own words', async () => {
    const { place, read, asked, unknown } = await placeOf(replica(''), [1064, statusOf(3), statusOf(4)])
    expect(place).toMatchObject({ secondsBehind: 3 })
    expect(await read()).toMatchObject({ secondsBehind: 4 })
    expect(asked.filter((text) => text.startsWith('SHOW'))).toEqual([
      'SHOW REPLICA',
      'SHOW SLAVE S',
      'SHOW SLAVE S',
    ])
    expect(unknown).toEqual([])
  })

  test('whose user may not ask is named once', async () => {
    const { place, read, unknown } = await placeOf(replica(''), [1227])
    expect(place).toMatchObject({ secondsBehind: null })
    await read()
    expect(unknown).toEqual(['lag-unknown'])
  })
})

test('a lone server only has to answer', async () => {
  expect(await placeOf([1], [], false)).toMatchObject({ place: null, asked: ['SELECT 1 /*M'] })
})
