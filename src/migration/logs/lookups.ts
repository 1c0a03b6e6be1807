// Reads the legacy lookups in access logs, for census and replay. Each other line is counted with a reason: a
// replay proves too much if a lookup is missing here.

import type { Terminal } from '../../terminal/terminal.ts'
import { exampleOf, type LogAccount } from './account.ts'
import { formats } from './formats.ts'
import { type LegacyCall, legacyCallOf, lookupPathOf } from './legacy.ts'
import { type LinesOptions, type LogHead, openLog } from './lines.ts'
import { describedFormat } from './pattern.ts'
import { createLineReader } from './reader.ts'
import { hasLookup, type LoggedRequest, MAX_LINE_LENGTH } from './request.ts'
import { jsonWrappers, prefixes } from './wrappers.ts'

/** @param request the logged request of the lookup */
type OnLookup = (call: LegacyCall, request: LoggedRequest) => void

export interface LookupsOptions {
  /** Paths, or `-` for standard input. */
  readonly files: readonly string[]
  readonly terminal: Pick<Terminal, 'stdin'>
  /** Paths of the legacy interface, on the server whose log it is. */
  readonly paths: readonly string[]
  /** How the operator describes the lines; by default the format is recognised. */
  readonly format?: string | undefined
  readonly signal: AbortSignal
  /** How each file began when it was read before. */
  readonly heads?: readonly LogHead[]
  /** Called with the bytes and the lines read so far. */
  readonly onProgress: (bytes: number, lines: number) => void
  /** Shows a message to the operator while the logs are read. */
  readonly say: (message: string) => void
}

/**
 * Reads until the end of the logs, or until the signal is aborted.
 * @param onLookup called for each lookup: to collect lookups in a list would cost as much as to read them
 * @returns the beginning of each file
 * @throws LogError
 */
export async function readLookups(
  options: LookupsOptions,
  account: LogAccount,
  onLookup: OnLookup,
): Promise<LogHead[]> {
  const heads: LogHead[] = []
  let before = 0
  for (const [at, file] of options.files.entries()) {
    const onBytes = (bytes: number) => options.onProgress(before + bytes, account.lines)
    const head = await readFile(file, { onBytes, known: options.heads?.[at] }, options, account, onLookup)
    heads.push(head)
    if (options.signal.aborted) return heads
    before += head.size
  }
  return heads
}

async function readFile(
  file: string,
  source: Pick<LinesOptions, 'onBytes' | 'known'>,
  { terminal, paths, format, signal, say }: LookupsOptions,
  account: LogAccount,
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
  const findings = { lines: 0, isRead: false, lacksFields: false, hasArchive: false, firstUnread: '' }

  for await (const batch of batches) {
    if (signal.aborted) return facts.head
    for (const line of batch.flatMap(bareLines)) {
      account.lines++
      findings.lines++
      const result = line.length > MAX_LINE_LENGTH ? 'too long' : read(line)
      if (typeof result === 'object') countRequest(result, line, paths, account, onLookup)
      else if (result !== 'comment') {
        account.skipUnread(result, line)
        findings.firstUnread ||= exampleOf(line)
        findings.hasArchive ||= line.includes('\x1f\x8b\x08') || line.includes('(\xb5/\xfd')
      }
      findings.isRead ||= typeof result === 'object' || result === 'comment' || result === 'no request'
      findings.lacksFields ||= result === 'no fields'
    }
  }

  if (signal.aborted) return facts.head
  // A rotation may leave the last piece in another file.
  for (const text of unfinished.flatMap((texts) => [...texts.values()]))
    account.skipUnread('unreadable', text)
  const { lines, isRead, hasArchive } = findings
  const { compression, isText } = facts
  const damage = facts.damage ?? (hasArchive ? 'an archive follows its text' : null)
  const damaged = damage && `is incomplete or damaged: only its readable part was counted (${damage})`
  const unread = isRead ? null : whyUnread(findings, isText, format)
  account.files.push({
    ...{ file: shown, format: isRead ? [...names].join(', ') : null, compression, lines },
    problem: lines === 0 ? (damaged ?? unread) : (unread ?? damaged),
    isRead: isRead || (lines === 0 && isText && damage === null),
  })
  return facts.head
}

function countRequest(
  request: LoggedRequest,
  line: string,
  paths: readonly string[],
  account: LogAccount,
  onLookup: OnLookup,
): void {
  const { method, target, referer } = request
  const call = legacyCallOf(request, paths)
  if (typeof call !== 'string') {
    account.requestsRead++
    account.lookupsRead++
    if (call.posted) account.posted++
    onLookup(call, request)
  } else if (hasLookup(line) && !hasLookup(`${target} ${referer}`)) account.skipUnread('elsewhere', line)
  else {
    account.requestsRead++
    account.skip(call, target, method)
    const path = call === 'other path' || method === 'POST' ? lookupPathOf(request) : null
    if (path !== null && !paths.includes(path)) account.countOtherPath(path)
  }
}

function whyUnread(
  { lines, lacksFields, firstUnread }: { lines: number; lacksFields: boolean; firstUnread: string },
  isText: boolean,
  format: string | undefined,
): string {
  if (!isText)
    return 'is not a text file. Decompress or convert it first, such as by "xzcat FILE | lookup census -"'
  if (lines === 0) return 'is empty'
  if (lacksFields)
    return 'has no #Fields line with cs-uri-stem before its lines. Give the log from its beginning, or describe its lines with --format'
  if (format !== undefined) return `has no line that matches --format. The first is: ${firstUnread}`
  return `has no line of a known format. The first is: ${firstUnread}\nDescribe it with --format, such as --format '$remote_addr [$time_local] "$request"'`
}

/** A program may end lines with a carriage return alone. A line that is too long stays whole. */
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
