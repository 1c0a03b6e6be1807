// Log files of any size → lines, in constant memory.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../../json.ts'
import { CommandError } from '../../terminal/command-error.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { messageOf } from '../../text.ts'
import { type Compression, compressionOf, decompressed } from './compression.ts'
import { MAX_LINE_LENGTH } from './request.ts'

/** A log cannot be read. */
export class LogError extends CommandError {}

/** Bytes that are read at a time: no more than a line may have. */
const CHUNK_BYTES = MAX_LINE_LENGTH
/** Bytes by which the kind of a file is recognised. */
const SAMPLE_BYTES = 512
/** Bytes at the beginning of a log that identify it. */
const HEAD_BYTES = 64 * 1024
const NEWLINE = 0x0a
const SPACE = 0x20
const COMMA = 0x2c

/** The beginning of a log: a log that has grown since still has it. */
export interface LogHead {
  readonly bytes: number
  /** SHA-256. */
  readonly hash: string
}

interface Source {
  readonly terminal: Pick<Terminal, 'stdin'>
  readonly signal: AbortSignal
}

interface LinesOptions extends Source {
  /** Is called with the number of bytes of the file that were read, before they are decompressed. */
  readonly onBytes: (bytes: number) => void
}

/** What is known of a file. Complete when its lines have been read. */
interface Found {
  compression: Compression | null
  isText: boolean
  /** Why the rest of the file could not be read. */
  damage: string | null
  /** Lines longer than MAX_LINE_LENGTH, and how the first of them begins. */
  readonly tooLong: { lines: number; example: string }
  head: LogHead
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
    head: { bytes: 0, hash: '' },
  }

  async function* read(): AsyncGenerator<string[]> {
    const head = createHead(HEAD_BYTES)
    try {
      const raw = await begin(counted(openSource(file, { terminal, signal }), head.add, onBytes))
      found.compression = compressionOf(raw.sample)
      const onDamage = (reason: string) => {
        found.damage = reason
      }
      const plain =
        found.compression === null ? raw : await begin(decompressed(raw.chunks, found.compression, onDamage))
      // A crash of the server may leave NULs before the first line. Text has none after that.
      const sample = plain.sample.toString('latin1', 0, SAMPLE_BYTES).replace(BYTE_ORDER_MARK, '')
      found.isText = !/^\0*[^\0]+\0/.test(sample)
      const layout = layoutOf(sample)
      if (!found.isText) return
      const texts = textsOf(plain.chunks)
      if (layout === null) yield* linesOf(texts, found.tooLong)
      else if (!(yield* rowsOf(texts, layout, found.tooLong))) onDamage('the last JSON row has no end')
    } catch (error) {
      if (signal.aborted) return
      throw new LogError(`Cannot read ${file}: ${messageOf(error)}.`)
    } finally {
      found.head = head.value()
    }
  }

  return { batches: read(), found }
}

/** The first bytes of a log, or of what a pipe has now: they are taken out of it. @throws LogError */
export async function readHead(file: string, bytes: number, source: Source): Promise<LogHead> {
  const head = createHead(bytes)
  try {
    for await (const chunk of openSource(file, source)) if (head.add(chunk) >= bytes) break
  } catch (error) {
    if (!source.signal.aborted) throw new LogError(`Cannot read ${file}: ${messageOf(error)}.`)
  }
  return head.value()
}

function createHead(most: number) {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    /** @returns how many bytes the head has */
    add: (chunk: Buffer): number => {
      if (bytes < most) {
        const part = chunk.subarray(0, most - bytes)
        hash.update(part)
        bytes += part.length
      }
      return bytes
    },
    value: (): LogHead => ({ bytes, hash: hash.copy().digest('base64url') }),
  }
}

async function* openSource(file: string, { terminal, signal }: Source): AsyncGenerator<Buffer> {
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

async function* counted(
  chunks: AsyncIterable<Buffer>,
  addToHead: (chunk: Buffer) => unknown,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    addToHead(chunk)
    bytes += chunk.length
    yield chunk
    onBytes(bytes)
  }
}

