// Reads the lines of log files of any size, compressed or not, in constant memory. A log is identified by its
// head, so that `lookup replay` can go on where it stopped.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { CommandError } from '../../terminal/command-error.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { messageOf } from '../../text.ts'
import { compressionOf, decompressed, type LogCompression } from './compression.ts'
import { MAX_LINE_LENGTH } from './request.ts'
import { rowLayoutOf, rowsOf } from './rows.ts'

/** A log cannot be read. */
export class LogError extends CommandError {}
/** A log does not begin as it did before. */
export class ReplacedLogError extends LogError {}

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
  /** Bytes of the whole log, before they are decompressed. */
  readonly size: number
}

interface LogSource {
  readonly terminal: Pick<Terminal, 'stdin'>
  readonly signal: AbortSignal
}

export interface LinesOptions extends LogSource {
  /** Called with the number of bytes of the file that were read, before they are decompressed. */
  readonly onBytes: (bytes: number) => void
  /** The head of the log when it was read before. */
  readonly known?: LogHead | undefined
}

/** Facts about a file. They are complete when its lines have been read. */
interface FileFacts {
  compression: LogCompression | null
  isText: boolean
  /** Why the rest of the file could not be read. */
  damage: string | null
  head: LogHead
}

interface LogLines {
  /**
   * Lines without their line breaks, one character for each byte. A line longer than MAX_LINE_LENGTH may be
   * cut, but it stays longer.
   */
  readonly batches: AsyncGenerator<string[]>
  readonly facts: Readonly<FileFacts>
}

/**
 * @param file a path, or `-` for standard input
 * @throws LogError while it is read
 */
export function openLog(file: string, { terminal, onBytes, signal, known }: LinesOptions): LogLines {
  const head = createHead(HEAD_BYTES)
  const facts: FileFacts = { compression: null, isText: true, damage: null, head: head.value() }
  const onDamage = (reason: string) => {
    facts.damage = reason
  }

  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of openSource(file, { terminal, signal })) {
      head.add(chunk)
      yield chunk
      onBytes(head.value().size)
    }
  }

  async function* read(): AsyncGenerator<string[]> {
    try {
      const raw = await peek(known === undefined ? bytes() : await requireHead(bytes(), known, file))
      facts.compression = compressionOf(raw.sample)
      const plain =
        facts.compression === null ? raw : await peek(decompressed(raw.chunks, facts.compression, onDamage))
      // A crash of the server may leave NULs before the first line. Text has none after that.
      const sample = plain.sample.toString('latin1', 0, SAMPLE_BYTES).replace(BYTE_ORDER_MARK, '')
      facts.isText = !/^\0*[^\0]+\0/.test(sample)
      const layout = rowLayoutOf(sample)
      if (!facts.isText) return
      const texts = textsOf(plain.chunks)
      if (layout === null) yield* linesOf(texts)
      else if (!(yield* rowsOf(texts, layout))) onDamage('the last JSON row has no end')
    } catch (error) {
      if (signal.aborted) return
      throw error instanceof LogError ? error : unreadable(file, error)
    } finally {
      facts.head = head.value()
    }
  }

  return { batches: read(), facts }
}

const unreadable = (file: string, error: unknown) => new LogError(`Cannot read ${file}: ${messageOf(error)}.`)

/** The first bytes of a log. @throws LogError */
export async function readHead(file: string, bytes: number, source: LogSource): Promise<LogHead> {
  const head = createHead(bytes)
  try {
    for await (const chunk of openSource(file, source)) if (head.add(chunk) >= bytes) break
  } catch (error) {
    if (!source.signal.aborted) throw unreadable(file, error)
  }
  return head.value()
}

function createHead(most: number) {
  const hash = createHash('sha256')
  let [bytes, size] = [0, 0]
  return {
    /** @returns how many bytes the head has */
    add: (chunk: Buffer): number => {
      const part = chunk.subarray(0, most - bytes)
      if (part.length > 0) hash.update(part)
      bytes += part.length
      size += chunk.length
      return bytes
    },
    value: (): LogHead => ({ bytes, hash: hash.copy().digest('base64url'), size }),
  }
}

async function* openSource(file: string, { terminal, signal }: LogSource): AsyncGenerator<Buffer> {
  const source: Readable =
    file === '-' ? terminal.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
  // A pipe may be silent for long.
  const stop = () => source.destroy()
  signal.addEventListener('abort', stop)
  try {
    yield* source
  } finally {
    signal.removeEventListener('abort', stop)
    source.destroy()
  }
}

/** One whole line is enough, since an operator may follow a log; brackets alone are the beginning of JSON. */
const isEnough = (sample: Buffer) =>
  sample.length >= SAMPLE_BYTES || /[^\s[{].*\n/.test(sample.toString('latin1'))

/** Reads the first bytes, even if a pipe delivers them one by one. `chunks` has all bytes. */
async function peek(
  chunks: AsyncGenerator<Buffer>,
  isComplete = isEnough,
): Promise<{ readonly sample: Buffer; readonly chunks: AsyncGenerator<Buffer> }> {
  let sample: Buffer = Buffer.alloc(0)
  while (!isComplete(sample)) {
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

/** @returns all bytes of the log @throws ReplacedLogError before any line is read */
async function requireHead(bytes: AsyncGenerator<Buffer>, known: LogHead, file: string) {
  const { sample, chunks } = await peek(bytes, ({ length }) => length >= known.bytes)
  const head = createHead(known.bytes)
  head.add(sample)
  if (head.value().hash === known.hash) return chunks
  throw new ReplacedLogError(`${file} does not begin as before.`)
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
    // A log that was truncated while a server wrote to it begins with any number of NULs.
    const more = (rest + text).replace(/^\0+/, '')
    const lines = more.split('\n')
    // One character beyond the limit marks a line as too long.
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH + 1)
    yield lines
  }
  if (rest !== '') yield [rest]
}
