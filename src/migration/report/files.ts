// The files of a report. A report replaces only an empty file or another report, never a database or a log.

import { closeSync, existsSync, openSync, readSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandError, UsageError } from '../../terminal/command-error.ts'
import { refuseUnwritable } from '../../terminal/files.ts'
import { messageOf } from '../../text.ts'
import { GENERATOR, reportPage } from './page.ts'
import type { Report } from './report.ts'

/** Paths of the files for a report. A report is written only to the paths that the operator names. */
export interface ReportFiles {
  readonly json?: string
  readonly html?: string
}

/** Bytes of a file that show whether it is a report. */
const HEAD_BYTES = 1_024

/**
 * Call this before the work that the report is about.
 * @param others files that the command reads or writes
 * @throws CommandError
 */
export function checkReportFiles({ json, html }: ReportFiles, others: readonly string[]): void {
  const pathOf = (file: string) => (existsSync(file) ? realpathSync(file) : resolve(file))
  const paths = others.map(pathOf)
  for (const file of [json, html].filter((name) => name !== undefined)) {
    if (paths.includes(pathOf(file)))
      throw new UsageError(`The report would overwrite ${file}. Choose another file.`)
    refuseUnwritable(file)
    if (!isReplaceable(file))
      throw new UsageError(
        `The report would overwrite ${file}, which is not a report. Choose another file, or delete ${file}.`,
      )
    paths.push(pathOf(file))
  }
}

/** A device or a pipe is never read: there may be nothing to read. */
function isReplaceable(file: string): boolean {
  if (!existsSync(file) || !statSync(file).isFile()) return true
  const descriptor = openSync(file, 'r')
  const bytes = Buffer.alloc(HEAD_BYTES)
  const head = bytes.toString('latin1', 0, readSync(descriptor, bytes))
  closeSync(descriptor)
  const isPage = head.startsWith('<!doctype html>') && head.includes(`content="${GENERATOR}"`)
  return head === '' || isPage || /^\{\s*"report": "/.test(head)
}

/**
 * @param command whose report it is; the first key of the JSON
 * @param data the other keys of the JSON
 * @throws CommandError
 */
export function writeReports(
  { json, html }: ReportFiles,
  command: 'replay' | 'census' | 'probe',
  data: object,
  report: Report,
): void {
  try {
    if (json !== undefined) writeFileSync(json, `${JSON.stringify({ report: command, ...data }, null, 2)}\n`)
    if (html !== undefined) writeFileSync(html, reportPage(report))
  } catch (error) {
    throw new CommandError(`Cannot write the report: ${messageOf(error)}.`)
  }
}
