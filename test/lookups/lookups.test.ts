// Values reach the store in canonical form, once; others are null, and reach no store.

import { test as base, expect, vi } from 'vitest'
import { createLookups } from '../../src/lookups/lookups.ts'
import { MAX_NAME_LENGTH, usernameKey } from '../../src/model.ts'
import type { Observation } from '../../src/observe/events.ts'
import { makeCaller } from '../kit/caller.ts'
import { rowsOf } from '../kit/rows.ts'
import { openCountingStore } from './counting-store.ts'

const test = base.extend('opened', async ({ task: _ }, { onCleanup }) => {
  const store = await openCountingStore()
  onCleanup(store.remove)
  const observations: Observation[] = []
  return { store, observations, lookups: createLookups(store, (one) => void observations.push(one)) }
})

const longest = 'e\u0301'.repeat(MAX_NAME_LENGTH / 2)
test.for([
  ['ID', ['007', '9007199254740991', '0'], ['7', '9007199254740991', '0']],
  [
    'USERNAME',
    ['\uff21\uff24\uff21', 'Zoe\u0308', '\u0130', '\ufb00', '\u212a', longest],
    ['ada', 'zo\u00eb', 'i\u0307', 'ff', 'k', '\u00e9'.repeat(MAX_NAME_LENGTH / 2)],
  ],
  ['CHAT', ['CHAT-1012', '\ufb00', '007', longest], ['CHAT-1012', '\ufb00', '007', longest]],
] as const)('by %s, %j arrives as %j', async ([by, values, canonical], { opened: { store, lookups } }) => {
  await lookups.findUsers(by, values)
  expect(store.queries).toEqual([{ by, values: canonical }])
})

const noIds = '| 1|1 |-1|+1|1.0|1e3|0x1|ada|\u0663|9007199254740992|1\0|1,2|\ud800'.split('|')
const tooLong = [`${longest}x`, 'x'.repeat(MAX_NAME_LENGTH + 1), 'a'.repeat(32_000), '\u{1f338}'.repeat(129)]
test.for([
  ['ID', noIds],
  ['APP', noIds],
  ['USERNAME', tooLong],
  ['CHAT', tooLong],
] as const)(
  '%s: malformed values are null at their places, and reach no store',
  async ([by, values], { opened }) => {
    const { store, lookups } = opened
    const find = async (list: readonly string[]) =>
      rowsOf<{ readonly id: number }>(
        await (by === 'APP' ? lookups.findApps(list) : lookups.findUsers(by, list)),
      )
    const nulls = values.map(() => null)
    expect(await find(values)).toEqual(nulls)
    expect(await find([])).toEqual([])
    expect(store.queries).toEqual([])
    const found = await find([...values, '2', ...values, '99', '1'])
    const rows = by === 'ID' || by === 'APP' ? [{ id: 2 }, { id: 1 }] : [null, null]
    expect(found).toMatchObject([...nulls, rows[0], ...nulls, null, rows[1]])
    expect(store.queries).toEqual([{ by, values: ['2', '99', '1'] }])
  },
)

test('each query is observed with its size', async ({ opened: { lookups, observations } }) => {
  const users = [
    ['1', '2'],
    ['3', 'x'],
  ].map((ids) => lookups.findUsers('ID', ids))
  await Promise.all([...users, lookups.findApps(['1'])])
  const query = { type: 'store-query', duration: expect.any(Number) }
  expect(observations).toEqual([
    { ...query, lookup: 'users-by-id', questions: 2, values: 3 },
    { ...query, lookup: 'apps-by-id', questions: 1, values: 1 },
  ])
})

test('a name is normalized once for a request, unless it is too long', async ({ opened: { lookups } }) => {
  const [one, other] = [makeCaller(), makeCaller()]
  const normalize = vi.spyOn(String.prototype, 'normalize')
  await Promise.all([
    ...Array.from({ length: 1000 }, () => lookups.findUsers('USERNAME', [longest], one)),
    lookups.findUsers('USERNAME', [longest], other),
    lookups.findUsers('USERNAME', ['\u00f6', ...tooLong], one),
  ])
  const texts = normalize.mock.contexts.map(String)
  normalize.mockRestore()
  expect(texts).toEqual([longest, longest, '\u00f6'])
})

test('a name has the key of the model, for a client or none', async ({ opened: { store, lookups } }) => {
  const names = ['Ada', '\uff21\uff24\uff21', '\u0130', 'A\0b', '', '\x7f', '\x80', longest]
  for (const caller of [makeCaller(), null]) {
    await lookups.findUsers('USERNAME', names, caller)
    expect(store.queries.pop()).toEqual({ by: 'USERNAME', values: names.map(usernameKey) })
  }
})
