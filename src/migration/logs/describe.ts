// The part of a report that is about its logs, for a terminal and for a page.

import { type Html, html } from '../../pages/html.ts'
import { notice, section } from '../../pages/page.ts'
import { type Column, tableOf } from '../../pages/table.ts'
import { tableWithin } from '../../terminal/table.ts'
import { count, percent } from '../../text.ts'
import type { LogSummary, NotCounted } from './account.ts'
import type { Skipped } from './legacy.ts'

/** Characters of a line in a terminal. */
const WIDTH = 100
/** Of the lines that look like requests, the part that must have been read. */
const LEAST_SHARE = 0.99

const labels: Readonly<Record<Skipped, string>> = {
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
}

const columns = [
  { title: 'not counted', cell: ({ lines }: NotCounted) => count(lines), number: true },
  { title: 'reason', cell: ({ reason }: NotCounted) => labels[reason] },
  { title: 'first example', cell: ({ example }: NotCounted) => example, kind: 'long' },
] as const

const fileColumns: readonly Column<LogSummary['files'][number]>[] = [
  { title: 'file', cell: ({ file }) => file, kind: 'long' },
  { title: 'format', cell: ({ format }) => format ?? '' },
  { title: 'compression', cell: ({ compression }) => compression ?? '' },
  { title: 'lines', cell: ({ lines }) => count(lines), number: true },
  { title: 'problem', cell: ({ problem }) => problem ?? '' },
]

/** @param paths of the option --path */
export function describeLog(log: LogSummary, paths: readonly string[]): string[] {
  const rows = log.notCounted.map((row) => columns.map(({ cell }) => cell(row)))
  return [
    ...(rows.length === 0
      ? []
      : ['', ...tableWithin(WIDTH, [columns.map(({ title }) => title), ...rows], [2])]),
    ...[...unreadParts(log), ...otherPathsOf(log, paths)].flatMap((warning) => ['', warning]),
  ]
}

export function logPart(log: LogSummary, paths: readonly string[]): Html {
  return html`${[...unreadParts(log), ...otherPathsOf(log, paths)].map(notice)}
${log.notCounted.length === 0 ? '' : section('Lines that were not counted', tableOf('Lines that were not counted', columns, log.notCounted))}
${section('Logs', tableOf('Logs', fileColumns, log.files))}`
}

/** Says which requests were not read; empty if all files are whole and at least 99 % were read. */
export function unreadParts({ files, requestsRead, requestsUnread }: LogSummary): string[] {
  const share = requestsRead / Math.max(1, requestsRead + requestsUnread)
  return [
    ...files.flatMap(({ file, problem }) => (problem === null ? [] : [`${file} ${problem}.`])),
    ...(requestsUnread > 0 && share < LEAST_SHARE
      ? [
          `Only ${percent(share)} of the lines that look like requests were read. Describe the others with --format.`,
        ]
      : []),
  ]
}

function otherPathsOf({ otherPaths }: LogSummary, paths: readonly string[]): string[] {
  if (otherPaths.length === 0) return []
  const named = otherPaths.map(({ path, requests }) => `${path} (${count(requests)})`).join(', ')
  const lead = `Lookups on other paths are not counted: ${named}.`
  // A client can make up paths, and an operator may paste the option into a shell.
  const isPlain = (path: string) => /^[\w./~%-]+$/.test(path)
  const plain = otherPaths.map(({ path }) => path).filter(isPlain)
  if (plain.length === 0 || !paths.every(isPlain)) return [lead]
  return [`${lead} To count them, add --path '${[...paths, ...plain].join(',')}'.`]
}

/** Names the files of which nothing was read, each with the reason. */
export function unreadFiles({ files }: LogSummary): string[] {
  const unread = files.filter(({ isRead }) => !isRead)
  // A log without a request is usual among others; by itself it is a mistake.
  const isAllEmpty = unread.length === 0 && files.length > 0 && files.every(({ lines }) => lines === 0)
  return (isAllEmpty ? files : unread).map(({ file, problem }) => `${file} ${problem ?? 'is empty'}.`)
}
