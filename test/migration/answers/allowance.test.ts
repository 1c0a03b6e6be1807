// Differences that do not count: whose value is ignored or tolerated, and what the old service changes by
// itself.

import { describe, expect, test } from 'vitest'
import { allowanceFor } from '../../../src/migration/answers/allowance.ts'
import { compareReplies } from '../../../src/migration/answers/compare.ts'
import { resultOf } from '../../../src/migration/answers/difference.ts'
import { compareWithBoth } from '../../../src/migration/answers/learn.ts'
import { isNear } from '../../../src/migration/answers/number.ts'
import { readIgnored, readTolerated } from '../../../src/noise.ts'
import type { Reply } from '../../../src/stores/old-service/call.ts'

const reply = (body: string, status = 200): Reply => ({ status, headers: {}, body: Buffer.from(body) })

function noiseOf(ignored: string, tolerated = '') {
  const ignore = ignored === '' ? [] : readIgnored(ignored)
  const tolerate = tolerated === '' ? [] : readTolerated(tolerated)
  if (typeof ignore === 'string' || typeof tolerate === 'string') throw new Error(`${ignore} ${tolerate}`)
  return { ignore, tolerate }
}

/** What counts, and what does not. */
function compare(old: string, fresh: string, noise: ReturnType<typeof noiseOf>, event = 'ProfileLookup') {
  const { differences, ignored } = compareReplies(reply(old), reply(fresh), allowanceFor(noise, event))
  return {
    counts: differences.map(({ field, kind }) => `${kind} ${field}`),
    not: ignored.map(({ field, reason }) => `${field} ${reason}`),
  }
}

test.each([
  ['in JSON', '{"1":{"Rank":1,"LastSeen":7}}', '{"1":{"Rank":1}}'],
  ['whose value differs', '{"1":{"Rank":1,"LastSeen":7}}', '{"1":{"Rank":1,"LastSeen":8}}'],
  [
    'in XML',
    '<S><Data Value="1"><LastSeen>7</LastSeen><Rank>1</Rank></Data></S>',
    '<S><Data Value="1"><Rank>1</Rank></Data></S>',
  ],
])('an ignored field that only the old service has, %s', (_, old, fresh) => {
  expect(compare(old, fresh, noiseOf('LastSeen'))).toEqual({ counts: [], not: ['LastSeen ignored'] })
  expect(compare(old, fresh, noiseOf('Karma')).counts).toHaveLength(1)
  // Clients rely on those of the interface.
  expect(compare(old, '{"1":{"LastSeen":7}}', noiseOf('Rank,LastSeen')).counts).not.toEqual([])
})

