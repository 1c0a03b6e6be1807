// The names of fields that do not count in a comparison, and what is said of wrong ones.

import { describe, expect, test } from 'vitest'
import { contradictionIn, numericFields, readIgnored, readTolerated } from '../../src/config/noise.ts'
import { legacyEvents, plainName } from '../../src/legacy/events.ts'

test('all fields of all events can be named, and those that hold numbers are tolerated', () => {
  const numbers = legacyEvents.flatMap(({ fields }) =>
    fields.filter(({ kind }) => kind === 'id' || kind === 'number'),
  )
  expect(numbers.map(({ name }) => name)).toEqual(numericFields)
  for (const { name, fields } of legacyEvents)
    for (const field of fields) {
      expect(readIgnored(field.name)).toEqual([{ event: null, field: plainName(field.name) }])
      expect(readIgnored(`${name}.${field.name}`)).toEqual([{ event: name, field: plainName(field.name) }])
    }
})

test('a field that only the old service has may be ignored, by its exact name', () => {
  expect(readIgnored('LastSeen,AppLookup.Karma')).toEqual([
    { event: null, field: 'LastSeen' },
    { event: 'AppLookup', field: 'Karma' },
  ])
  expect(readIgnored('My-ServiceDownloadLink')).toEqual([{ event: null, field: 'DownloadLink' }])
  expect(readTolerated('LastSeen=5')).toBe('LastSeen is not numeric: it can be ignored, but not tolerated')
})

describe('a name that is wrong', () => {
  test.each([
    ['rank', 'no field is called rank (did you mean Rank?)'],
    ['join_date', 'no field is called join_date (did you mean JoinDate?)'],
    ['Joindtae', 'no field is called Joindtae (did you mean JoinDate?)'],
    ['Rnk', 'no field is called Rnk (did you mean Rank?)'],
    ['DownloadLnk', 'no field is called DownloadLnk (did you mean DownloadLink?)'],
    ['AppLookup.Verison', 'no field is called Verison (did you mean Version?)'],
    [
      'AppLookup.Karma now',
      'no field is called Karma now (there are Title, Version, Category, ChangelogLink, DownloadLink)',
    ],
    ['Karma now', /^no field is called Karma now \(there are Id, Username, .*, DownloadLink\)$/],
    ['ProfileLookup.Version', 'ProfileLookup has no field Version (did you mean AppLookup.Version?)'],
    ['ProfileLokup.Rank', 'no event is called ProfileLokup (did you mean ProfileLookup?)'],
    ['Users.Rank', 'no event is called Users (there are ProfileLookup, AppLookup)'],
    ['Rank,,JoinDate', 'it has an empty name'],
    ['\u001b[31m', /^no field is called \ufffd\[31m \(there are /],
    ['x'.repeat(1_000_000), /^no field is called x{40}… \(there are /],
    [`${'x'.repeat(1_000_000)}DownloadLink`, /^no field is called x{40}… \(there are /],
  ])('%.40s', (text, expected) => {
    const said = readIgnored(text)
    if (typeof expected === 'string') expect(said).toBe(expected)
    else expect(said).toMatch(expected)
  })

  test.each([
    ['JoinDate', 'JoinDate has no allowed difference, such as JoinDate=60'],
    ['JoinDate=', 'JoinDate needs an allowed difference above 0, not nothing'],
    ['JoinDate=0.0', 'JoinDate needs an allowed difference above 0, not 0.0'],
    ['JoinDate=-5', 'JoinDate needs an allowed difference above 0, not -5'],
    ['JoinDate=9999999999999999999', 'JoinDate needs an allowed difference above 0, not 9999999999999999999'],
    ['Version=1', 'Version is not numeric: it can be ignored, but not tolerated'],
    ['Banned=1', 'Banned is not numeric: it can be ignored, but not tolerated'],
    ['Rnak=1', 'no field is called Rnak (did you mean Rank?)'],
  ])('tolerated: %s', (text, expected) => {
    expect(readTolerated(text)).toBe(expected)
  })
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
