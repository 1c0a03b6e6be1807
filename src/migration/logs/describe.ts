// The part of a report that is about its logs: tables, and sentences on what was not read.

import { count, percent } from '../../text.ts'
import { long, number, type ReportTable, text } from '../report/report.ts'
import type { LogSummary } from './account.ts'
import type { SkipReason } from './legacy.ts'

/** The part of the lines that look like requests which must have been read. */
const MIN_SHARE = 0.99

const labels: Readonly<Record<SkipReason, string>> = {
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

/** Why lines are not counted. */
export const reasons = Object.keys(labels)

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
  const parts = files.flatMap(({ file, problem }) => (problem === null ? [] : [`${file} ${problem}.`]))
  if (log.requestsUnread > 0 && share < MIN_SHARE)
    parts.push(
      `Only ${percent(share)} of the lines that look like requests were read. Describe the others with --format. The first is: ${log.firstUnread}`,
    )
  return parts
}

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

/** Names the files of which nothing was read, each with the reason. */
export function unreadFiles({ files }: LogSummary): string[] {
  const unread = files.filter(({ isRead }) => !isRead)
  // A log without a request is usual among others; by itself it is a mistake.
  const isAllEmpty = unread.length === 0 && files.every(({ lines }) => lines === 0)
  return (isAllEmpty ? files : unread).map(({ file, problem }) => `${file} ${problem ?? 'is empty'}.`)
}
