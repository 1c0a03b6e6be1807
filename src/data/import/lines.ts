// Reads the file of an import, CSV or JSON Lines: refuses other formats, and yields chunks of whole lines.
// Error messages and the file of the rejects have the line numbers that are counted here.

import { isUtf8 } from 'node:buffer'
import type { FindColumn } from './record.ts'

/** The options of an import that concern the file. */
export interface FileOptions {
  readonly findColumn: FindColumn
  /** The delimiter of CSV; null to find the delimiter in the header. */
  readonly delimiter: string | null
}

/** Whole lines of a file, decoded. */
export interface LineChunk {
  readonly text: string
  /** Number of its first line, from 1. */
  readonly firstLine: number
  /** Whether some of it is not valid UTF-8, and is U+FFFD in the text. */
  readonly isBroken: boolean
}

/** The rest of the file cannot be read. */
export class FileError extends Error {
  constructor(line: number, complaint: string) {
    super(`line ${line}: ${complaint}`)
    this.name = 'FileError'
  }
}

/** Bytes, or characters, of one record: the limit bounds the memory of an import. */
export const MAX_RECORD_LENGTH = 1024 * 1024

const NEWLINE = 0x0a

/** Cuts a stream of bytes into chunks of whole lines, without a BOM. The last line needs no newline. */
export async function* readChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<LineChunk> {
  let rest = Buffer.alloc(0)
  let line = 1
  for await (const chunk of bytes) {
    const whole = Buffer.concat([rest, chunk])
    if (line === 1) refuseOtherFormat(whole)
    const end = whole.lastIndexOf(NEWLINE) + 1
    // A copy: the slice would keep the whole buffer in memory.
    rest = Buffer.from(whole.subarray(end))
    if (end > 0) {
      const chunk = decode(whole.subarray(0, end), line)
      line += countNewlines(chunk.text)
      yield chunk
    }
    if (rest.length > MAX_RECORD_LENGTH) throw new FileError(line, `longer than ${MAX_RECORD_LENGTH} bytes`)
  }
  if (rest.length > 0) yield decode(rest, line)
}

/** The first bytes of other formats (as text, or in hexadecimal), and how to convert such a file. */
const otherFormats = [
  ['[', 'a JSON array. Make JSON Lines of it: jq -c ".[]" FILE > FILE.jsonl'],
  ['504b0304', 'a ZIP archive or a spreadsheet: save it as CSV in UTF-8'],
  ['1f8b', 'compressed by gzip: run gzip -dc FILE | lookup import users - --format csv'],
  ['fffe', 'in UTF-16: save it as UTF-8'],
] as const

/** Bytes in which another format is recognized. */
const MAX_SIGNATURE_LENGTH = 64

function refuseOtherFormat(bytes: Buffer): void {
  const start = bytes.subarray(0, MAX_SIGNATURE_LENGTH)
  const signatures = [start.toString('utf8').trimStart().charAt(0), start.toString('hex')]
  const other = otherFormats.find(([known]) => signatures.some((found) => found.startsWith(known)))
  if (other !== undefined) throw new FileError(1, `the file is ${other[1]}`)
}

function decode(bytes: Buffer, firstLine: number): LineChunk {
  const text = bytes.toString('utf8')
  return { text: firstLine === 1 ? text.replace(/^\ufeff/, '') : text, firstLine, isBroken: !isUtf8(bytes) }
}

export function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
