// An account of the lines of logs: how many were not counted and why, with an example of each. A replay
// proves too much if a line is missing here.

import { isIP } from 'node:net'
import { copyOf, count, percent, shorten, visible } from '../../text.ts'
import { long, number, type ReportTable, text } from '../report/report.ts'
import { looksLikeLookup, looksLikeRequest } from './likeness.ts'

interface LogFile {
  readonly file: string
  /** The formats of its lines; null if nothing of it was read. */
  readonly format: string | null
  readonly compression: 'gzip' | 'zstd' | null
  readonly lines: number
  /** Why nothing, or not all, of it was read; null if all of it was. */
  readonly problem: string | null
  /** Whether something of it was read, or there was nothing to be read. */
  readonly isRead: boolean
}

export type LogSummary = ReturnType<LogAccount['summary']>

const labels = {
  unreadable: 'not in this format',
  'no request': 'not an HTTP request',
  'no fields': 'no #Fields line with cs-uri-stem before it',
  'too long': 'longer than 256 KiB',
  'other method': 'other method',
  'other path': 'other path',
  'no lookup': 'not a lookup',
  'POST lookup': 'lookup by POST, not sent',
  'raw bytes': 'cannot be sent as it was logged',
  earlier: 'before --since',
  own: 'sent by this program',
  elsewhere: 'has a lookup, but not in the target',
}

/** Why a line is not counted. */
export type SkipReason = keyof typeof labels
export const reasons = Object.keys(labels)

/** The least share of read lines among all lines that look like requests, or lookups. */
const MIN_SHARE = 0.99
/** Different paths that are counted: a client that makes up paths must not fill the memory. */
const MAX_PATHS = 1_000
/** Paths in a report. */
const MAX_NAMED_PATHS = 10
/** Characters of an example. */
const MAX_EXAMPLE_LENGTH = 160

export class LogAccount {
  lines = 0
  /** Lines that were read as requests, and lines that look like requests but could not be read. */
  requestsRead = 0
  requestsUnread = 0
  /** Lookups, and lines that look like lookups but could not be read. */
  lookupsRead = 0
  lookupsUnread = 0
  /** The first line that looks like a request but could not be read; null if there is none. */
  firstUnread: string | null = null
  /** Lookups by POST. `notCounted` does not include these lookups. */
  posted = 0
  readonly files: LogFile[] = []
  readonly #reasons = new Map<SkipReason, { lines: number; readonly example: string }>()
  readonly #paths = new Map<string, number>()

