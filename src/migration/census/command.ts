// `lookup census LOG…`: who still calls the legacy interface.

import { sizeOfFiles } from '../../terminal/inputs.ts'
import { onInterrupt, statusOf } from '../../terminal/interrupt.ts'
import { showProgress } from '../../terminal/progress.ts'
import { cut, table } from '../../terminal/table.ts'
import { count, counted, percent } from '../../text.ts'
import { checkReportFiles, type ReportFiles, writeReports } from '../report-files.ts'
import { type Census, takeCensus } from './census.ts'
import { addressCount, censusPage } from './page.ts'

export interface CensusRequest extends ReportFiles {
  readonly logs: readonly string[]
  readonly path: string
  readonly showAddresses?: boolean
}

/** Rows that are shown in a terminal. */
const SHOWN_ROWS = 50

/**
 * @param setStatus is told the exit status before anything is printed: 130 after Ctrl-C, 143 after SIGTERM
 */
export async function runCensus(
  { logs, path, showAddresses = false, ...files }: CensusRequest,
  setStatus: (status: number) => void,
): Promise<void> {
  checkReportFiles(files, logs)
  const { signal, name, release } = onInterrupt()
  try {
    const progress = showProgress('census', sizeOfFiles(logs))
    const onProgress = (bytes: number, lines: number) => progress.update(bytes, counted(lines, 'line'))
    const census = await takeCensus({ logs, path, showAddresses, signal, onProgress }).finally(progress.stop)
    setStatus(census.complete ? 0 : statusOf(name()))
    process.stdout.write(print(census))
    writeReports(files, census, () => censusPage(census))
  } finally {
    release()
  }
}

function print({ rows, requests, lines, complete }: Census): string {
  const cells = rows
    .slice(0, SHOWN_ROWS)
    .map((row) => [
      cut(row.client || '(no name)', 50),
      cut(row.event, 20),
      cut(row.method, 12),
      cut(row.format, 6),
      count(row.requests),
      percent(row.share),
      row.lastSeen?.slice(0, 16).replace('T', ' ') ?? '',
      addressCount(row.addresses),
      row.lastAddress,
    ])
  const all = [
    ['client', 'event', 'method', 'format', 'requests', 'share', 'last seen', 'addresses', 'the last one'],
    ...cells,
  ]
  const more = rows.length - SHOWN_ROWS
  const rest = more > 0 ? [`… and ${count(more)} more; --html or --json FILE has all of them.`] : []
  const end = complete ? [] : ['Interrupted: this is a part of the log.']
  return [
    `${counted(requests, 'legacy request')} in ${counted(lines, 'line')}.`,
    '',
    ...table(all),
    ...rest,
    ...end,
  ]
    .map((line) => `${line}\n`)
    .join('')
}
