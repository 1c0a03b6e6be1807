// The keys of usernames: none is made of what is too long to be one, and each once for a request.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLookups, type Lookups } from '../../../src/gateway/loaders/lookups.ts'
import { createUsernameKeys } from '../../../src/gateway/loaders/username-keys.ts'
import { MAX_NAME_LENGTH, usernameKey } from '../../../src/model.ts'
import { makeCaller } from '../../kit/caller.ts'
import { type CountingStore, openCountingStore } from './counting-store.ts'

const longest = 'e\u0301'.repeat(MAX_NAME_LENGTH / 2)
const tooLong = [`${longest}x`, 'x'.repeat(MAX_NAME_LENGTH + 1), 'a'.repeat(32_000), '🌸'.repeat(129)]

let store: CountingStore
let lookups: Lookups
beforeEach(async () => {
  store = await openCountingStore()
  lookups = createLookups(store, () => {})
})
afterEach(() => store.remove())

describe.each(['USERNAME', 'CHAT'] as const)('by %s', (by) => {
  test('what is longer than a name can be matches nothing, and the store is not asked for it', async () => {
    expect(await lookups.findUsers(by, tooLong)).toEqual(tooLong.map(() => null))
    expect(store.queries).toEqual([])
    await lookups.findUsers(by, [...tooLong, longest, ...tooLong])
    expect(store.queries.map(({ values }) => values)).toEqual([
      [by === 'CHAT' ? longest : usernameKey(longest)],
    ])
  })
})

/** The texts that are normalised meanwhile. */
function normalised(work: () => void): readonly string[] {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  work()
  const texts = normalize.mock.contexts.map(String)
  normalize.mockRestore()
  return texts
}

test('what is too long is not normalised', () => {
  const keyOf = createUsernameKeys()
  const texts = normalised(() => {
    for (const name of tooLong) keyOf(name, makeCaller())
  })
  expect(texts).toEqual([])
})

test('a name is normalised once for a request, however often it is asked for', () => {
  const keyOf = createUsernameKeys()
  const [one, other] = [makeCaller(), makeCaller()]
  const keys = new Set<string | null>()
  const texts = normalised(() => {
    for (let time = 1; time <= 1000; time++) keys.add(keyOf(longest, one))
    keyOf(longest, other)
    keyOf('ö', one)
  })
  expect(texts).toEqual([longest, longest, 'ö'])
  expect(keys).toEqual(new Set(['é'.repeat(128)]))
  expect(keyOf(longest, null)).toBe('é'.repeat(128))
})

test.each(['Ada', 'ＡＤＡ', 'İ', 'ﬀ', '\u212a', 'A\0b', '', '\x7f', '\x80'])(
  '%j has the key of the model',
  (name) => {
    expect(createUsernameKeys()(name, makeCaller())).toBe(usernameKey(name))
  },
)
