// `lookup probe URL`: probes an old service, writes its dialect, and reports how the gateway responds with
// that dialect. Scripts of operators depend on the exit status and on the options.

import { existsSync, writeFileSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { readDialectText } from '../../config/files.ts'
import type { OldServiceTarget } from '../../config/old-service.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { readDialect } from '../../legacy/dialect-file.ts'
import { createCall } from '../../stores/old-service/call.ts'
import { CommandError, InterruptError } from '../../terminal/command-error.ts'
import { refuseUnwritable } from '../../terminal/files.ts'
import { onInterrupt } from '../../terminal/interrupt.ts'
import { showProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { counted, messageOf } from '../../text.ts'
import { CALL_TIMEOUT_MS } from '../pace.ts'
import { checkReportFiles, type ReportFiles, writeReports } from '../report/files.ts'
import { printReport } from '../report/terminal.ts'
import { MAX_REQUESTS, ProbeError } from './client.ts'
import { presentProbe } from './presentation.ts'
import { type ProbeOptions, probe } from './probe.ts'
import { isSame, type ProbeReport, reportOn } from './report.ts'

export interface ProbeCommand
  extends ReportFiles,
    Pick<ProbeOptions, 'users' | 'apps' | 'chats' | 'chatMethods' | 'rate' | 'requests'> {
  readonly old: OldServiceTarget
  /** A file for the dialect; if it exists, it is compared first. */
  readonly write?: string
  /** A dialect of an earlier probe. */
  readonly against?: string
}

/** Editors complete the file by this schema. */
const SCHEMA = 'schema/dialect.schema.json'

/** @param config of the gateway @param setStatus gets 1 if a response has another meaning */
export async function runProbe(
  terminal: Terminal,
  config: Config,
  command: ProbeCommand,
  setStatus: (status: number) => void,
): Promise<void> {
  const { rate, write, old, requests = MAX_REQUESTS } = command
  const earlier = readEarlier(command.against ?? (write !== undefined && existsSync(write) ? write : null))
  if (write !== undefined) refuseUnwritable(write)
  checkReportFiles(command, write === undefined ? [] : [write])
  terminal.stderr.write(
    `Probing ${old.url}: at most ${counted(requests, 'request')}, ${rate} per second, one at a time, timeout ${CALL_TIMEOUT_MS / 1000} s.\n`,
  )
  const report = await reportOnOld(terminal, config, command, earlier)
  const content = { $schema: SCHEMA, ...report.dialect }
  if (write !== undefined) writeFileSync(write, `${JSON.stringify(content, null, 2)}\n`)
  const view = presentProbe(report, write ?? null)
  terminal.stdout.write(printReport(view, terminal))
  writeReports(command, 'probe', report, view)
  if (write !== undefined) terminal.stderr.write(`Dialect written to ${write}.\n`)
  if (!isSame(report)) setStatus(1)
}

function readEarlier(file: string | null): Dialect | null {
  if (file === null) return null
  const refuse = (reason: string) =>
    new CommandError(`Cannot read ${file} as a dialect: ${reason} Name another file.`)
  try {
    const dialect = readDialect(readDialectText(file))
    if ('read' in dialect) return dialect
    throw refuse(dialect.join(' '))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw refuse(`${messageOf(error)}.`)
  }
}

async function reportOnOld(
  terminal: Terminal,
  config: Config,
  command: ProbeCommand,
  earlier: Dialect | null,
): Promise<ProbeReport> {
  const { old, requests = MAX_REQUESTS } = command
  const progress = showProgress(terminal, 'probe', requests)
  const { signal, name, release } = onInterrupt(terminal)
  const onProgress = (sent: number) => progress.update(sent, counted(sent, 'request'))
  try {
    const call = createCall(old, { timeout: CALL_TIMEOUT_MS, connections: 1, keep: false })
    const { clock } = terminal
    const probed = await probe(call, { ...command, signal, clock, onProgress, earlier })
    const report = await reportOn(probed, config, old, earlier)
    signal.throwIfAborted()
    return report
  } catch (error) {
    if (error instanceof ProbeError) throw new CommandError(`Cannot probe ${old.url}. ${error.message}`)
    if (signal.aborted) throw new InterruptError('Interrupted. Nothing was written.', name())
    throw error
  } finally {
    release()
    progress.stop()
  }
}
