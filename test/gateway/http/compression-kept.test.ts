// What is compressed is compressed once where it is sent again and again, and never too much at a time.

import { randomBytes } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type Answer, etagOf } from '../../../src/gateway/answer.ts'
import { createCompression } from '../../../src/gateway/http/compression.ts'

const about = { event: 'ProfileLookup', format: 'JSON', outcome: 'ok', values: 1 } as const
const textOf = (length: number) => 'abcdefgh'.repeat(length / 8)
const lookup = (body = textOf(4_096)): Answer => ({
  ...{ status: 200, headers: [], body, etag: etagOf(body), about },
  isLegacy: true,
})
const page = (length = 4_096): Answer => ({ ...lookup(), body: Buffer.from(textOf(length)) })

function asking(acceptEncoding = 'gzip'): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.headers['accept-encoding'] = acceptEncoding
  return request
}

test('a page is compressed once', () => {
  const compress = createCompression('new')
  const { isLegacy: _none, ...answer } = page()
  const first = compress(asking(), answer)
  expect(first).toMatchObject({ headers: ['Vary', 'Accept-Encoding', 'Content-Encoding', 'gzip'] })
  expect(compress(asking(), answer)).toBe(first)
})

test('a lookup that a cache keeps is compressed no more from its third time on', () => {
  const compress = createCompression('all')
  const answer = lookup()
  const [first, second, third, fourth] = Array.from({ length: 4 }, () => compress(asking(), answer))
  expect(second).toEqual(first)
  expect(third).toBe(second)
  expect(fourth).toBe(second)
  // Another one with the same content is another one.
  expect(compress(asking(), lookup())).not.toBe(second)
})

test('what would not get shorter is kept as it is', () => {
  const compress = createCompression('all')
  const answer = lookup(randomBytes(4_096).toString('latin1'))
  expect(compress(asking(), answer)).toEqual({ ...answer, headers: ['Vary', 'Accept-Encoding'] })
})

test('8 MiB of lookups are kept, and then others', () => {
  const compress = createCompression('all')
  const keep = (answer: Answer) => {
    compress(asking(), answer)
    return compress(asking(), answer)
  }
  const first = lookup()
  const kept = keep(first)
  // Compressed, each takes some 48 KiB.
  const keepOthers = (count: number) => {
    for (let other = 0; other < count; other++) keep(lookup(randomBytes(48 * 1024).toString('base64')))
  }
  keepOthers(165)
  expect(compress(asking(), first)).toBe(kept)
  keepOthers(10)
  const again = compress(asking(), first)
  expect(again).not.toBe(kept)
  expect(compress(asking(), first)).toBe(again)
})

test('4 MiB at a time are compressed on other threads, and more go out as they are', async () => {
  const compress = createCompression('all')
  const answers = Array.from({ length: 5 }, () => lookup(textOf(1_000_000)))
  const sent = answers.map((answer) => compress(asking(), answer))
  const all = await Promise.all(sent)
  for (const one of all.slice(0, 4)) expect(one.headers).toContain('gzip')
  expect(all[4]).toMatchObject({ body: answers[4]?.body, headers: ['Vary', 'Accept-Encoding'] })
  // Then there is room again.
  expect((await compress(asking(), answers[4] ?? lookup())).headers).toContain('gzip')
})

test('what is compressed already, or short, is left alone', () => {
  const compress = createCompression('all')
  const coded: Answer = { ...page(), headers: ['Content-Encoding', 'gzip'] }
  expect(compress(asking(), coded)).toBe(coded)
  const short = lookup(textOf(1_016))
  expect(compress(asking(), short)).toBe(short)
  expect(compress(asking(), lookup(textOf(1_024)))).toMatchObject({
    headers: expect.arrayContaining(['gzip']),
  })
})

test.each([
  [[], ['Vary', 'Accept-Encoding']],
  [
    ['Vary', 'Accept'],
    ['Vary', 'Accept, Accept-Encoding'],
  ],
  [
    ['X', 'vary', 'vary', 'Accept', 'Y', 'z'],
    ['X', 'vary', 'vary', 'Accept, Accept-Encoding', 'Y', 'z'],
  ],
])('Vary is added to %j', (headers, expected) => {
  const compress = createCompression('all')
  expect(compress(asking('identity'), { ...lookup(), headers })).toMatchObject({ headers: expected })
})
