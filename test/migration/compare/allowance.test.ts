// Differences that do not count: in fields that are ignored or tolerated, and in fields that the old service
// changes by itself.

import { describe, expect, test } from 'vitest'
import { readIgnored, readTolerated } from '../../../src/config/noise.ts'
import { compareResponses, compareWithBoth } from '../../../src/migration/compare/compare.ts'
import { allowanceFor, type Comparison } from '../../../src/migration/compare/difference.ts'
import { isNear } from '../../../src/migration/compare/number.ts'
import type { OldServiceResponse } from '../../../src/stores/old-service/call.ts'

const reply = (body: string, status = 200): OldServiceResponse => ({
  status,
  headers: {},
  body: Buffer.from(body),
})
/** XML with one entry. */
const entry = (fields: string) => `<S><Data Value="1">${fields}</Data></S>`

function noiseOf(ignored: string, tolerated = '') {
  const ignore = ignored === '' ? [] : readIgnored(ignored)
  const tolerate = tolerated === '' ? [] : readTolerated(tolerated)
  if (typeof ignore === 'string' || typeof tolerate === 'string') throw new Error(`${ignore} ${tolerate}`)
  return { ignore, tolerate }
}
type Noise = ReturnType<typeof noiseOf>
/** Two of the old service, and the gateway's. */
type Responses = readonly [old: OldServiceResponse, again: OldServiceResponse, fresh: OldServiceResponse]

/** The differences that count, and those that do not with their reasons. */
const summaryOf = ({ differences }: Comparison) => ({
  counts: countedIn(differences)
    .map(({ field, kind }) => `${kind} ${field}`)
    .join(),
  not: excusedIn(differences)
    .map(({ field, excusedBy }) => `${field.replace('\ufffd', ' ')} ${excusedBy}`)
    .join(),
})
const countedIn = (all: Comparison['differences']) => all.filter(({ excusedBy }) => excusedBy === undefined)
const excusedIn = (all: Comparison['differences']) => all.filter(({ excusedBy }) => excusedBy !== undefined)
const compare = (old: string, fresh: string, noise: Noise, event = 'ProfileLookup') =>
  summaryOf(compareResponses(reply(old), reply(fresh), allowanceFor(noise, event)))

test.each([
  ['in JSON', '{"1":{"Rank":1,"LastSeen":7}}', '{"1":{"Rank":1}}'],
  ['with another value', '{"1":{"Rank":1,"LastSeen":7}}', '{"1":{"Rank":1,"LastSeen":8}}'],
  ['in XML', entry('<LastSeen>7</LastSeen><Rank>1</Rank>'), entry('<Rank>1</Rank>')],
])('an ignored field that only the old service has, %s', (_, old, fresh) => {
  expect(compare(old, fresh, noiseOf('LastSeen'))).toEqual({ counts: '', not: 'LastSeen ignored' })
  expect(compare(old, fresh, noiseOf('Karma')).counts).not.toBe('')
  // Clients rely on the fields of the interface.
  expect(compare(old, '{"1":{"LastSeen":7}}', noiseOf('Rank,LastSeen')).counts).not.toBe('')
})

describe('an ignored field', () => {
  const rank = noiseOf('Rank')
  test.each([
    ['in JSON', '{"1":{"Rank":1}}', '{"1":{"Rank":2}}', '', 'Rank ignored'],
    ['as a list', '{"1":{"Rank":[1]}}', '{"1":{"Rank":[2]}}', '', 'Rank ignored'],
    [
      'of two entries',
      '{"1":{"Rank":1},"2":{"Rank":1}}',
      '{"2":{"Rank":3},"1":{"Rank":2}}',
      '',
      'Rank ignored',
    ],
    ['in XML', entry('<Rank>1</Rank>'), entry('<Rank/>'), '', 'Rank ignored'],
    [
      'as an attribute',
      ...['<S><Data Value="1" Rank="1"/></S>', '<S><Data Value="1" Rank="2"/></S>', '', '@Rank ignored'],
    ],
    [
      'beside another difference',
      '{"1":{"Rank":1,"A":1}}',
      '{"1":{"Rank":2,"A":2}}',
      'value A',
      'Rank ignored',
    ],
    ['that is missing', '{"1":{"Rank":1}}', '{"1":{}}', 'missing Rank', ''],
    ['of another type', '{"1":{"Rank":1}}', '{"1":{"Rank":"2"}}', 'type Rank', ''],
    ['with an element for a text', entry('<Rank><a/></Rank>'), entry('<Rank>1</Rank>'), 'value Rank', ''],
    ['at another place', entry('<Rank/><A/>'), entry('<A/><Rank>1</Rank>'), 'order entry', 'Rank ignored'],
    ['whose name is an id', '{"Rank":1}', '{"Rank":2}', 'value entry', ''],
    ['in an error', '{"1":{"Rank":1}}', '{"Error":{}}', 'refused answer', ''],
  ])('%s', (_, old, fresh, counts, not) => {
    expect(compare(old, fresh, rank)).toEqual({ counts, not })
  })

  const versions = ['{"1":{"Version":"1.0.0"}}', '{"1":{"Version":"2.0.0"}}'] as const
  const links = ['{"1":{"AcmeDownloadLink":"a"}}', '{"1":{"AcmeDownloadLink":"b"}}'] as const
  test.each([
    ['AppLookup.Version', 'applookup', versions, ''],
    ['AppLookup.Version', 'ProfileLookup', versions, 'value Version'],
    ['Version', 'none', versions, ''],
    ['ServiceDownloadLink', 'AppLookup', links, ''],
    ['AcmeDownloadLink', 'AppLookup', links, ''],
  ] as const)('%s in the event %s', (name, event, [old, fresh], counts) => {
    expect(compare(old, fresh, noiseOf(name), event).counts).toBe(counts)
  })

  test('has an example; the result is ignored only if nothing but ignored fields differ', () => {
    const withRank = (text: string) =>
      compareResponses(reply('{"1":{"Rank":1}}'), reply(`{"1":{"Rank":${text}}}`), allowanceFor(rank, ''))
    const example = { scope: 'field', field: 'Rank', kind: 'value', excusedBy: 'ignored', old: '1', new: '2' }
    expect(withRank('2')).toEqual({ verdict: 'ignored', differences: [example] })
    expect(withRank('1.0')).toEqual({ verdict: 'meaning', differences: [] })
  })
})

