// Reads the lines of log files of any size, compressed or not, in constant memory. A log is identified by its
// head, so that `lookup replay` can go on where it stopped.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { CommandError } from '../../terminal/command-error.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { messageOf } from '../../text.ts'
import { compressionOf, decompressed } from './compression.ts'
import { MAX_LINE_LENGTH } from './request.ts'
import { rowLayoutOf, rowsOf } from './rows.ts'

/** A log cannot be read. */
export class LogError extends CommandError {}

/** Bytes that are read at a time: no more than a line may have. */
const CHUNK_BYTES = MAX_LINE_LENGTH
/** Bytes by which the kind of a file is recognised. */
const SAMPLE_BYTES = 512
/** Bytes at the beginning of a log that identify it. */
const HEAD_BYTES = 64 * 1024

/** The beginning of a log, which stays when the log grows. */
export interface LogHead {
  readonly bytes: number
  /** SHA-256. */
  readonly hash: string
}

interface LinesOptions {
  readonly terminal: Pick<Terminal, 'stdin'>
  readonly signal: AbortSignal
  /** Called with the number of bytes of the file that were read, before they are decompressed. */
  readonly onBytes: (bytes: number) => void
  /** The head of the log when it was read before: as many bytes are the head now. */
  readonly known?: LogHead | undefined
}

/** Facts about a file. They are complete when its lines have been read. */
interface FileFacts {
  compression: 'gzip' | 'zstd' | null
  isText: boolean
  /** Why the rest of the file could not be read. */
  damage: string | null
  head: LogHead
}

/**
 * Returns the lines without their line breaks, one character for each byte. A line longer than
 * MAX_LINE_LENGTH may be cut, but it stays longer.
 * @param file a path, or `-` for standard input
 * @throws LogError while it is read
 */
export function openLog(file: string, { terminal, onBytes, signal, known }: LinesOptions) {
  const facts: FileFacts = { compression: null, isText: true, damage: null, head: { bytes: 0, hash: '' } }
  const onDamage = (reason: string) => {
    facts.damage = reason
  }

  async function* bytes(): AsyncGenerator<Buffer> {
    const source: Readable =
      file === '-' ? terminal.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
    // A pipe may be silent for long.
    const stop = () => source.destroy()
    signal.addEventListener('abort', stop)
    const hash = createHash('sha256')
    let size = 0
    try {
      for await (const chunk of source) {
        const missing = (known?.bytes ?? HEAD_BYTES) - facts.head.bytes
        const part: Buffer = chunk.subarray(0, missing)
        if (part.length > 0) hash.update(part)
        facts.head = { ...facts.head, bytes: facts.head.bytes + part.length }
        yield chunk
        size += chunk.length
        onBytes(size)
      }
    } finally {
      facts.head = { ...facts.head, hash: hash.digest('base64url') }
      signal.removeEventListener('abort', stop)
      source.destroy()
    }
  }

  async function* read(): AsyncGenerator<string[]> {
    try {
      let plain = await peek(bytes())
      const compression = compressionOf(plain.sample)
      facts.compression = compression?.name ?? null
      if (compression !== null) plain = await peek(decompressed(plain.chunks, compression, onDamage))
      // A crash of the server may leave NULs before the first line. Text has none after that.
      const sample = plain.sample.toString('latin1', 0, SAMPLE_BYTES).replace(BYTE_ORDER_MARK, '')
      facts.isText = !/^\0*[^\0]+\0/.test(sample)
      if (!facts.isText) return
      const layout = rowLayoutOf(sample)
      if (layout === null) yield* linesOf(textsOf(plain.chunks))
      else if (!(yield* rowsOf(textsOf(plain.chunks), layout))) onDamage('the last JSON row has no end')
    } catch (error) {
      if (!signal.aborted) throw new LogError(`Cannot read ${file}: ${messageOf(error)}.`)
    }
  }

  return { batches: read(), facts }
}

/** Reads the first bytes, even if a pipe delivers them one by one. `chunks` has all bytes. */
async function peek(
  chunks: AsyncGenerator<Buffer>,
): Promise<{ readonly sample: Buffer; readonly chunks: AsyncGenerator<Buffer> }> {
  let sample: Buffer = Buffer.alloc(0)
  // One whole line is enough, since an operator may follow a log; brackets alone are the beginning of JSON.
  while (sample.length < SAMPLE_BYTES && !/[^\s[{].*\n/.test(sample.toString('latin1'))) {
    const next = await chunks.next()
    if (next.done) break
    sample = sample.length === 0 ? next.value : Buffer.concat([sample, next.value])
  }
  const all = async function* () {
    if (sample.length > 0) yield sample
    yield* chunks
  }
  return { sample, chunks: all() }
}

/** In Latin-1. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/

async function* textsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let isFirst = true
  for await (const chunk of chunks) {
    const text = chunk.toString('latin1')
    yield isFirst ? text.replace(BYTE_ORDER_MARK, '') : text
    isFirst = false
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = ''
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    // One character beyond the limit marks a line as too long.
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH + 1)
    yield lines
  }
  if (rest !== '') yield [rest]
}
