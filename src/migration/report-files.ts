import { writeFileSync } from 'node:fs'
import { CommandError } from '../terminal/command-error.ts'
import { refuseOverwriting, refuseUnwritable } from '../terminal/outputs.ts'
import { messageOf } from '../text.ts'

/** Files for a report; none is written that is not named. */
export interface ReportFiles {
  readonly json?: string
  readonly html?: string
}

/**
 * Before the work that the report is about.
 * @param others what must not be overwritten
 * @throws CommandError
 */
export function checkReportFiles({ json, html }: ReportFiles, others: readonly string[]): void {
  for (const file of [json, html].filter((name) => name !== undefined)) {
    refuseOverwriting('report', file, others)
    refuseUnwritable(file)
  }
}

/** @throws CommandError */
export function writeReports({ json, html }: ReportFiles, report: object, page: () => string): void {
  try {
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
    if (html !== undefined) writeFileSync(html, page())
  } catch (error) {
    throw new CommandError(`Cannot write the report: ${messageOf(error)}.`)
  }
}
