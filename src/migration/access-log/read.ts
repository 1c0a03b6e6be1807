// Log files of any size → lines, in constant memory.

import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { type Compression, compressionOf, decompressed } from './compression.ts'
import { MAX_LINE_LENGTH } from './line.ts'
import { LogError } from './log-error.ts'
import { problemOf } from './signatures.ts'

export { LogError }

/** Bytes that are read at a time: no more than a line may have. */
const CHUNK_BYTES = MAX_LINE_LENGTH

export interface LinesOptions {
  /** Is told how many bytes of the file have been read, before they are decompressed. */
  readonly onBytes: (bytes: number) => void
  readonly signal?: AbortSignal | undefined
}

/** The lines of a file, and what is to be said of it when they have been read. */
export interface LogLines {
  /** In bunches, without their line breaks, one character for each byte. */
  readonly bunches: AsyncGenerator<string[]>
  readonly compression: () => Compression | null
  /** Why the rest of it could not be decompressed; `null` where all of it was. */
  readonly damage: () => string | null
  /** What it is, if it is no text. */
  readonly problem: () => string | null
  /** Lines that were passed over since they are too long, and the beginning of the first. */
  readonly tooLong: () => { readonly lines: number; readonly example: string }
}

/**
 * @param file a path, or `-` for standard input
 * @throws LogError while it is read
 */
export function openLog(file: string, { onBytes, signal }: LinesOptions): LogLines {
  let compression: Compression | null = null
  let damage: string | null = null
  let problem: string | null = null
  const tooLong = { lines: 0, example: '' }
  const onTooLong = (beginning: string) => {
    if (tooLong.lines++ === 0) tooLong.example = beginning
  }

  async function* read(): AsyncGenerator<string[]> {
    const source: Readable =
      file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
    // A pipe may have nothing to say for long.
    const stop = () => source.destroy()
    signal?.addEventListener('abort', stop)
    try {
      const compressed = await begin(counted(source, onBytes))
      compression = compressionOf(compressed.head)
      const onDamage = (reason: string) => {
        damage = reason
      }
      const plain =
        compression === null
          ? compressed
          : await begin(decompressed(compressed.chunks, compression, onDamage))
      problem = problemOf(plain.head)
      if (problem === null) yield* linesOf(plain.chunks, onTooLong)
    } catch (error) {
      if (signal?.aborted) return
      throw new LogError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}.`)
    } finally {
      signal?.removeEventListener('abort', stop)
      source.destroy()
    }
  }

  return {
    bunches: read(),
    compression: () => compression,
    damage: () => damage,
    problem: () => problem,
    tooLong: () => tooLong,
  }
}

async function* counted(source: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    yield chunk
    onBytes(bytes)
  }
}

/** Bytes by which a file is known. */
const HEAD_BYTES = 512

/** Its first bytes, also where a pipe brings them one by one, and all of it. */
async function begin(
  chunks: AsyncGenerator<Buffer>,
): Promise<{ readonly head: Buffer; readonly chunks: AsyncGenerator<Buffer> }> {
  const first = await chunks.next()
  let head: Buffer = first.done ? Buffer.alloc(0) : first.value
  // A line that ends tells enough: an operator who follows a log has to see it at once.
  while (head.length < HEAD_BYTES && !head.includes(0x0a)) {
    const next = await chunks.next()
    if (next.done) break
    head = Buffer.concat([head, next.value])
  }
  const all = async function* () {
    if (head.length > 0) yield head
    yield* chunks
  }
  return { head, chunks: all() }
}

async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  onTooLong: (beginning: string) => void,
): AsyncGenerator<string[]> {
  let rest = ''
  let skipping = false
  let isFirst = true
  for await (const chunk of chunks) {
    // A mark of the byte order is no part of the first line.
    const text = isFirst ? chunk.toString('latin1').replace(/^\xef\xbb\xbf/, '') : chunk.toString('latin1')
    isFirst = false
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const first = lines[0]
    if (first !== undefined) {
      if (skipping) lines.shift()
      // Those after it are in one chunk, which is no longer than a line may be.
      else if (first.length > MAX_LINE_LENGTH) onTooLong(lines.shift() ?? '')
      skipping = false
    }
    if (skipping) rest = ''
    else if (rest.length > MAX_LINE_LENGTH) {
      onTooLong(rest)
      rest = ''
      skipping = true
    }
    yield lines
  }
  if (rest !== '' && !skipping) yield [rest]
}
