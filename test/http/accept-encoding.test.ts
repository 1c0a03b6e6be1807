// Accept-Encoding, by RFC 9110, 12.5.3.

import { expect, test } from 'vitest'
import { acceptsGzip } from '../../src/http/compression.ts'

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
