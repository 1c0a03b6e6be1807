// Access logs → the legacy lookups in them, with an account of all other lines.

import { isUnread, type OpenFormat } from './formats/format.ts'
import { recognise, SAMPLE_LINES } from './formats/index.ts'
import { formatOf } from './formats/pattern.ts'
import { type LegacyCall, legacyCallOf, lookupPathOf } from './legacy.ts'
import type { LoggedRequest } from './line.ts'
import { type LogLines, openLog } from './read.ts'
import type { Tally } from './tally.ts'
import { whyUnread } from './why-unread.ts'

/** Takes a lookup, and the request that it came with. */
export type OnLookup = (call: LegacyCall, request: LoggedRequest) => void

export interface LookupsOptions {
  /** Paths, or `-` for standard input. */
  readonly files: readonly string[]
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
 * Until all is read, or the signal is aborted.
 * @param onLookup is told of one after the other: a list of them would cost as much as reading them
 * @throws LogError
 */
export async function readLookups(options: LookupsOptions, tally: Tally, onLookup: OnLookup): Promise<void> {
  const { files, signal, onProgress } = options
  let before = 0
  for (const file of files) {
    let bytes = 0
    const onBytes = (read: number) => {
      bytes = read
      onProgress(before + read, tally.lines())
    }
    await readFile(file, openLog(file, { onBytes, signal }), options, tally, onLookup)
    if (signal.aborted) return
    before += bytes
  }
}

async function readFile(
  file: string,
  log: LogLines,
  { paths, format, signal, say }: LookupsOptions,
  tally: Tally,
  onLookup: OnLookup,
): Promise<void> {
  const shown = file === '-' ? 'standard input' : file
  const before = tally.lines()
  const known = format === undefined ? null : formatOf(format)
  let open: OpenFormat | null = known?.open([], recognise) ?? null
  const names = new Set(known === null ? [] : [known.name])
  for (const name of names) say(`Reading ${shown} as ${name}.`)
  let isRead = false
  let lacksFields = false
  let first = ''

  for await (const bunch of log.bunches) {
    if (signal.aborted) break
    const lines = bunch.filter((line) => line.trim() !== '').map(bare)
    const [sample = ''] = lines
    first ||= sample
    let told = 0
    for (const [at, line] of lines.entries()) {
      tally.countLine()
      let said = open === null ? 'unreadable' : open.read(line)
      if (isUnread(said) && known === null && at >= told) {
        told = at + SAMPLE_LINES
        const now = formatIn(lines.slice(at, told), isRead ? open : null)
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

  const tooLong = log.tooLong()
  for (let line = 0; line < tooLong.lines; line++) {
    tally.countLine()
    tally.skip('too long', tooLong.example)
  }
  if (signal.aborted) return
  const count = tally.lines() - before
  const found = { lines: count, tooLong: tooLong.lines, lacksFields }
  const unread = isRead
    ? null
    : (log.problem() ?? whyUnread({ ...found, first, open, isGiven: known !== null }))
  const damage = log.damage()
  const damaged =
    damage === null ? null : `is incomplete or damaged: only its readable part was counted (${damage})`
  tally.addFile({
    file: shown,
    format: isRead ? [...names].join(', ') : null,
    compression: log.compression(),
    lines: count,
    problem: unread !== null && damaged !== null && count === 0 ? damaged : (unread ?? damaged),
    isRead: isRead || (count === 0 && log.problem() === null && damage === null),
  })
}

/** Lines without a carriage return at their end, nor NULs before them, which a crash of the server leaves. */
function bare(line: string): string {
  const isDos = line.charCodeAt(line.length - 1) === 0x0d
  const text = isDos ? line.slice(0, -1) : line
  return text.charCodeAt(0) === 0 ? text.replace(/^\0+/, '') : text
}

/**
 * A server may begin to write another format within a file. That is asked where a line is not of the format so
 * far: none of the lines after it is, and another format can read some.
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
