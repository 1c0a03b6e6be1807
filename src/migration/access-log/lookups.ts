// Access logs → the legacy lookups in them, with an account of all other lines.

import type { Terminal } from '../../terminal/terminal.ts'
import { isUnread, type OpenFormat } from './formats/format.ts'
import { recognise, SAMPLE_LINES } from './formats/index.ts'
import { formatOf } from './formats/pattern.ts'
import { type LegacyCall, legacyCallOf, lookupPathOf } from './legacy.ts'
import type { LoggedRequest } from './line.ts'
import { openLog } from './read.ts'
import type { Tally } from './tally.ts'

/** Takes a lookup, and the request that it came with. */
type OnLookup = (call: LegacyCall, request: LoggedRequest) => void

export interface LookupsOptions {
  /** Paths, or `-` for standard input. */
  readonly files: readonly string[]
  readonly terminal: Pick<Terminal, 'stdin'>
  /** Where the legacy interface is, on the server whose log it is. */
  readonly paths: readonly string[]
  /** How the operator describes the lines; recognised where it is not given. */
  readonly format?: string | undefined
  readonly signal: AbortSignal
  /** Is told the bytes and the lines read so far. */
  readonly onProgress: (bytes: number, lines: number) => void
  /** Is told what an operator has to know meanwhile. */
  readonly say: (message: string) => void
}

/**
 * Reads until the end of the logs, or until the signal is aborted.
 * @param onLookup is called for each lookup: to collect them in a list would cost as much as reading them
 * @throws LogError
 */
export async function readLookups(options: LookupsOptions, tally: Tally, onLookup: OnLookup): Promise<void> {
  let before = 0
  for (const file of options.files) {
    let bytes = 0
    const onBytes = (read: number) => {
      bytes = read
      options.onProgress(before + read, tally.lines())
    }
    await readFile(file, onBytes, options, tally, onLookup)
    if (options.signal.aborted) return
    before += bytes
  }
}

async function readFile(
  file: string,
  onBytes: (bytes: number) => void,
  { terminal, paths, format, signal, say }: LookupsOptions,
  tally: Tally,
  onLookup: OnLookup,
): Promise<void> {
  const { batches, found } = openLog(file, { terminal, onBytes, signal })
  const shown = file === '-' ? 'standard input' : file
  const before = tally.lines()
  const given = format === undefined ? null : formatOf(format)
  let open: OpenFormat | null = given?.open([], recognise) ?? null
  const names = new Set(given === null ? [] : [given.name])
  for (const name of names) say(`Reading ${shown} as ${name}.`)
  let isRead = false
  let lacksFields = false

  for await (const batch of batches) {
    if (signal.aborted) break
    const lines = batch.filter((line) => line.trim() !== '').map(bare)
    let tested = 0
    for (const [at, line] of lines.entries()) {
      tally.countLine()
      let said = open === null ? 'unreadable' : open.read(line)
      if (isUnread(said) && given === null && at >= tested) {
        tested = at + SAMPLE_LINES
        const now = formatIn(lines.slice(at, tested), isRead ? open : null)
        if (now !== null && now.name !== open?.name) {
          if (!names.has(now.name)) say(`Reading ${shown} as ${now.name}.`)
          names.add(now.name)
          open = now
          said = now.read(line)
        }
      }
      lacksFields ||= said === 'no fields'
      if (isUnread(said)) {
        tally.skip(said, line)
        continue
      }
      isRead = true
      if (said === null) continue
      if (typeof said === 'string') tally.skip(said, line)
      else take(said, paths, tally, onLookup)
    }
  }

  const { compression, damage, isText, tooLong } = found
  for (let line = 0; line < tooLong.lines; line++) {
    tally.countLine()
    tally.skip('too long', tooLong.example)
  }
  if (signal.aborted) return
  const lines = tally.lines() - before
  const unread = isRead ? null : whyUnread()
  const damaged =
    damage === null ? null : `is incomplete or damaged: only its readable part was counted (${damage})`
  tally.addFile({
    file: shown,
    format: isRead ? [...names].join(', ') : null,
    compression,
    lines,
    problem: lines === 0 ? (damaged ?? unread) : (unread ?? damaged),
    isRead: isRead || (lines === 0 && isText && damage === null),
  })

  function whyUnread(): string {
    if (!isText) return NO_TEXT
    if (lines === 0) return 'is empty'
    if (lines === tooLong.lines) return 'has only lines longer than 256 KiB'
    if (given !== null) return 'has no line that matches --format'
    if (lacksFields)
      return 'has no #Fields line with cs-uri-stem before its lines. Give the log from its beginning, or describe its lines with --format'
    return open === null
      ? 'has no line of a known format. Describe its lines with --format'
      : `has no line that can be read as ${open.name}`
  }
}

const NO_TEXT =
  'is not a text file. Decompress or convert it first, such as by "xzcat FILE | lookup census -"'

/** Removes a carriage return at the end, and the NULs that a crash of the server leaves at the beginning. */
function bare(line: string): string {
  const isDos = line.charCodeAt(line.length - 1) === 0x0d
  const text = isDos ? line.slice(0, -1) : line
  return text.charCodeAt(0) === 0 ? text.replace(/^\0+/, '') : text
}

/**
 * A server may change the format within a file. If a line does not parse, test the next 50; switch the format
 * if none of them fits the current one, and another format can read some.
 */
function formatIn(lines: readonly string[], open: OpenFormat | null): OpenFormat | null {
  if (open === null) return recognise(lines)
  if (lines.some(open.recognises)) return open
  const other = recognise(lines)
  return other?.readsSample ? other : open
}

function take(request: LoggedRequest, paths: readonly string[], tally: Tally, onLookup: OnLookup): void {
  const call = legacyCallOf(request, paths)
  if (typeof call !== 'string') {
    if (call.posted) tally.countPosted()
    onLookup(call, request)
    return
  }
  tally.skip(call, request.target, request.method)
  if (call === 'other path' || request.method === 'POST') {
    const path = lookupPathOf(request)
    if (path !== null && !paths.includes(path)) tally.countOtherPath(path)
  }
}
