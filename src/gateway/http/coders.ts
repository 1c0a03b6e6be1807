// node:zlib, set to be fast: an answer is compressed while its client waits.

import { promisify } from 'node:util'
import type { Coding } from './codings.ts'

export interface Coder {
  /** Keeps all other requests waiting meanwhile, and costs 30 µs less. */
  readonly now: (bytes: Buffer) => Buffer
  /** On another thread. */
  readonly later: (bytes: Buffer) => Promise<Buffer>
}

type Coders = Readonly<Record<Coding, Coder>>

let coders: Coders | null = null

/** A process that compresses nothing does not load node:zlib. */
export function coderFor(coding: Coding): Coder {
  coders ??= makeCoders()
  return coders[coding]
}

// What Node allocates for each answer lives until its next major garbage collection, and would bring that
// nearer. So it is as little as an answer of that length needs, which halves what compressing one of 10 KB
// costs.
function makeCoders(): Coders {
  const zlib = process.getBuiltinModule('node:zlib')
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants
  const zstd = ({ length }: Buffer) => ({
    params: { [ZSTD_c_compressionLevel]: 1 },
    pledgedSrcSize: length,
    chunkSize: chunkSizeFor(length),
  })
  const br = ({ length }: Buffer) => ({
    params: { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_SIZE_HINT]: length },
    chunkSize: chunkSizeFor(length),
  })
  const gzip = ({ length }: Buffer) => ({
    level: 1,
    windowBits: Math.min(Math.max(Math.ceil(Math.log2(length)), MIN_WINDOW_BITS), MAX_WINDOW_BITS),
    chunkSize: chunkSizeFor(length),
  })
  return {
    zstd: coder(zlib.zstdCompressSync, promisify(zlib.zstdCompress), zstd),
    br: coder(zlib.brotliCompressSync, promisify(zlib.brotliCompress), br),
    gzip: coder(zlib.gzipSync, promisify(zlib.gzip), gzip),
  }
}

/** The exponents of two that zlib allows for what it looks back at. */
const MIN_WINDOW_BITS = 9
const MAX_WINDOW_BITS = 15

/** Bytes that are allocated at a time for what comes out: mostly a fifth of what goes in. */
function chunkSizeFor(length: number): number {
  return Math.max(1024, length >> 2)
}

function coder<Options>(
  now: (bytes: Buffer, options: Options) => Buffer,
  later: (bytes: Buffer, options: Options) => Promise<Buffer>,
  optionsFor: (bytes: Buffer) => Options,
): Coder {
  return {
    now: (bytes) => now(bytes, optionsFor(bytes)),
    later: (bytes) => later(bytes, optionsFor(bytes)),
  }
}