/** Reads the first bytes, even if a pipe delivers them one by one. `chunks` has all bytes. */
async function begin(
  chunks: AsyncGenerator<Buffer>,
): Promise<{ readonly sample: Buffer; readonly chunks: AsyncGenerator<Buffer> }> {
  let sample: Buffer = Buffer.alloc(0)
  // One whole line is enough, since an operator may follow a log; brackets alone are the beginning of JSON.
  const isEnough = () => sample.length >= SAMPLE_BYTES || /[^\s[{].*\n/.test(sample.toString('latin1'))
  while (!isEnough()) {
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

type TooLong = Found['tooLong']

function skip(tooLong: TooLong, beginning: string): void {
  if (tooLong.lines++ === 0) tooLong.example = beginning
}

async function* linesOf(texts: AsyncIterable<string>, tooLong: TooLong): AsyncGenerator<string[]> {
  let rest = ''
  let skipping = false
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const first = lines[0]
    if (first !== undefined) {
      if (skipping) lines.shift()
      // The other lines are within one chunk, which is no longer than a line may be.
      else if (first.length > MAX_LINE_LENGTH) skip(tooLong, lines.shift() ?? '')
      skipping = false
    }
    if (skipping) rest = ''
    else if (rest.length > MAX_LINE_LENGTH) {
      skip(tooLong, rest)
      rest = ''
      skipping = true
    }
    yield lines
  }
  if (rest !== '' && !skipping) yield [rest]
}

/** What clouds call the list of rows of an export. */
const containers = 'records|events|logevents|logs|log|entries|rows|items|data|results|hits|value|values'

/**
 * Whether a log is JSON of several objects that is not one object a line: `array` for `[{…},{…}]` and for
 * objects of several lines, `container` for `{"records":[{…},{…}]}`. null for any other log.
 */
function layoutOf(sample: string): 'array' | 'container' | null {
  if (new RegExp(String.raw`^\s*\{\s*"(?:${containers})"\s*:\s*\[`, 'i').test(sample)) return 'container'
  return /^\s*(?:\[\s*(?:\{|$)|\{\s*(?:\n|$))/.test(sample) ? 'array' : null
}

/**
 * Yields the objects of JSON, and lines of other text between them.
 * @returns whether the last object was whole
 */
async function* rowsOf(
  texts: AsyncIterable<string>,
  layout: 'array' | 'container',
  tooLong: TooLong,
): AsyncGenerator<string[], boolean> {
  /** What the scanner is in; `between` are brackets, commas and white space. */
  let state: 'between' | 'row' | 'line' = 'between'
  let begun = ''
  let depth = 0
  let isContained = false
  let isQuoted = false
  let isEscaped = false
  for await (const text of texts) {
    const rows: string[] = []
    let from = 0
    const end = (to: number) => {
      const row = begun + text.slice(from, to)
      if (row.length > MAX_LINE_LENGTH) skip(tooLong, row)
      else rows.push(row)
      begun = ''
      state = 'between'
    }
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === NEWLINE && (isQuoted || state === 'line')) {
        // No text of JSON has a line break: a row that has one is broken, and the next begins on a new line.
        if (state !== 'between') end(at)
        isQuoted = false
        isEscaped = false
      } else if (state === 'line') continue
      else if (isQuoted) {
        if (isEscaped) isEscaped = false
        else if (code === BACKSLASH) isEscaped = true
        else isQuoted = code !== QUOTE
      } else if (state === 'row') {
        if (code === QUOTE) isQuoted = true
        else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++
        else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && --depth === 0) end(at + 1)
      } else if (code === OPEN_OBJECT) {
        if (layout === 'container' && !isContained) isContained = true
        else {
          state = 'row'
          depth = 1
          from = at
        }
      } else if (code === CLOSE_OBJECT) isContained = false
      else if (isContained) isQuoted = code === QUOTE
      else if (code > SPACE && code !== COMMA && code !== OPEN_LIST && code !== CLOSE_LIST) {
        state = 'line'
        from = at
      }
    }
    // The beginning of a row that is too long is enough for its example.
    if (state !== 'between' && begun.length <= MAX_LINE_LENGTH) begun += text.slice(from)
    yield rows
  }
  if (begun !== '') yield [begun.slice(0, MAX_LINE_LENGTH)]
  return state !== 'row'
}
