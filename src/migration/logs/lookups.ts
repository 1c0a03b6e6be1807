// Access logs → the legacy lookups in them, with an account of all other lines.

import type { Terminal } from '../../terminal/terminal.ts'
import type { Account } from './account.ts'
import { formats } from './formats.ts'
import { type LegacyCall, legacyCallOf, lookupPathOf } from './legacy.ts'
import { type LogHead, openLog } from './lines.ts'
import { describedFormat } from './pattern.ts'
import { createLineReader } from './reader.ts'
import { type LoggedRequest, MAX_LINE_LENGTH } from './request.ts'
import { jsonWrappers, prefixes } from './wrappers.ts'

/** Takes a lookup, and the request that it came with. */
type OnLookup = (call: LegacyCall, request: LoggedRequest) => void

export interface LookupsOptions {
  /** Paths, or `-` for standard input. */
  readonly files: readonly string[]
  readonly terminal: Pick<Terminal, 'stdin'>
  /** Where the legacy interface is, on the server whose log it is. */
  readonly paths: readonly string[]
  /** How the operator describes the lines; by default the format is recognised. */
  readonly format?: string | undefined
  readonly signal: AbortSignal
  /** Is called with the bytes and the lines read so far. */
  readonly onProgress: (bytes: number, lines: number) => void
  /** Is called with what an operator has to know meanwhile. */
  readonly say: (message: string) => void
}

/**
 * Reads until the end of the logs, or until the signal is aborted.
 * @param onLookup is called for each lookup: to collect them in a list would cost as much as reading them
 * @returns what each file begins with
 * @throws LogError
 */
export async function readLookups(
  options: LookupsOptions,
  account: Account,
  onLookup: OnLookup,
): Promise<LogHead[]> {
  const heads: LogHead[] = []
  let before = 0
  for (const file of options.files) {
    let bytes = 0
    const onBytes = (read: number) => {
      bytes = read
      options.onProgress(before + read, account.lines)
    }
    heads.push(await readFile(file, onBytes, options, account, onLookup))
    if (options.signal.aborted) return heads
    before += bytes
  }
  return heads
}

async function readFile(
  file: string,
  onBytes: (bytes: number) => void,
  { terminal, paths, format, signal, say }: LookupsOptions,
  account: Account,
  onLookup: OnLookup,
): Promise<LogHead> {
  const { batches, found } = openLog(file, { terminal, onBytes, signal })
  const shown = file === '-' ? 'standard input' : file
  const names = new Set<string>()
  const onFormat = (name: string) => {
    if (!names.has(name)) say(`Reading ${shown} as ${name}.`)
    names.add(name)
  }
  // A description that begins with a variable also fits JSON around a line, and would read it wrongly.
  const described = format === undefined ? [] : [...jsonWrappers, describedFormat(format), ...prefixes]
  const read = createLineReader(format === undefined ? formats : described, onFormat)
  const seen = { lines: 0, tooLong: 0, lackFields: false, isRead: false }

  for await (const batch of batches) {
    if (signal.aborted) return found.head
    for (const text of batch) {
      const isTooLong = text.length > MAX_LINE_LENGTH
      const line = isTooLong ? text : bare(text)
      if (line === '') continue
      seen.lines++
      account.lines++
      const said = isTooLong ? 'too long' : read(line)
      if (typeof said === 'object') {
        account.requestsRead++
        take(said, paths, account, onLookup)
      } else if (said !== 'comment') account.skipUnread(said, line)
      seen.isRead ||= typeof said === 'object' || said === 'comment' || said === 'no request'
      seen.lackFields ||= said === 'no fields'
      if (isTooLong) seen.tooLong++
    }
  }

  if (signal.aborted) return found.head
  const { compression, damage, isText } = found
  const { lines, isRead } = seen
  const unread = isRead ? null : whyUnread()
  const damaged =
    damage === null ? null : `is incomplete or damaged: only its readable part was counted (${damage})`
  account.addFile({
    file: shown,
    format: isRead ? [...names].join(', ') : null,
    compression,
    lines,
    problem: lines === 0 ? (damaged ?? unread) : (unread ?? damaged),
    isRead: isRead || (lines === 0 && isText && damage === null),
  })
  return found.head

  function whyUnread(): string {
    if (!isText) return NO_TEXT
    if (lines === 0) return 'is empty'
    if (lines === seen.tooLong) return 'has only lines longer than 256 KiB'
    if (format !== undefined) return 'has no line that matches --format'
    return seen.lackFields
      ? 'has no #Fields line with cs-uri-stem before its lines. Give the log from its beginning, or describe its lines with --format'
      : 'has no line of a known format. Describe its lines with --format'
  }
}

const NO_TEXT =
  'is not a text file. Decompress or convert it first, such as by "xzcat FILE | lookup census -"'

/**
 * Removes a carriage return at the end, and the NULs that a crash of the server leaves at the beginning.
 * @returns an empty text for a blank line
 */
function bare(line: string): string {
  const isDos = line.charCodeAt(line.length - 1) === 0x0d
  const text = isDos ? line.slice(0, -1) : line
  const first = text.charCodeAt(0)
  if (first > 0x20) return text
  return first === 0 ? bare(text.replace(/^\0+/, '')) : text.trim() === '' ? '' : text
}

function take(request: LoggedRequest, paths: readonly string[], account: Account, onLookup: OnLookup): void {
  const call = legacyCallOf(request, paths)
  if (typeof call !== 'string') {
    if (call.posted) account.countPosted()
    onLookup(call, request)
    return
  }
  account.skip(call, request.target, request.method)
  if (call === 'other path' || request.method === 'POST') {
    const path = lookupPathOf(request)
    if (path !== null && !paths.includes(path)) account.countOtherPath(path)
  }
}
