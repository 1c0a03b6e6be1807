// Accept-Encoding, read as RFC 9110, 12.5.3 has it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acceptsGzip } from '../../../src/gateway/http/compression.ts'

describe('gzip is for', () => {
  test.each([
    'gzip, deflate',
    'gzip, deflate, br, zstd',
    'GZIP',
    'x-gzip',
    'gzip;q=0.5, zstd',
    'gzip ; q=0.001',
    'br;Q=0.9,gzip',
    ',, gzip,',
    'identity, gzip',
    'identity;q=0, gzip;q=0.1',
    'identity;q=0.5, *;q=0.5',
    '*',
    '*;q=0, gzip',
    // What is no element of the list is passed over.
    'zstd;level=1, gzip;q=0.1',
    'zstd br, gzip',
  ])('%s', (header) => {
    expect(acceptsGzip(header)).toBe(true)
  })

  test.each([
    undefined,
    '',
    ' ',
    ',',
    'identity',
    'deflate, br, zstd',
    'gzip;q=0',
    'gzip;q=0, *',
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
  ])('not %j', (header) => {
    expect(acceptsGzip(header)).toBe(false)
  })

  test('a header that has just the length that is read', () => {
    const padded = (length: number) => `${'x'.repeat(length - 6)}, gzip`
    expect(acceptsGzip(padded(200))).toBe(true)
    expect(acceptsGzip(padded(201))).toBe(false)
  })
})

const name = fc.constantFrom('gzip', 'identity', '*', 'br', 'x')
const weight = fc.constantFrom(null, '0', '0.', '0.0', '0.001', '0.3', '0.30', '0.9', '1', '1.', '1.000')
const blank = fc.constantFrom('', ' ', '\t', '  ')
const list = fc.uniqueArray(fc.record({ name, weight, before: blank, after: blank }), {
  selector: ({ name }) => name,
  maxLength: 5,
})

test('gzip is sent if it is liked, and no less than a plain response', () => {
  fc.assert(
    fc.property(list, (elements) => {
      const header = elements
        .map(({ name, weight, before, after }) =>
          [before, name, weight === null ? '' : `${after};${before}q=${weight}`, after].join(''),
        )
        .join(',')
      const named = new Map(elements.map(({ name, weight }) => [name, Number(weight ?? 1)]))
      const liked = named.get('gzip') ?? named.get('*') ?? 0
      expect(acceptsGzip(header)).toBe(liked > 0 && liked >= (named.get('identity') ?? 0))
    }),
    { numRuns: 3_000 },
  )
})

test('thousands of other headers change nothing', () => {
  for (let at = 0; at < 3_000; at++) expect(acceptsGzip(`x${at}, br`)).toBe(false)
  expect(acceptsGzip('gzip, deflate, br, zstd')).toBe(true)
})