describe('an ignored field', () => {
  const rank = noiseOf('Rank')
  const ignored = { counts: [], not: ['Rank ignored'] }
  test.each([
    ['in JSON', '{"1":{"Rank":1}}', '{"1":{"Rank":2}}', ignored],
    ['as text', '{"1":{"Rank":"1"}}', '{"1":{"Rank":"2"}}', ignored],
    ['as a list', '{"1":{"Rank":[1]}}', '{"1":{"Rank":[2]}}', ignored],
    ['in several entries', '{"1":{"Rank":1},"2":{"Rank":1}}', '{"2":{"Rank":3},"1":{"Rank":2}}', ignored],
    [
      'in XML',
      '<S><Data Value="1"><Rank>1</Rank></Data></S>',
      '<S><Data Value="1"><Rank/></Data></S>',
      ignored,
    ],
    [
      'twice in XML',
      '<S><Data Value="1"><Rank/><Rank>1</Rank></Data></S>',
      '<S><Data Value="1"><Rank/><Rank/></Data></S>',
      { counts: [], not: ['Rank (2) ignored'] },
    ],
    [
      'as an attribute',
      '<S><Data Value="1" Rank="1"/></S>',
      '<S><Data Value="1" Rank="2"/></S>',
      { counts: [], not: ['@Rank ignored'] },
    ],
    [
      'with an attribute',
      '<S><Data Value="1"><Rank u="a">1</Rank></Data></S>',
      '<S><Data Value="1"><Rank u="a">2</Rank></Data></S>',
      ignored,
    ],
    [
      'beside another difference',
      '{"1":{"Rank":1,"A":1}}',
      '{"1":{"Rank":2,"A":2}}',
      { counts: ['value A'], not: ['Rank ignored'] },
    ],
    ['that is missing', '{"1":{"Rank":1}}', '{"1":{}}', { counts: ['missing Rank'], not: [] }],
    [
      'that is extra',
      '<S><Data Value="1"><A/></Data></S>',
      '<S><Data Value="1"><A/><Rank/></Data></S>',
      { counts: ['extra Rank'], not: [] },
    ],
    ['of another type', '{"1":{"Rank":1}}', '{"1":{"Rank":"2"}}', { counts: ['type Rank'], not: [] }],
    ['that is null', '{"1":{"Rank":1}}', '{"1":{"Rank":null}}', { counts: ['type Rank'], not: [] }],
    [
      'with elements in place of a text',
      '<S><Data Value="1"><Rank><a/></Rank></Data></S>',
      '<S><Data Value="1"><Rank>1</Rank></Data></S>',
      { counts: ['value Rank'], not: [] },
    ],
    [
      'in another place',
      '<S><Data Value="1"><Rank/><A/></Data></S>',
      '<S><Data Value="1"><A/><Rank>1</Rank></Data></S>',
      { counts: ['order entry'], not: ['Rank ignored'] },
    ],
    ['whose name is an identifier', '{"Rank":1}', '{"Rank":2}', { counts: ['value entry'], not: [] }],
    ['whose name is longer', '{"1":{"RankX":1}}', '{"1":{"RankX":2}}', { counts: ['value RankX'], not: [] }],
    ['in another case', '{"1":{"rank":1}}', '{"1":{"rank":2}}', { counts: ['value rank'], not: [] }],
    ['in an error', '{"1":{"Rank":1}}', '{"Error":{}}', { counts: ['refused answer'], not: [] }],
  ])('%s', (_, old, fresh, expected) => {
    const said = compare(old, fresh, rank)
    expect({ ...said, not: said.not.map((text) => text.replace('\ufffd', ' ')) }).toEqual(expected)
  })

  test('of one event, in any case of its name', () => {
    const noise = noiseOf('AppLookup.Version')
    const [old, fresh] = ['{"1":{"Version":"1.0.0"}}', '{"1":{"Version":"2.0.0"}}'] as const
    const not = ['Version ignored']
    expect(compare(old, fresh, noise, 'AppLookup')).toEqual({ counts: [], not })
    expect(compare(old, fresh, noise, 'applookup')).toEqual({ counts: [], not })
    for (const event of ['ProfileLookup', 'none'])
      expect(compare(old, fresh, noise, event)).toEqual({ counts: ['value Version'], not: [] })
    expect(compare(old, fresh, noiseOf('Version'), 'none')).toEqual({ counts: [], not })
  })

  test('with the name of a service', () => {
    const [old, fresh] = ['{"1":{"AcmeDownloadLink":"a"}}', '{"1":{"AcmeDownloadLink":"b"}}'] as const
    for (const name of ['DownloadLink', 'ServiceDownloadLink', 'AcmeDownloadLink'])
      expect(compare(old, fresh, noiseOf(name), 'AppLookup').counts).toEqual([])
  })

  test('is told with an example, and what came of it is no meaning of its own', () => {
    const comparison = compareReplies(
      reply('{"1":{"Rank":1}}'),
      reply('{"1":{"Rank":2}}'),
      allowanceFor(rank, ''),
    )
    expect(comparison.ignored).toEqual([
      { field: 'Rank', kind: 'value', reason: 'ignored', old: '1', new: '2' },
    ])
    expect(resultOf(comparison)).toBe('ignored')
    const respelt = compareReplies(
      reply('{"1":{"Rank":1}}'),
      reply('{"1":{"Rank":1.0}}'),
      allowanceFor(rank, ''),
    )
    expect(resultOf(respelt)).toBe('meaning')
  })
})

