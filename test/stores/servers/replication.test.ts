// Asking the primary where it is.

import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../src/observe/events.ts'
import { describeError } from '../../../src/stores/postgres/errors.ts'
import type { Place } from '../../../src/stores/servers/engine.ts'
import { createPrimaryReader } from '../../../src/stores/servers/replication.ts'

const primary: Place = { acceptsWrites: true, position: 500 }

describe('the primary', () => {
  test('is asked once for all that come while it is asked, and after they came', async () => {
    let asked = 0
    const first = Promise.withResolvers<void>()
    const readPosition = async () => {
      const position = ++asked
      if (position === 1) await first.promise
      return { acceptsWrites: true, position }
    }
    const read = createPrimaryReader(
      { address: 'a', describeError, isOut: () => false, readPosition },
      () => {},
    )
    const reading = read()
    await expect.poll(() => asked).toBe(1)
    const later = [read(), read(), read()]
    first.resolve()
    expect((await reading)?.position).toBe(1)
    expect((await Promise.all(later)).map((place) => place?.position)).toEqual([2, 2, 2])
    expect((await read())?.position).toBe(3)
  })

  test('that does not say where it is for three seconds is logged, once until it does', async () => {
    let now = 0
    let fails = true
    let isOut = false
    const seen: Observation[] = []
    const read = createPrimaryReader(
      {
        address: 'a',
        describeError,
        isOut: () => isOut,
        readPosition: async () => {
          if (fails) throw new Error('unreadable')
          return primary
        },
      },
      (one) => seen.push(one),
      () => now,
    )
    const watch = async (milliseconds: number) => {
      for (const end = now + milliseconds; now < end; now += 500) await read()
    }
    await watch(3000)
    expect(seen).toEqual([])
    await watch(9000)
    const line = { type: 'history-unknown', server: 'a', reason: 'unreadable.' }
    expect(seen).toEqual([line])
    fails = false
    expect(await read()).toEqual(primary)
    fails = true
    isOut = true
    await watch(9000)
    expect(seen).toEqual([line])
    isOut = false
    await watch(4000)
    expect(seen).toEqual([line, line])
  })
})
