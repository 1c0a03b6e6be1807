// What is promised has to be kept, in both modes.

import { describe, expect, test } from 'vitest'
import { createFreeAsk } from '../../../src/migration/probe/ask.ts'
import type { Behaviour } from '../../../src/migration/probe/behaviour.ts'
import type { Finding } from '../../../src/migration/probe/finding.ts'
import { findFixes } from '../../../src/migration/probe/fixed-by.ts'
import { always } from '../../../src/migration/probe/judging.ts'
import { meaningsOf, promiseOf, rowsOf } from '../../../src/migration/probe/report.ts'
import { NoReply } from '../../../src/stores/old-service/call.ts'

const said = (text: string): Finding => ({ kind: 'entries', text })
const behaviour = (name: string, judgement: Parameters<typeof always>[0] = 'reading'): Behaviour => ({
  name,
  judge: always(judgement),
  observe: async () => said(name),
})
const works = { lookups: null, copying: null }

/**
 * Rows of one behaviour: what the old service, and the gateways as set, as advised and over it, have said.
 */
function rowsFor(texts: readonly (string | null)[], one = behaviour('a row')) {
  const [old, set, advised, overOld] = texts.map((text) => [text === null ? null : said(text)])
  const fixes = new Map([['a row', ['LEGACY_UNKNOWN']]])
  return rowsOf({
    behaviours: [one],
    old: old ?? [],
    set: set ?? [],
    advised: advised ?? [],
    overOld: overOld ?? [],
    fixes,
  })
}

describe('what the settings are good for', () => {
  test.each<[readonly (string | null)[], string, string]>([
    [['a', 'a', 'a', 'a'], 'same', 'alike'],
    [['a', 'b', 'a', 'a'], 'fixed', 'alike'],
    [['a', 'b', 'b', 'b'], 'differs', 'closest'],
    [['a', 'a', 'b', 'b'], 'worse', 'closest'],
    [['a', 'b', 'a', 'b'], 'fixed', 'own'],
    [['a', 'b', 'b', 'a'], 'differs', 'store'],
    [['a', 'a', 'a', null], 'same', 'own'],
    [[null, 'a', 'a', 'a'], 'not asked', 'closest'],
  ])('%j is %s, and promised %s', (texts, state, promise) => {
    const rows = rowsFor(texts)
    expect(rows[0]?.state).toBe(state)
    expect(promiseOf(rows, works)).toBe(promise)
  })

  test('no store that does not work is promised', () => {
    expect(promiseOf(rowsFor(['a', 'a', 'a', 'a']), { lookups: 'it fails', copying: null })).toBe('own')
  })

  test('what no client notices does not count, and has no meaning for clients', () => {
    const rows = rowsFor(['a', 'b', 'b', 'b'], behaviour('a row', 'mediaTypeDetail'))
    expect(rows[0]?.left?.about).toBe('form')
    expect(promiseOf(rows, works)).toBe('alike')
    expect(meaningsOf(rows)).toEqual([])
  })
})

describe('which settings fix a behaviour', () => {
  const behaviours = [behaviour('both'), behaviour('either'), behaviour('neither')]
  const old = ['1', '1', '1'].map(said)
  const at = (unknown: boolean, malformed: boolean) =>
    [unknown && malformed, unknown || malformed, false].map((same) => said(same ? '1' : '0'))

  test('is found by leaving each out, and by each alone', async () => {
    const fixes = await findFixes({
      behaviours,
      old,
      set: at(false, false),
      advised: at(true, true),
      changed: { LEGACY_UNKNOWN: 'null', LEGACY_MALFORMED: 'unknown', DATABASE_MAX_VALUES: '5' },
      observe: async (advice, some) => {
        const all = at('LEGACY_UNKNOWN' in advice, 'LEGACY_MALFORMED' in advice)
        return some.map((one) => all[behaviours.indexOf(one)] ?? null)
      },
    })
    expect([...fixes]).toEqual([
      ['both', ['LEGACY_UNKNOWN', 'LEGACY_MALFORMED']],
      ['either', ['LEGACY_UNKNOWN']],
    ])
  })
})

test('the same question is sent once, also where it is asked twice at a time', async () => {
  const sent: string[] = []
  const { ask, outcomes } = createFreeAsk(async (query, { method = 'GET' } = {}) => {
    sent.push(`${method} ${query}`)
    throw new NoReply('it is away')
  })
  await Promise.all([ask('a'), ask('a'), ask('b'), ask('a', { method: 'HEAD' })])
  expect(sent).toEqual(['GET a', 'GET b', 'HEAD a'])
  expect([...outcomes.keys()]).toEqual(sent)
})
