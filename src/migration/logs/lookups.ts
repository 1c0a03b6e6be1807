// Reads the legacy lookups in access logs, for census and replay. Each other line is counted with a reason: a
// replay proves too much if a lookup is missing here.

import type { Terminal } from '../../terminal/terminal.ts'
import { exampleOf, type LogAccount } from './account.ts'
import { describedFormat } from './described.ts'
import { formats } from './formats.ts'
import { inJson } from './json.ts'
import { type LegacyCall, legacyCallOf, lookupPathOf } from './legacy.ts'
import { hasLookup } from './likeness.ts'
import { type LogHead, openLog } from './lines.ts'
import { createLineReader } from './reader.ts'
import { type LoggedRequest, MAX_LINE_LENGTH } from './request.ts'
import { prefixes } from './wrappers.ts'

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
    let size = 0
    const onBytes = (bytes: number) => {
      size = bytes
      options.onProgress(before + bytes, account.lines)
    }
    const log = openLog(file, { ...options, onBytes, known: options.heads?.[at] })
    await readFile(file, log, options, account, onLookup)
    heads.push(log.facts.head)
    before += size
  }
  return heads
}

async function readFile(
  file: string,
  { batches, facts }: ReturnType<typeof openLog>,
  { paths, format, signal, say }: LookupsOptions,
  account: LogAccount,
  onLookup: OnLookup,
): Promise<void> {
  const shown = file === '-' ? 'standard input' : file
  const names = new Set<string>()
  const onFormat = (name: string) => {
    if (!names.has(name)) say(`Reading ${shown} as ${name}.`)
    names.add(name)
  }
  // A description that begins with a variable also fits JSON around a line, and would read it wrongly.
  const described = format === undefined ? [] : [inJson, describedFormat(format), ...prefixes]
  const read = createLineReader(format === undefined ? formats : described, onFormat)
  let lines = 0
  let isRead = false
  let firstUnread = ''
  /** Whether a line has the first bytes of an archive. */
  let hasArchive = false

  for await (const batch of batches) {
    if (signal.aborted) return
    for (const line of batch.map(bare)) {
      if (line === '') continue
      account.lines++
      lines++
      const result = line.length > MAX_LINE_LENGTH ? 'too long' : read(line)
      isRead ||= typeof result === 'object' || result === 'comment' || result === 'no request'
      if (typeof result === 'object') countRequest(result, line, paths, account, onLookup)
      else if (result !== 'comment') {
        account.skipUnread(result, line)
        firstUnread ||= exampleOf(line)
        hasArchive ||= line.includes('\x1f\x8b\x08') || line.includes('(\xb5/\xfd')
      }
    }
  }

  if (signal.aborted) return
  const { compression, isText } = facts
  const damage = facts.damage ?? (hasArchive ? 'an archive follows its text' : null)
  const findProblem = () => {
    if (!isText)
      return 'is not a text file. Decompress or convert it first, such as by "xzcat FILE | lookup census -"'
    if (lines > 0 && !isRead)
      return `has no line of ${format === undefined ? 'a known format' : 'the format of --format'}. The first is: ${firstUnread}\nDescribe it with --format, such as --format '$remote_addr [$time_local] "$request"'`
    if (damage !== null) return `is incomplete or damaged: only its readable part was counted (${damage})`
    return lines === 0 ? 'is empty' : null
  }
  account.files.push({
    ...{ file: shown, format: isRead ? [...names].join(', ') : null, compression, lines },
    problem: findProblem(),
    isRead: isRead || (lines === 0 && isText && damage === null),
  })
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
    const mayBeLookup = call === 'other path' || (call === 'other method' && method === 'POST')
    const path = mayBeLookup ? lookupPathOf(request) : null
    if (path !== null && !paths.includes(path)) account.countOtherPath(path)
  }
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
