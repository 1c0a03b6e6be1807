// `lookup census --metrics FILE…`: who still asks for which field of GraphQL.

import { sizeOfFiles } from '../../terminal/inputs.ts'
import { onInterrupt, statusOf } from '../../terminal/interrupt.ts'
import { table } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { count, percent } from '../../text.ts'
import { checkReportFiles, type ReportFiles, writeReports } from '../report-files.ts'
import { type FieldUsage, readFieldUsage } from './field-usage.ts'
import { fieldUsagePage } from './field-usage-page.ts'

export interface FieldUsageRequest extends ReportFiles {
  /** Files with the text of `/metrics`; `-` for standard input. */
  readonly files: readonly string[]
}

/** @param setStatus is told the exit status before anything is printed: 130 after Ctrl-C, 143 after SIGTERM */
export async function runFieldUsage(
  terminal: Terminal,
  { files, ...reports }: FieldUsageRequest,
  setStatus: (status: number) => void,
): Promise<void> {
  checkReportFiles(reports, files)
  sizeOfFiles(files) // says which one is not there
  const { signal, name, release } = onInterrupt(terminal)
  try {
    const usage = await readFieldUsage(files, signal)
    setStatus(usage.complete ? 0 : statusOf(name()))
    terminal.stdout.write(print(usage))
    writeReports(reports, usage, () => fieldUsagePage(usage))
  } finally {
    release()
  }
}

function print({ rows, operations, complete }: FieldUsage): string {
  const cells = rows.map((row) => [row.field, row.client, count(row.operations), percent(row.share)])
  const lines = table([['field', 'client', 'operations', 'share'], ...cells])
  const end = complete ? [] : ['Interrupted: only part of the files was counted.']
  return [`${count(operations)} GraphQL operations.`, '', ...lines, ...end]
    .map((line) => `${line}\n`)
    .join('')
}
