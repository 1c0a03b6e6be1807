// What compression does with a single response.

import { randomBytes } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createCompression } from '../../src/http/compression.ts'
import { etagOf, type HttpResponse } from '../../src/response.ts'

const about = { event: 'ProfileLookup', format: 'JSON', outcome: 'ok', values: 1 } as const
const textOf = (length: number) => 'abcdefgh'.repeat(length / 8)
const lookup = (body = textOf(4_096)): HttpResponse => ({
  ...{ status: 200, headers: [], body, etag: etagOf(body), about },
  isLegacy: true,
})

function createCompress(acceptEncoding = 'gzip') {
  const compress = createCompression('all')
  const request = new IncomingMessage(new Socket())
  request.headers['accept-encoding'] = acceptEncoding
  return (answer: HttpResponse) => compress(request, answer)
}

test('a page is compressed once', () => {
  const compress = createCompress()
  const page = { ...lookup(), body: Buffer.from(textOf(4_096)) }
  const first = compress(page)
  expect(first).toMatchObject({ headers: ['Vary', 'Accept-Encoding', 'Content-Encoding', 'gzip'] })
  expect(compress(page)).toBe(first)
})

test('a response that is coded, short, or would not get shorter stays as it is', () => {
  const compress = createCompress()
  for (const answer of [{ ...lookup(), headers: ['Content-Encoding', 'gzip'] }, lookup(textOf(1_016))])
    expect(compress(answer)).toBe(answer)
  expect(compress(lookup(textOf(1_024)))).toMatchObject({ headers: expect.arrayContaining(['gzip']) })
  const noise = lookup(randomBytes(4_096).toString('latin1'))
  expect(compress(noise)).toEqual({ ...noise, headers: ['Vary', 'Accept-Encoding'] })
})

test.each([
  [[], 'Vary Accept-Encoding'],
  [['Vary', 'Accept'], 'Vary Accept, Accept-Encoding'],
  [['X', 'vary', 'vary', 'Accept', 'Y'], 'X vary vary Accept, Accept-Encoding Y'],
])('Vary is added to %j', async (headers, expected) => {
  expect((await createCompress('identity')({ ...lookup(), headers })).headers.join(' ')).toBe(expected)
})
