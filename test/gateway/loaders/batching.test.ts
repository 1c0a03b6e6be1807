import { parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createExecution, type Execution } from '../../../src/gateway/graphql/execution.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { createLookups, type Lookups } from '../../../src/gateway/loaders/lookups.ts'
import { rowsOf } from '../../../src/stores/items.ts'
import { gone } from '../../kit/caller.ts'
import { change } from '../../stores/sqlite/support.ts'
import { type CountingStore, openCountingStore } from './counting-store.ts'

let store: CountingStore
let lookups: Lookups
let execution: Execution
beforeEach(async () => {
  store = await openCountingStore()
  lookups = createLookups(store, () => {})
  execution = createExecution({ schema, lookups, maxValues: 1000, maxFields: 10_000, observe: () => {} })
})
afterEach(() => store.remove())

const ask = async (query: string) => execution.run({ document: parse(query) }, execution.createContext())

describe('one GraphQL request', () => {
  test('for two users is one query', async () => {
    expect(await ask('{ users(values: ["1", "2"]) { username } }')).toEqual({
      data: { users: [{ username: 'Ada' }, { username: 'søren' }] },
    })
    expect(store.queries).toEqual([{ by: 'ID', values: ['1', '2'] }])
  })

  test('with aliased fields is one query, and each field gets its own', async () => {
    const query =
      '{ a: users(values: ["3"]) { id } b: users(values: ["1", "99", "3"]) { id } c: users(values: []) { id } }'
    expect(await ask(query)).toEqual({
      data: { a: [{ id: '3' }], b: [{ id: '1' }, null, { id: '3' }], c: [] },
    })
    expect(store.counts()).toEqual({ ID: 1 })
  })

  test('for users and apps, and by every method, is one query each', async () => {
    const query = `{
      a: users(values: ["1"]) { id }
      b: users(by: USERNAME, values: ["ADA"]) { id }
      c: users(by: CHAT, values: ["chat-1001"]) { id }
      d: apps(ids: ["1"]) { id }
      e: users(by: USERNAME, values: ["Mallory"]) { id }
      f: apps(ids: [2, "3"]) { id }
    }`
    expect(await ask(query)).toEqual({
      data: {
        a: [{ id: '1' }],
        b: [{ id: '1' }],
        c: [{ id: '1' }],
        d: [{ id: '1' }],
        e: [{ id: '3' }],
        f: [{ id: '2' }, { id: '3' }],
      },
    })
    expect(store.counts()).toEqual({ ID: 1, USERNAME: 1, CHAT: 1, APP: 1 })
  })

  test('for single users and lists of them is one query', async () => {
    const query =
      '{ a: user(value: "3") { id } b: users(values: ["1", "99"]) { id } c: user(value: "98") { id } d: app(id: 2) { id } e: apps(ids: 1) { id } }'
    expect(await ask(query)).toEqual({
      data: { a: { id: '3' }, b: [{ id: '1' }, null], c: null, d: { id: '2' }, e: [{ id: '1' }] },
    })
    expect(store.queries).toEqual([
      { by: 'ID', values: ['3', '1', '99', '98'] },
      { by: 'APP', values: ['2', '1'] },
    ])
  })

  test('is one query still when it has been compiled', async () => {
    const document = parse('{ a: users(values: ["1"]) { id } b: users(values: ["2"]) { id } }')
    for (let use = 1; use <= 6; use++) {
      store.queries.length = 0
      const result = await execution.run({ document }, execution.createContext())
      expect(result).toEqual({ data: { a: [{ id: '1' }], b: [{ id: '2' }] } })
      expect(store.counts()).toEqual({ ID: 1 })
      await new Promise(setImmediate) // the compiler is loaded meanwhile
    }
  })
})

describe('requests at once', () => {
  test('ten of them make at most two queries, and each gets its own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ask(`{ users(values: ["${index + 1}", "99"]) { id } }`)),
    )
    expect(answers).toEqual(
      Array.from({ length: 10 }, (_, index) => ({ data: { users: [{ id: String(index + 1) }, null] } })),
    )
    expect(store.queries.length).toBeLessThanOrEqual(2)
    expect(store.queries.flatMap(({ values }) => values)).toHaveLength(20)
  })

  test('two hundred of them make few, and each gets its own answer', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => String(index % 16))
    const answers = await Promise.all(ids.map((id) => lookups.findUsers('ID', [id, '1'])))
    const known = (id: string) => (Number(id) >= 1 && Number(id) <= 13 ? Number(id) : null)
    expect(answers.map((users) => rowsOf(users).map((user) => user?.id ?? null))).toEqual(
      ids.map((id) => [known(id), 1]),
    )
    expect(store.queries.length).toBeLessThan(10)
  })

  test('are answered where the row of another cannot be read', async () => {
    // JavaScript has no such number.
    change(store.path, `UPDATE users SET join_date = 9007199254740993 WHERE id = 2`)
    const asked = [['1'], ['2', '3'], ['3', '99'], ['4', '2']]
    const answers = await Promise.allSettled(asked.map((ids) => lookups.findUsers('ID', ids)))
    expect(answers).toMatchObject([
      { status: 'fulfilled', value: [{ id: 1 }] },
      { status: 'fulfilled', value: [{ code: 'Internal' }, { id: 3 }] },
      { status: 'fulfilled', value: [{ id: 3 }, null] },
      { status: 'fulfilled', value: [{ id: 4 }, { code: 'Internal' }] },
    ])
    expect(store.counts()).toEqual({ ID: 1 })
  })

  test('one after another are a query each: nothing is kept', async () => {
    for (let time = 1; time <= 3; time++)
      expect(await lookups.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
    expect(store.counts()).toEqual({ ID: 3 })
  })
})

test('a client that leaves gets no empty answer, also where the row of another cannot be read', async () => {
  change(store.path, `UPDATE users SET join_date = 9007199254740993 WHERE id = 2`)
  const outcomes = await Promise.allSettled([
    lookups.findUsers('ID', ['1'], gone),
    lookups.findUsers('ID', ['2']),
    lookups.findUsers('ID', ['3']),
    lookups.findUsers('ID', ['4'], gone),
  ])
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'CallerLeft' } },
    { status: 'fulfilled', value: [{ code: 'Internal' }] },
    { status: 'fulfilled', value: [{ id: 3 }] },
    { status: 'rejected', reason: { code: 'CallerLeft' } },
  ])
})
