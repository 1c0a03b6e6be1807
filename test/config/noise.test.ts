// The names of fields that do not count in a comparison.

import { expect, test } from 'vitest'
import { contradictionIn, readIgnored, readTolerated } from '../../src/config/noise.ts'
import { legacyEvents, plainName } from '../../src/legacy/events.ts'

test.for(['Id', 'Rank', 'JoinDate', 'Category'])('%s can be tolerated', (field) => {
  expect(readTolerated(`${field}=60`)).toEqual([{ event: null, field, by: '60' }])
})

test('all fields of all events can be named', () => {
  for (const { name, fields } of legacyEvents)
    for (const field of fields) {
      expect(readIgnored(field.name)).toEqual([{ event: null, field: plainName(field.name) }])
      expect(readIgnored(`${name}.${field.name}`)).toEqual([{ event: name, field: plainName(field.name) }])
    }
})

test('a field that only the old service has may be ignored, by its exact name', () => {
  expect(readIgnored('LastSeen, AppLookup.Karma')).toEqual([
    { event: null, field: 'LastSeen' },
    { event: 'AppLookup', field: 'Karma' },
  ])
  expect(readIgnored('My-ServiceDownloadLink')).toEqual([{ event: null, field: 'DownloadLink' }])
})

test.each([
  ['rank', 'Rank'],
  ['join_date', 'JoinDate'],
  ['DownloadLnk', 'DownloadLink'],
  ['AppLookup.Verison', 'Version'],
  ['ProfileLookup.Version', 'Version'],
  ['AppLookup.Karma now', ''],
  ['ProfileLokup.Rank', 'ProfileLokup'],
  ['__proto__.Rank', '__proto__'],
  ['Rank,,JoinDate', 'empty'],
  ['\u001b[31m', '\ufffd[31m'],
  ['x'.repeat(1_000_000), `${'x'.repeat(40)}\u2026`],
])('an ignored field that is refused: %.40s', (text, shown) => {
  const reason = readIgnored(text)
  expect(reason).toBeTypeOf('string')
  expect(reason).toContain(shown)
  expect(reason.length).toBeLessThan(100)
})

test.each(
  'JoinDate JoinDate= JoinDate=0.0 JoinDate=-5 JoinDate=9999999999999999999 Version=1 LastSeen=5 Rnak=1'.split(
    ' ',
  ),
)('a tolerated field that is refused: %s', (text) => {
  expect(readTolerated(text)).toBeTypeOf('string')
})

test.each([
  ['Rank', 'ProfileLookup.Rank=1', 'Rank is both ignored and tolerated'],
  ['Version', 'Rank=1,ProfileLookup.Rank=2', 'Rank has two allowed differences'],
  ['Version', 'Rank=1,ProfileLookup.Rank=1', null],
  ['ProfileLookup.Rank', 'Id=1', null],
])('%s ignored, and %s tolerated', (ignored, tolerated, contradiction) => {
  const [ignore, tolerate] = [readIgnored(ignored), readTolerated(tolerated)]
  if (typeof ignore === 'string' || typeof tolerate === 'string') throw new Error('a field has no such name')
  expect(contradictionIn({ ignore, tolerate })).toBe(contradiction)
})