  countOtherPath(path: string): void {
    const known = this.#paths.get(path)
    if (known !== undefined || this.#paths.size < MAX_PATHS) this.#paths.set(copyOf(path), (known ?? 0) + 1)
  }

  /** Counts a line that could not be read. */
  skipUnread(reason: SkipReason, line: string): void {
    // Text in UTF-16 that was added to a log has a NUL in each character; an archive may hold anything.
    const text = line.replaceAll('\0', '')
    if (reason === 'too long' || looksLikeRequest(text)) {
      this.requestsUnread++
      this.firstUnread ??= exampleOf(text)
    }
    if (looksLikeLookup(text)) this.lookupsUnread++
    this.skip(reason, line)
  }

  /** @param text the line, or a target with its method */
  skip(reason: SkipReason, text: string, method = ''): void {
    const known = this.#reasons.get(reason)
    if (known === undefined) this.#reasons.set(reason, { lines: 1, example: exampleOf(`${method} ${text}`) })
    else known.lines++
  }

  summary() {
    const { lines, requestsRead, requestsUnread, lookupsRead, lookupsUnread, firstUnread, files } = this
    return {
      ...{ lines, requestsRead, requestsUnread, lookupsRead, lookupsUnread, firstUnread, files },
      /** The most frequent reasons first. Addresses are hidden in the examples. */
      notCounted: [...this.#reasons]
        .map(([reason, skipped]) => ({ reason, ...skipped }))
        .toSorted((a, b) => b.lines - a.lines),
      posted: this.posted,
      /** Other paths with lookups, the most frequent first. */
      otherPaths: [...this.#paths]
        .map(([path, requests]) => ({ path: visible(path), requests }))
        .toSorted((a, b) => b.requests - a.requests)
        .slice(0, MAX_NAMED_PATHS),
    }
  }
}

const HIDDEN = '(address)'

/** A short text that can be printed, and that names no client by its address. */
export function exampleOf(text: string): string {
  const bytes = Buffer.from(text.slice(0, 4 * MAX_EXAMPLE_LENGTH), 'latin1')
  // A version of four numbers is taken for an address, too.
  const words = bytes.toString('utf8').replace(/\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?/g, HIDDEN)
  // A colon may follow the address.
  const isIPv6 = (word: string) =>
    word.includes(':') && (isIP(word) !== 0 || isIP(word.replace(/:$/, '')) !== 0)
  const shown = words.replace(/[\da-f:]{2,45}(?:%\w{1,15})?/gi, (word) => (isIPv6(word) ? HIDDEN : word))
  return shorten(visible(shown.trim()), MAX_EXAMPLE_LENGTH)
}

export function logTables({ notCounted, files }: LogSummary): ReportTable[] {
  return [
    {
      title: 'Lines that were not counted',
      columns: [number('lines'), text('reason'), long('first example')],
      rows: notCounted.map(({ lines, reason, example }) => [count(lines), labels[reason], example]),
    },
    {
      title: 'Logs',
      isPageOnly: true,
      columns: [long('file'), text('format'), text('compression'), number('lines'), text('problem')],
      rows: files.map(({ file, format, compression, lines, problem }) => [
        ...[file, format ?? '', compression ?? '', count(lines), problem ?? ''],
      ]),
    },
  ]
}

/** Says what was not read; empty if all files are whole, and at least 99 % of the requests were read. */
export function unreadParts({ files, ...log }: LogSummary): string[] {
  // Thousands of images must not outweigh all lookups.
  const share = Math.min(
    log.requestsRead / Math.max(1, log.requestsRead + log.requestsUnread),
    log.lookupsRead / Math.max(1, log.lookupsRead + log.lookupsUnread),
  )
  const parts = problemsOf(files.filter((file) => !isEmpty(file)))
  if (log.requestsUnread > 0 && share < MIN_SHARE)
    parts.push(
      `Only ${percent(share)} of the lines that look like requests were read. Describe the others with --format. The first is: ${log.firstUnread}`,
    )
  return parts
}

/** Names files without a line. That is usual after a rotation, and hides no request. */
export function emptyFiles({ files }: LogSummary): string[] {
  return problemsOf(files.filter(isEmpty))
}

/** Names the files of which nothing was read, each with the reason; the empty ones if all are empty. */
export function unreadFiles({ files }: LogSummary): string[] {
  return problemsOf(files.every(isEmpty) ? files : files.filter(({ isRead }) => !isRead))
}

const isEmpty = ({ lines, isRead }: LogFile) => lines === 0 && isRead

const problemsOf = (files: readonly LogFile[]) =>
  files.flatMap(({ file, problem }) => (problem === null ? [] : [`${file} ${problem}.`]))

/** @param paths of the option --path */
export function otherPathsIn({ otherPaths }: LogSummary, paths: readonly string[]): string[] {
  if (otherPaths.length === 0) return []
  const named = otherPaths.map(({ path, requests }) => `${path} (${count(requests)})`).join(', ')
  const lead = `Lookups on other paths are not counted: ${named}.`
  // A client can make up paths, and an operator may paste the option into a shell.
  const isPlain = (path: string) => /^[\w./~%-]+$/.test(path)
  const plain = otherPaths.map(({ path }) => path).filter(isPlain)
  if (plain.length === 0 || !paths.every(isPlain)) return [lead]
  return [`${lead} To count them, add --path '${[...paths, ...plain].join(',')}'.`]
}
