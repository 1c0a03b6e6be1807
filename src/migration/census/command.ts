// `lookup census LOG…`: who still calls the legacy interface.

import type { Config } from '../../config/config.ts'
import { sizeOfFiles } from '../../terminal/files.ts'
import { onInterrupt, statusOf } from '../../terminal/interrupt.ts'
import { showProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { counted } from '../../text.ts'
import { listOf } from '../cli-options.ts'
import { unreadFiles } from '../logs/describe.ts'
import { LogError } from '../logs/lines.ts'
import { checkReportFiles, type ReportFiles, writeReports } from '../report/files.ts'
import { printReport } from '../report/terminal.ts'
import { takeCensus } from './census.ts'
import { presentCensus } from './presentation.ts'

export interface CensusRequest extends ReportFiles {
  readonly logs: readonly string[]
  readonly path: string
  readonly format?: string
  readonly showAddresses?: boolean
}

/**
 * @param config of the gateway
 * @param setStatus gets the exit status before anything is printed: 130 after Ctrl-C, 143 after SIGTERM
 */
export async function runCensus(
  terminal: Terminal,
  config: Config,
  { logs, path, format, showAddresses = false, ...files }: CensusRequest,
  setStatus: (status: number) => void,
): Promise<void> {
  checkReportFiles(files, logs)
  const { signal, name, release } = onInterrupt(terminal)
  try {
    const progress = showProgress(terminal, 'census', sizeOfFiles(logs))
    const onProgress = (bytes: number, lines: number) => progress.update(bytes, counted(lines, 'line'))
    const paths = listOf(path)
    const options = { files: logs, terminal, paths, format, signal, onProgress, say: progress.say }
    const census = await takeCensus(options, config, showAddresses).finally(progress.stop)
    const unread = unreadFiles(census.log)
    if (census.complete && unread.length > 0 && unread.length === logs.length)
      throw new LogError(`Census failed. ${unread.join('\n')}`)
    setStatus(census.complete ? Math.sign(unread.length) : statusOf(name()))
    const report = presentCensus(census)
    terminal.stdout.write(printReport(report, terminal))
    writeReports(files, 'census', census, report)
  } finally {
    release()
  }
}
