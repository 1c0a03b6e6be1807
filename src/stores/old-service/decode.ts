// Bodies that an old service compresses, though no request asked for it: in PHP and in proxies that is a
// setting which many have switched on for all.

import { promisify } from 'node:util'
import type { CompressCallback } from 'node:zlib'

/** What a body came in, and the body itself. */
interface Decoded {
  /** `null` where it came as it is. */
  readonly coding: string | null
  readonly body: Buffer
}

/** A body that cannot be had. The message is for the log. */
export class Undecodable extends Error {}

/** Characters of a coding that may be shown. */
const shownCoding = /^[\w.-]{1,40}$/
/** Bytes that are decoded at a time. */
const CHUNK_BYTES = 64 * 1024

/**
 * The body of a response. The work and the memory are those of the bytes that may come of it, however many
 * more there would be.
 * @param contentEncoding the header; of several codings none is read
 * @param most bytes of the decoded body
 * @throws Undecodable
 */
export async function decode(
  contentEncoding: string | undefined,
  raw: Buffer,
  most: number,
): Promise<Decoded> {
  const coding = (contentEncoding ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return { coding: null, body: raw }
  const decoder = decoderOf(coding, raw)
  if (decoder === undefined) {
    const shown = shownCoding.test(coding)
      ? `the Content-Encoding "${coding}"`
      : 'several content codings, or an unknown one'
    throw new Undecodable(`its answer has ${shown}, which is not supported`)
  }
  // The answer to HEAD names a coding, too.
  if (raw.length === 0) return { coding, body: raw }
  try {
    return { coding, body: await decoder(raw, most) }
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new Undecodable(
      isTooLarge
        ? `its answer has more than ${most} bytes (${coding})`
        : `its answer is not valid ${coding}, or is truncated`,
    )
  }
}

type Decoder = (raw: Buffer, most: number) => Promise<Buffer>

function decoderOf(coding: string, raw: Buffer): Decoder | undefined {
  // A process that is never sent anything compressed does not load it.
  const zlib = process.getBuiltinModule('node:zlib')
  const decoder =
    <Options extends object>(
      work: (raw: Buffer, options: Options & Limits, done: CompressCallback) => void,
      options: Options,
    ): Decoder =>
    (bytes, most) =>
      promisify<Buffer>((done) => {
        work(bytes, { ...options, maxOutputLength: most, chunkSize: CHUNK_BYTES }, done)
      })()
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return decoder(zlib.gunzip, {})
    case 'deflate':
      // The format of zlib (RFC 9110), which some servers leave out.
      return decoder(hasZlibHeader(raw) ? zlib.inflate : zlib.inflateRaw, {})
    case 'br':
      return decoder(zlib.brotliDecompress, {})
    case 'zstd':
      return decoder(zlib.zstdDecompress, {
        params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
      })
    default:
      return undefined
  }
}

interface Limits {
  readonly maxOutputLength: number
  readonly chunkSize: number
}

/** 8 MiB, the most that RFC 9659 lets a response need: a frame may ask for gigabytes. */
const ZSTD_WINDOW_LOG = 23

function hasZlibHeader(raw: Buffer): boolean {
  const [first = 0, second = 0] = raw
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}
