// Log files of any size → lines, in constant memory.

import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { CommandError } from '../../terminal/command-error.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { messageOf } from '../../text.ts'
import { type Compression, compressionOf, decompressed } from './compression.ts'
import { MAX_LINE_LENGTH } from './line.ts'

/** A log cannot be read. */
export class LogError extends CommandError {}

/** Bytes that are read at a time: no more than a line may have. */
const CHUNK_BYTES = MAX_LINE_LENGTH
/** Bytes by which the kind of a file is recognised. */
const HEAD_BYTES = 512

interface LinesOptions {
  readonly terminal: Pick<Terminal, 'stdin'>
  /** Is called with the number of bytes of the file that were read, before they are decompressed. */
  readonly onBytes: (bytes: number) => void
  readonly signal: AbortSignal
}

/** What is known of a file. Complete when its lines have been read. */
interface Found {
  compression: Compression | null
  isText: boolean
  /** Why the rest of the file could not be decompressed. */
  damage: string | null
  /** Lines longer than MAX_LINE_LENGTH, and how the first of them begins. */
  readonly tooLong: { lines: number; example: string }
}

interface LogLines {
  /** Lines without their line breaks, one character for each byte. */
  readonly batches: AsyncGenerator<string[]>
  readonly found: Readonly<Found>
}

/**
 * @param file a path, or `-` for standard input
 * @throws LogError while it is read
 */
export function openLog(file: string, { terminal, onBytes, signal }: LinesOptions): LogLines {
  const found: Found = {
    compression: null,
    isText: true,
    damage: null,
    tooLong: { lines: 0, example: '' },
  }

  async function* read(): AsyncGenerator<string[]> {
    const source: Readable =
      file === '-' ? terminal.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
    // A pipe may be silent for long.
    const stop = () => source.destroy()
    signal.addEventListener('abort', stop)
    try {
      const raw = await begin(counted(source, onBytes))
      found.compression = compressionOf(raw.head)
      const onDamage = (reason: string) => {
        found.damage = reason
      }
      const plain =
        found.compression === null ? raw : await begin(decompressed(raw.chunks, found.compression, onDamage))
      // A crash of the server may leave NULs before the first line. Text has none after that.
      found.isText = !/^\0*[^\0]+\0/.test(plain.head.toString('latin1', 0, HEAD_BYTES))
      if (found.isText) yield* linesOf(plain.chunks, found.tooLong)
    } catch (error) {
      if (signal.aborted) return
      throw new LogError(`Cannot read ${file}: ${messageOf(error)}.`)
    } finally {
      signal.removeEventListener('abort', stop)
      source.destroy()
    }
  }

  return { batches: read(), found }
}

async function* counted(source: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    yield chunk
    onBytes(bytes)
  }
}

/** Reads the first bytes, even if a pipe delivers them one by one. `chunks` has all bytes. */
async function begin(
  chunks: AsyncGenerator<Buffer>,
): Promise<{ readonly head: Buffer; readonly chunks: AsyncGenerator<Buffer> }> {
  const first = await chunks.next()
  let head: Buffer = first.done ? Buffer.alloc(0) : first.value
  // One whole line is enough: an operator who follows a log has to see it at once.
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

async function* linesOf(chunks: AsyncIterable<Buffer>, tooLong: Found['tooLong']): AsyncGenerator<string[]> {
  const skip = (beginning: string) => {
    if (tooLong.lines++ === 0) tooLong.example = beginning
  }
  let rest = ''
  let skipping = false
  let isFirst = true
  for await (const chunk of chunks) {
    // A byte order mark is not part of the first line.
    const text = isFirst ? chunk.toString('latin1').replace(/^\xef\xbb\xbf/, '') : chunk.toString('latin1')
    isFirst = false
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const first = lines[0]
    if (first !== undefined) {
      if (skipping) lines.shift()
      // The other lines are within one chunk, which is no longer than a line may be.
      else if (first.length > MAX_LINE_LENGTH) skip(lines.shift() ?? '')
      skipping = false
    }
    if (skipping) rest = ''
    else if (rest.length > MAX_LINE_LENGTH) {
      skip(rest)
      rest = ''
      skipping = true
    }
    yield lines
  }
  if (rest !== '' && !skipping) yield [rest]
}