describe('a tolerated field', () => {
  const joined = (...dates: string[]) => JSON.stringify(dates.map((date) => ({ JoinDate: date })))
  const raw = (date: string) => `{"1":{"JoinDate":${date}}}`
  const xml = (date: string) => entry(`<JoinDate>${date}</JoinDate>`)
  test.each([
    [raw('100'), raw('160'), 'tolerated'],
    [raw('"100"'), raw('"40"'), 'tolerated'],
    [raw('100'), raw('160.000000000000001'), 'counts'],
    [raw('9007199254740993'), raw('9007199254741054'), 'counts'],
    [raw('9007199254740993'), raw('9007199254741053'), 'tolerated'],
    [raw('"today"'), raw('"now"'), 'counts'],
    [raw('""'), raw('"0"'), 'counts'],
    [joined('1', '1'), joined('2', '99'), 'both'],
    [xml('1'), xml('61'), 'tolerated'],
    [xml(' 1'), xml('1'), 'counts'],
  ])('by 60: %s and %s: %s', (old, fresh, expected) => {
    const { counts, not } = compare(old, fresh, noiseOf('', 'JoinDate=60'))
    expect(counts).toBe(expected === 'tolerated' ? '' : 'value JoinDate')
    expect(not).toBe(expected === 'counts' ? '' : 'JoinDate tolerated')
  })

  test.each([
    ['0.1', '0.3', '0.2', true],
    ['0.1', '0.30000000000000001', '0.2', false],
    ['1', '1e20', '100000000000000000002', false],
    ['1', '007', '8', true],
    ['1', '-0', '0', true],
    ['1', '1e101', '1e101', false],
    ['1', '1e999999999', '0', false],
    ['1', '1'.repeat(65), '1'.repeat(65), false],
    ['1', 'NaN', '1', false],
  ])('by %s: %s and %s are near: %s', (by, one, other, expected) => {
    expect([isNear(by, one, other), isNear(by, other, one)]).toEqual([expected, expected])
  })
})

describe('a difference between two responses of the old service', () => {
  const json = (rank: number, more: Readonly<Record<string, unknown>> = {}) =>
    reply(JSON.stringify({ 1: { Rank: rank, ...more } }))
  const [lost, all, none] = [reply('{"error":"x"}', 404), json(1), reply('{}')]
  const twoValues: Responses = [json(1, { A: 1 }), json(2, { A: 1 }), json(3, { A: 2 })]

  test.each<[string, responses: Responses, result: string, counts: string, not: string, ignore?: string]>([
    ['in a value', [json(1), json(2), json(3)], 'ignored', '', 'Rank learned'],
    ['in no value', [json(1), json(1), json(3)], 'different', 'value Rank', ''],
    ['in one of two values', twoValues, 'different', 'value A', 'Rank learned'],
    [
      'in a field of another type',
      [json(1), json(2), reply('{"1":{"Rank":"3"}}')],
      'different',
      'type Rank',
      '',
    ],
    ['in an ignored value', [json(1), json(2), json(3)], 'ignored', '', 'Rank ignored', 'Rank'],
    ['in the status', [lost, all, json(1)], 'ignored', '', 'answer learned'],
    ['in the entries', [none, all, json(1)], 'ignored', '', 'entry learned'],
    ['in a plain text', [reply('No 1'), reply('No 2'), reply('No 3')], 'ignored', '', 'answer learned'],
    ['in no plain text', [reply('No 1'), reply('No 1'), reply('No 3')], 'different', 'value answer', ''],
    ['that is unreadable', [json(1), reply('half of'.repeat(100)), json(2)], 'different', 'value Rank', ''],
  ])('%s', (_, [old, again, fresh], result, counts, not, ignore = '') => {
    const comparison = compareWithBoth({ old, again, fresh }, allowanceFor(noiseOf(ignore), ''))
    expect({ result: comparison.verdict, ...summaryOf(comparison) }).toEqual({ result, counts, not })
  })

  test('in 5,000 fields fills no memory', () => {
    const fields = Array.from({ length: 5_000 }, (_, at) => `f${at}`)
    const many = (value: number) =>
      reply(JSON.stringify({ 1: Object.fromEntries(fields.map((one) => [one, value])) }))
    const { differences } = compareWithBoth({ old: many(1), again: many(2), fresh: many(3) }, null)
    expect([countedIn(differences).length, excusedIn(differences).length]).toEqual([0, 100])
  })
})
