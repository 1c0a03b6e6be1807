// Decodes bodies that an old service compresses although no request asks for it: in PHP and in proxies, one
// setting compresses all responses.

import { promisify } from 'node:util'
import { NoReply, type RawReply } from './exchange.ts'

/** Bytes that are decoded at a time. */
const CHUNK_BYTES = 64 * 1024
/** 8 MiB, the most that a response may need (RFC 9659): a frame of zstd may ask for gigabytes. */
const ZSTD_WINDOW_LOG = 23

/**
 * Stops at `most` bytes: a body of zeros would decode to a thousand times its size.
 * @throws NoReply
 */
export async function decode(
  { headers, body }: Pick<RawReply, 'headers' | 'body'>,
  most: number,
): Promise<{ readonly body: Buffer; readonly coding?: string }> {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return { body }
  const decoder = decoderOf(coding, body, most)
  if (decoder === null) {
    const isShown = /^[\w.-]{1,40}$/.test(coding)
    const name = isShown ? `the Content-Encoding "${coding}"` : 'several content codings, or an unknown one'
    throw new NoReply(`its response has ${name}, which is not supported`)
  }
  // A response to HEAD also names its coding.
  if (body.length === 0) return { body, coding }
  try {
    return { body: await decoder(), coding }
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new NoReply(
      isTooLarge
        ? `its response has more than ${most} bytes (${coding})`
        : `its response is not valid ${coding}, or is truncated`,
    )
  }
}

function decoderOf(coding: string, body: Buffer, most: number): (() => Promise<Buffer>) | null {
  // Most processes never get a compressed response, and do not load zlib.
  const zlib = process.getBuiltinModule('node:zlib')
  const limits = { maxOutputLength: most, chunkSize: CHUNK_BYTES }
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return () => promisify(zlib.gunzip)(body, limits)
    case 'deflate':
      // Some servers leave out the header of zlib that RFC 9110 requires.
      return () => promisify(hasZlibHeader(body) ? zlib.inflate : zlib.inflateRaw)(body, limits)
    case 'br':
      return () => promisify(zlib.brotliDecompress)(body, limits)
    case 'zstd': {
      const params = { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG }
      return () => promisify(zlib.zstdDecompress)(body, { ...limits, params })
    }
    default:
      return null
  }
}

function hasZlibHeader([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}
