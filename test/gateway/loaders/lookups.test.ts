import { parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import { createExecution, type Execution } from '../../../src/gateway/graphql/execution.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { createLookups, type Lookups } from '../../../src/gateway/loaders/lookups.ts'
import type { Observation } from '../../../src/observation.ts'
import { rowsOf } from '../../../src/stores/items.ts'
import type { Store } from '../../../src/stores/store.ts'
import { type CountingStore, openCountingStore } from './counting-store.ts'

let store: CountingStore
let lookups: Lookups
let execution: Execution
let observations: Observation[]
beforeEach(async () => {
  store = await openCountingStore()
  observations = []
  lookups = createLookups(store, (observation) => observations.push(observation))
  execution = createExecution({ schema, lookups, maxValues: 1000, maxFields: 10_000, observe: () => {} })
})
afterEach(() => store.remove())

const ask = async (query: string) => execution.run({ document: parse(query) }, execution.createContext())

describe('values', () => {
  test('arrive in canonical form', async () => {
    await lookups.findUsers('ID', ['007', '9007199254740991', '0'])
    await lookups.findUsers('USERNAME', ['ＡＤＡ', 'Zoe\u0308', 'İ', 'ﬀ', '\u212a'])
    await lookups.findUsers('CHAT', ['CHAT-1012', 'ﬀ', '007'])
    await lookups.findApps(['0070000'])
    expect(store.queries.map(({ values }) => values)).toEqual([
      ['7', '9007199254740991', '0'],
      ['ada', 'zoë', 'i\u0307', 'ff', 'k'],
      ['CHAT-1012', 'ﬀ', '007'],
      ['70000'],
    ])
  })

  const malformed = [
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    'ada',
    '٣',
    '9007199254740992',
    '1\0',
    '1,2',
    '\ud800',
  ]

  test('that are no identifiers never reach the store, and are null at their places', async () => {
    for (const find of [lookups.findApps, (ids: readonly string[]) => lookups.findUsers('ID', ids)]) {
      expect(await find(malformed)).toEqual(malformed.map(() => null))
      expect(store.queries).toEqual([])
      const found = await find([...malformed, '2', ...malformed, '99', '1'])
      expect(rowsOf<{ readonly id: number }>(found).map((item) => item?.id ?? null)).toEqual([
        ...malformed.map(() => null),
        2,
        ...malformed.map(() => null),
        null,
        1,
      ])
      expect(store.queries.splice(0).map(({ values }) => values)).toEqual([['2', '99', '1']])
    }
  })

  test('of no list make no query', async () => {
    expect(await lookups.findUsers('USERNAME', [])).toEqual([])
    expect(store.queries).toEqual([])
  })
})

test('every query is observed with what it is made of', async () => {
  await Promise.all([
    lookups.findUsers('ID', ['1', '2']),
    lookups.findUsers('ID', ['3', 'x']),
    lookups.findApps(['1']),
  ])
  expect(observations).toEqual([
    { type: 'store-query', lookup: 'users-by-id', questions: 2, values: 3, duration: expect.any(Number) },
    { type: 'store-query', lookup: 'apps-by-id', questions: 1, values: 1, duration: expect.any(Number) },
  ])
})

test('a store that fails fails every request that waits for it, and none after it', async () => {
  store.failure = new LookupError('Unavailable')
  const failed = await Promise.allSettled([
    lookups.findUsers('ID', ['1']),
    lookups.findUsers('ID', ['2', 'malformed']),
    lookups.findApps(['1']),
    ask('{ users(values: ["3"]) { id } }').then(({ errors }) => Promise.reject(errors?.[0]?.originalError)),
  ])
  expect(failed.map((result) => result.status === 'rejected' && result.reason)).toEqual(
    failed.map(() => store.failure),
  )
  expect(store.counts()).toEqual({ ID: 1, APP: 1 })
  store.failure = null
  expect(await lookups.findUsers('ID', ['1', '2'])).toMatchObject([{ id: 1 }, { id: 2 }])
  expect(await lookups.findApps(['1'])).toMatchObject([{ id: 1 }])
})

describe('a store that answers some of the questions before the others', () => {
  const user = {
    id: 1,
    username: 'a',
    displayName: '',
    rank: 0,
    joinDate: 0,
    isConfirmed: true,
    banned: false,
  }

  /** A store that answers the first two questions of a query early, and the others when it is told to. */
  function openEarlyStore() {
    const late = Promise.withResolvers<void>()
    const queries: (readonly string[])[] = []
    const early: Store = {
      ...store,
      capacity: () => 1,
      findUsers: async (_, values, sharing) => {
        queries.push(values)
        const failed = new LookupError('Unavailable')
        if (sharing !== undefined && sharing.questions.length > 1) {
          sharing.nextRound(
            new Map([
              [0, [user]],
              [1, [failed]],
            ]),
          )
          await late.promise
        }
        return values.map((value) => (value === '2' ? failed : { ...user, id: Number(value) }))
      },
    }
    return { lookups: createLookups(early, () => {}), queries, end: late.resolve }
  }

  test('its clients do not wait for the others, and neither does the next query', async () => {
    const { lookups, queries, end } = openEarlyStore()
    const [first, second, third] = ['1', '2', '3'].map((id) => lookups.findUsers('ID', [id]))
    expect(await first).toEqual([user])
    await expect(second).rejects.toMatchObject({ code: 'Unavailable' })
    expect(await lookups.findUsers('ID', ['4'])).toMatchObject([{ id: 4 }])
    expect(queries).toEqual([['1', '2', '3'], ['4']])
    let isAnswered = false
    third?.then(() => (isAnswered = true))
    await new Promise(setImmediate)
    expect(isAnswered).toBe(false)
    end()
    expect(await third).toMatchObject([{ id: 3 }])
    // The gate has room for one query still, and no more.
    expect(await lookups.findUsers('ID', ['5'])).toMatchObject([{ id: 5 }])
  })
})
