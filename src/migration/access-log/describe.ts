// What reports say of the logs that they are about, in a terminal and on a page alike.

import { type Html, html } from '../../pages/html.ts'
import { notice, section } from '../../pages/page.ts'
import { type Column, tableOf } from '../../pages/table.ts'
import { tableWithin } from '../../terminal/table.ts'
import { count } from '../../text.ts'
import type { Skipped } from './legacy.ts'
import type { LogSummary, NotCounted } from './tally.ts'

/** Characters of a line in a terminal. */
const WIDTH = 100

const labels: Readonly<Record<Skipped, string>> = {
  unreadable: 'not in this format',
  'no request': 'not an HTTP request',
  'no fields': 'no #Fields line with cs-uri-stem before it',
  'too long': 'longer than 256 KiB',
  'other method': 'other method',
  'other path': 'other path',
  'no lookup': 'not a lookup',
  'POST lookup': 'lookup by POST, not sent',
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

/** @param paths those that the lookups were looked for on */
export function describeLog(log: LogSummary, paths: readonly string[]): string[] {
  const rows = log.notCounted.map((row) => columns.map(({ cell }) => cell(row)))
  return [
    ...(rows.length === 0
      ? []
      : ['', ...tableWithin(WIDTH, [columns.map(({ title }) => title), ...rows], [2])]),
    ...warningsOf(log, paths).flatMap((warning) => ['', warning]),
  ]
}

export function logPart(log: LogSummary, paths: readonly string[]): Html {
  return html`${warningsOf(log, paths).map(notice)}
${log.notCounted.length === 0 ? '' : section('Lines that were not counted', tableOf('Lines that were not counted', columns, log.notCounted))}
${section('Logs', tableOf('Logs', fileColumns, log.files))}`
}

/** What makes a report incomplete, or about less than its reader thinks. */
function warningsOf({ files, otherPaths }: LogSummary, paths: readonly string[]): string[] {
  const problems = files.flatMap(({ file, problem }) => (problem === null ? [] : [`${file} ${problem}.`]))
  if (otherPaths.length === 0) return problems
  const named = otherPaths.map(({ path, requests }) => `${path} (${count(requests)})`).join(', ')
  const all = [...paths, ...otherPaths.map(({ path }) => path)].join(',')
  return [
    ...problems,
    `Lookups on other paths are not counted: ${named}. To count them, add --path '${all}'.`,
  ]
}

/** What those who read a log are told of files of which nothing was read; empty where there is none. */
export function unreadFiles({ files }: LogSummary): string[] {
  const unread = files.filter(({ isRead }) => !isRead)
  // A log without a request is usual among others; by itself it is a mistake.
  const isAllEmpty = unread.length === 0 && files.length > 0 && files.every(({ lines }) => lines === 0)
  return (isAllEmpty ? files : unread).map(({ file, problem }) => `${file} ${problem ?? 'is empty'}.`)
}