describe('a tolerated field', () => {
  const by60 = noiseOf('', 'JoinDate=60')
  test.each([
    ['{"1":{"JoinDate":100}}', '{"1":{"JoinDate":160}}', 'tolerated'],
    ['{"1":{"JoinDate":"100"}}', '{"1":{"JoinDate":"40"}}', 'tolerated'],
    ['{"1":{"JoinDate":100}}', '{"1":{"JoinDate":160.000000000000001}}', 'counts'],
    ['{"1":{"JoinDate":9007199254740993}}', '{"1":{"JoinDate":9007199254741054}}', 'counts'],
    ['{"1":{"JoinDate":9007199254740993}}', '{"1":{"JoinDate":9007199254741053}}', 'tolerated'],
    ['{"1":{"JoinDate":"today"}}', '{"1":{"JoinDate":"now"}}', 'counts'],
    ['{"1":{"JoinDate":""}}', '{"1":{"JoinDate":"0"}}', 'counts'],
    // One within and one beyond: the one beyond counts.
    ['{"1":{"JoinDate":1},"2":{"JoinDate":1}}', '{"1":{"JoinDate":2},"2":{"JoinDate":99}}', 'both'],
    [
      '<S><Data Value="1"><JoinDate>1</JoinDate></Data></S>',
      '<S><Data Value="1"><JoinDate>61</JoinDate></Data></S>',
      'tolerated',
    ],
    [
      '<S><Data Value="1"><JoinDate> 1</JoinDate></Data></S>',
      '<S><Data Value="1"><JoinDate>1</JoinDate></Data></S>',
      'counts',
    ],
  ])('%s and %s', (old, fresh, expected) => {
    const { counts, not } = compare(old, fresh, by60)
    expect(counts).toEqual(expected === 'tolerated' ? [] : ['value JoinDate'])
    expect(not).toEqual(expected === 'counts' ? [] : ['JoinDate tolerated'])
  })

  test.each([
    ['0.1', '0.3', '0.2', true],
    ['0.1', '0.30000000000000001', '0.2', false],
    ['60', '-30', '30', true],
    ['60', '-30.5', '30', false],
    ['1', '1e20', '100000000000000000001', true],
    ['1', '1e20', '100000000000000000002', false],
    ['1', '007', '8', true],
    ['1', '-0', '0', true],
    ['1', '1e100', '1e100', true],
    ['1', '1e101', '1e101', false],
    ['1', '1e999999999', '0', false],
    ['1', '1'.repeat(65), '1'.repeat(65), false],
    ['1', '0x1', '1', false],
    ['1', 'NaN', '1', false],
  ])('within %s: %s and %s: %s', (by, one, other, expected) => {
    expect(isNear(by, one, other)).toBe(expected)
    expect(isNear(by, other, one)).toBe(expected)
  })
})

describe('learnt from two answers of the old service', () => {
  const json = (rank: number, more: Readonly<Record<string, unknown>> = {}) =>
    reply(JSON.stringify({ 1: { Rank: rank, ...more } }))
  const learn = (old: Reply, again: Reply, fresh: Reply, ignored = '') => {
    const comparison = compareWithBoth({ old, again, fresh }, allowanceFor(noiseOf(ignored), ''))
    return {
      result: resultOf(comparison),
      counts: comparison.differences.map(({ field, kind }) => `${kind} ${field}`),
      not: comparison.ignored.map(({ field, kind, reason }) => `${kind} ${field} ${reason}`),
    }
  }
  const nothing = { counts: [], not: [] }

  test('a value that it changes by itself does not count', () => {
    const not = ['value Rank learned']
    expect(learn(json(1), json(2), json(3))).toEqual({ ...nothing, result: 'ignored', not })
  })
  test('one that it does not change counts', () => {
    expect(learn(json(1), json(1), json(3))).toEqual({
      ...nothing,
      result: 'different',
      counts: ['value Rank'],
    })
    expect(learn(json(1, { A: 1 }), json(2, { A: 1 }), json(3, { A: 2 }))).toEqual({
      ...nothing,
      result: 'different',
      counts: ['value A'],
      not: ['value Rank learned'],
    })
  })
  test('a field that it changes may not be missing, nor have another type', () => {
    expect(learn(json(1), json(2), reply('{"1":{}}')).counts).toEqual(['missing Rank'])
    expect(learn(json(1), json(2), reply('{"1":{"Rank":"3"}}')).counts).toEqual(['type Rank'])
  })
  test('what is ignored by name is told so', () => {
    expect(learn(json(1), json(2), json(3), 'Rank').not).toEqual(['value Rank ignored'])
  })
  test('where its status changes, the new answer is to be one of the two', () => {
    const [found, lost] = [json(1), reply('{"error":"x"}', 404)]
    const not = ['refused answer learned']
    expect(learn(lost, found, json(1))).toEqual({ ...nothing, result: 'ignored', not })
    expect(learn(lost, found, json(2))).toMatchObject({ result: 'different' })
    expect(learn(lost, lost, found)).toMatchObject({ result: 'different' })
  })
  test('where entries come and go, the new answer is to have those of one of the two', () => {
    const [all, none, others] = [json(1), reply('{}'), reply('{"2":{"Rank":1}}')]
    expect(learn(none, all, json(1))).toMatchObject({ result: 'ignored', not: ['extra entry learned'] })
    expect(learn(none, all, others)).toMatchObject({ result: 'different', counts: ['extra entry'] })
  })
  test('a second answer that cannot be read says nothing', () => {
    const half = reply('half of'.repeat(100))
    expect(learn(json(1), half, json(2))).toEqual({ ...nothing, result: 'different', counts: ['value Rank'] })
  })
})

test('an old service that makes up fields fills no memory', () => {
  const many = (value: number) =>
    reply(
      JSON.stringify({ 1: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, value])) }),
    )
  const { differences, ignored } = compareWithBoth({ old: many(1), again: many(2), fresh: many(3) }, null)
  expect([differences.length, ignored.length]).toEqual([0, 100])
})
