// Accept-Encoding, by RFC 9110, 12.5.3.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceptsGzip } from '../../src/http/compression.ts'
import { seedOf } from '../kit/generate.ts'

test.each([
  ...['gzip, deflate', 'gzip, deflate, br, zstd', 'GZIP', 'x-gzip', 'gzip;q=0.5, zstd', 'gzip ; q=0.001'],
  ...['br;Q=0.9,gzip', ',, gzip,', 'identity, gzip', 'identity;q=0, gzip;q=0.1', 'identity;q=0.5, *;q=0.5'],
  // Malformed elements are skipped.
  ...['*', '*;q=0, gzip', 'zstd;level=1, gzip;q=0.1', 'zstd br, gzip', `${'x'.repeat(194)}, gzip`],
])('%s accepts gzip', (header) => {
  expect(acceptsGzip(header)).toBe(true)
})

test.each([
  ...[undefined, '', ' ', ',', 'identity', 'deflate, br, zstd', 'gzip;q=0', 'gzip;q=0, *', '*;q=0'],
  ...['identity;q=0', 'identity;q=0, *;q=0', 'identity, gzip;q=0.9', 'identity;q=0.5, gzip;q=0.4'],
  ...['gzip;q=-1', 'gzip;q=1.001', 'gzip;q=0.1234', 'gzip;q=', 'gzip;q', 'gzip;', 'gzip/br', '"gzip"'],
  ...['gzipped', 'constructor, __proto__', 'g\u0000zip', 'gzip, '.repeat(34), 'gzip;q=1, '.repeat(1_000)],
  ...[' '.repeat(10_000), `${'x'.repeat(195)}, gzip`],
])('%j does not', (header) => {
  expect(acceptsGzip(header)).toBe(false)
})

test('gzip is sent if its weight is no less than that of a plain response', () => {
  const blank = fc.constantFrom('', ' ', '\t', '  ')
  const element = fc.record({
    name: fc.constantFrom('gzip', 'identity', '*', 'br', 'x'),
    weight: fc.constantFrom(null, '0', '0.', '0.0', '0.001', '0.3', '0.30', '0.9', '1', '1.', '1.000'),
    ...{ before: blank, after: blank },
  })
  const list = fc.uniqueArray(element, { selector: ({ name }) => name, maxLength: 5 })
  const property = fc.property(list, (elements) => {
    const texts = elements.map(({ name, weight, before, after }) => {
      const parameter = weight === null ? '' : `${after};${before}q=${weight}`
      return `${before}${name}${parameter}${after}`
    })
    const named = new Map(elements.map(({ name, weight }) => [name, Number(weight ?? 1)]))
    const gzip = named.get('gzip') ?? named.get('*') ?? 0
    expect(acceptsGzip(texts.join(','))).toBe(gzip > 0 && gzip >= (named.get('identity') ?? 0))
  })
  fc.assert(property, { numRuns: 1_000, seed: seedOf('http/accept-encoding.test.ts') })
})
