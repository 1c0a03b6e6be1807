// Access logs → the legacy lookups in them, with an account of all other lines.

import type { Terminal } from '../../terminal/terminal.ts'
import { type Account, exampleOf } from './account.ts'
import { formats } from './formats.ts'
import { type LegacyCall, legacyCallOf, lookupPathOf } from './legacy.ts'
import { type LinesOptions, type LogHead, openLog } from './lines.ts'
import { describedFormat } from './pattern.ts'
import { createLineReader } from './reader.ts'
import { hasLookup, type LoggedRequest, MAX_LINE_LENGTH } from './request.ts'
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
  /** How each file began when it was read before. */
  readonly heads?: readonly LogHead[]
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
  for (const [at, file] of options.files.entries()) {
    let bytes = 0
    const onBytes = (read: number) => {
      bytes = read
      options.onProgress(before + read, account.lines)
    }
    heads.push(await readFile(file, { onBytes, known: options.heads?.[at] }, options, account, onLookup))
    if (options.signal.aborted) return heads
    before += bytes
  }
  return heads
}

async function readFile(
  file: string,
  source: Pick<LinesOptions, 'onBytes' | 'known'>,
  { terminal, paths, format, signal, say }: LookupsOptions,
  account: Account,
  onLookup: OnLookup,
): Promise<LogHead> {
  const { batches, facts } = openLog(file, { terminal, signal, ...source })
  const shown = file === '-' ? 'standard input' : file
  const names = new Set<string>()
  const onFormat = (name: string) => {
    if (!names.has(name)) say(`Reading ${shown} as ${name}.`)
    names.add(name)
  }
  // A description that begins with a variable also fits JSON around a line, and would read it wrongly.
  const described = format === undefined ? [] : [...jsonWrappers, describedFormat(format), ...prefixes]
  const unfinished: ReadonlyMap<string, string>[] = []
  const read = createLineReader(format === undefined ? formats : described, onFormat, unfinished)
  const seen = { lines: 0, tooLong: 0, lackFields: false, isRead: false, hasArchive: false, first: '' }

  for await (const batch of batches) {
    if (signal.aborted) return facts.head
    for (const line of batch.flatMap(bareLines)) {
      const isTooLong = line.length > MAX_LINE_LENGTH
      seen.lines++
      account.lines++
      const said = isTooLong ? 'too long' : read(line)
      if (typeof said === 'object') take(said, line)
      else if (said !== 'comment') {
        account.skipUnread(said, line)
        seen.first ||= exampleOf(line)
        seen.hasArchive ||= line.includes('\x1f\x8b\x08') || line.includes('(\xb5/\xfd')
      }
      seen.isRead ||= typeof said === 'object' || said === 'comment' || said === 'no request'
      seen.lackFields ||= said === 'no fields'
      if (isTooLong) seen.tooLong++
    }
  }

  if (signal.aborted) return facts.head
  // A rotation may leave the last piece in another file.
  for (const text of unfinished.flatMap((texts) => [...texts.values()]))
    account.skipUnread('unreadable', text)
  const { compression, isText } = facts
  const damage = facts.damage ?? (seen.hasArchive ? 'an archive follows its text' : null)
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
  return facts.head

  function take(request: LoggedRequest, line: string): void {
    const { method, target, referer } = request
    const call = legacyCallOf(request, paths)
    const hasOther = () => hasLookup(line) && !hasLookup(`${target} ${referer}`)
    if (typeof call === 'string' && hasOther()) {
      account.skipUnread('elsewhere', line)
      return
    }
    account.requestsRead++
    if (typeof call !== 'string') {
      account.lookupsRead++
      if (call.posted) account.countPosted()
      onLookup(call, request)
      return
    }
    account.skip(call, target, method)
    if (call === 'other path' || method === 'POST') {
      const path = lookupPathOf(request)
      if (path !== null && !paths.includes(path)) account.countOtherPath(path)
    }
  }

  function whyUnread(): string {
    if (!isText) return NO_TEXT
    if (lines === 0) return 'is empty'
    if (lines === seen.tooLong) return 'has only lines longer than 256 KiB'
    const first = `The first is: ${seen.first}`
    if (format !== undefined) return `has no line that matches --format. ${first}`
    return seen.lackFields
      ? 'has no #Fields line with cs-uri-stem before its lines. Give the log from its beginning, or describe its lines with --format'
      : `has no line of a known format. ${first}\nDescribe it with --format, such as --format '$remote_addr [$time_local] "$request"'`
  }
}

const NO_TEXT =
  'is not a text file. Decompress or convert it first, such as by "xzcat FILE | lookup census -"'

/** A program may end lines with a carriage return alone. One that is too long stays whole. */
function bareLines(text: string): readonly string[] {
  const end = text.indexOf('\r')
  if (text.length > MAX_LINE_LENGTH) return [text]
  const isOne = end === -1 || end === text.length - 1 || text.startsWith('{')
  const lines = isOne ? [text] : text.split('\r')
  return lines.map(bare).filter((line) => line !== '')
}

/**
 * Removes a carriage return at the end, NULs that a crash of the server leaves at the beginning, and the mark
 * at the beginning of a file that was added to another.
 * @returns an empty text for a blank line
 */
function bare(line: string): string {
  const text = line.replace(/^(?:\0+|\xef\xbb\xbf)+|\r$/g, '')
  return text.charCodeAt(0) <= 0x20 && text.trim() === '' ? '' : text
}
