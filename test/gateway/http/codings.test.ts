// Accept-Encoding, read as RFC 9110, 12.5.3 has it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codingFor, codings } from '../../../src/gateway/http/codings.ts'

describe('the coding for', () => {
  test.each([
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip;q=1.0, zstd;q=0.5', 'gzip'],
    ['gzip;q=0.5, zstd;q=0.5', 'zstd'],
    ['gzip ; q=0.001', 'gzip'],
    ['br;Q=0.9,gzip', 'gzip'],
    [',, gzip,', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['identity;q=0.5, *;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0, *', 'br'],
    ['gzip;q=0, br;q=0, *;q=0.1', 'zstd'],
    ['br;q=0.1, *;q=0.1', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['deflate, compress;q=0.5, zstd', 'zstd'],
    // What is no element of the list is passed over.
    ['gzip;q=2, br;q=0.5', 'br'],
    ['zstd;level=1, gzip;q=0.1', 'gzip'],
    ['zstd br, gzip', 'gzip'],
  ])('%s is %s', (header, coding) => {
    expect(codingFor(header)).toBe(coding)
  })

  test.each([
    undefined,
    '',
    ' ',
    ',',
    'identity',
    'deflate',
    'gzip;q=0',
    'gzip;q=0.000, br; q=0, zstd;q=0.0',
    '*;q=0',
    'identity;q=0',
    'identity;q=0, *;q=0',
    'identity, gzip;q=0.9',
    'identity;q=0.5, gzip;q=0.4',
    'gzip;q=-1',
    'gzip;q=1.001',
    'gzip;q=0.1234',
    'gzip;q=',
    'gzip;q',
    'gzip;',
    'gzip/br',
    '"gzip"',
    'gzipped',
    'constructor, __proto__',
    'g\u0000zip',
    'gzip, '.repeat(34),
    'gzip;q=1, '.repeat(1_000),
    ' '.repeat(10_000),
  ])('%j is none', (header) => {
    expect(codingFor(header)).toBeNull()
  })

  test('a header that has just the length that is read is read', () => {
    const padded = (length: number) => `${'x'.repeat(length - 6)}, gzip`
    expect(codingFor(padded(200))).toBe('gzip')
    expect(codingFor(padded(201))).toBeNull()
  })
})

const name = fc.constantFrom<string>(...codings, 'identity', '*', 'deflate', 'x')
const weight = fc.constantFrom(null, '0', '0.', '0.0', '0.001', '0.3', '0.30', '0.9', '1', '1.', '1.000')
const blank = fc.constantFrom('', ' ', '\t', '  ')
const list = fc.uniqueArray(fc.record({ name, weight, before: blank, after: blank }), {
  selector: ({ name }) => name,
  maxLength: 7,
})

test('no other coding is liked better', () => {
  fc.assert(
    fc.property(list, (elements) => {
      const header = elements
        .map(({ name, weight, before, after }) =>
          [before, name, weight === null ? '' : `${after};${before}q=${weight}`, after].join(''),
        )
        .join(',')
      const named = new Map(elements.map(({ name, weight }) => [name, Number(weight ?? 1)]))
      const liked = (coding: string) => named.get(coding) ?? named.get('*') ?? 0
      const chosen = codingFor(header)
      const best = Math.max(...codings.map(liked))
      if (chosen === null) {
        expect(best === 0 || best < (named.get('identity') ?? 0)).toBe(true)
        return
      }
      expect(liked(chosen)).toBe(best)
      expect(best).toBeGreaterThan(0)
      expect(best).toBeGreaterThanOrEqual(named.get('identity') ?? 0)
      // Of those that are named and liked alike, the first of the table.
      const equals = codings.filter((coding) => named.has(coding) && liked(coding) === best)
      if (equals.length > 0) expect(chosen).toBe(equals[0])
    }),
    { numRuns: 3_000 },
  )
})

test('any text is read, and no coding taken that it does not name', () => {
  const word = fc.constantFrom(
    ...codings,
    'identity',
    '*',
    'q=',
    ';',
    ',',
    ' ',
    '=',
    '0',
    '1',
    '.',
    'é',
    '\0',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 30 }).map((words) => words.join('')),
  )
  fc.assert(
    fc.property(text, (header) => {
      const chosen = codingFor(header)
      if (chosen === null) return
      expect(codings).toContain(chosen)
      expect(header.includes('*') || header.toLowerCase().includes(chosen)).toBe(true)
      expect(codingFor(header), 'once more').toBe(chosen)
    }),
    { numRuns: 10_000 },
  )
})

test('thousands of other headers change nothing', () => {
  for (let at = 0; at < 3_000; at++) expect(codingFor(`x${at}, br`)).toBe('br')
  expect(codingFor('gzip, deflate, br, zstd')).toBe('zstd')
})
