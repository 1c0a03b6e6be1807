// Decodes bodies that an old service compresses although no request asks for it: in PHP and in proxies, one
// setting compresses all responses.

import { promisify } from 'node:util'
import { NoReply, type RawReply } from './exchange.ts'

/** Bytes that are decoded at a time. */
const CHUNK_BYTES = 64 * 1024

/**
 * Stops at `most` bytes: a body of zeros would decode to a thousand times its size.
 * @throws NoReply
 */
export async function decode(
  { head, body }: RawReply,
  most: number,
): Promise<{ readonly body: Buffer; readonly coding?: string }> {
  const coding = (head.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return { body }
  const decoder = decoderOf(coding, body)
  if (decoder === null) {
    const isOne = /^[\w.-]{1,40}$/.test(coding)
    const name = isOne ? `the Content-Encoding "${coding}"` : 'several content codings, or an unknown one'
    throw new NoReply(`its response has ${name}, which is not supported`)
  }
  // A response to HEAD also names its coding.
  if (body.length === 0) return { body, coding }
  try {
    return { body: await decoder(body, { maxOutputLength: most, chunkSize: CHUNK_BYTES }), coding }
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    const problem = isTooLarge
      ? `has more than ${most} bytes (${coding})`
      : `is not valid ${coding}, or is truncated`
    throw new NoReply(`its response ${problem}`)
  }
}

function decoderOf(coding: string, [first = 0, second = 0]: Buffer) {
  // Most processes never get a compressed response, and do not load zlib.
  const zlib = process.getBuiltinModule('node:zlib')
  // Some servers leave out the header of zlib that RFC 9110 requires.
  const hasHeader = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
  if (coding === 'gzip' || coding === 'x-gzip') return promisify(zlib.gunzip)
  if (coding === 'deflate') return promisify(hasHeader ? zlib.inflate : zlib.inflateRaw)
  return coding === 'br' ? promisify(zlib.brotliDecompress) : null
}
