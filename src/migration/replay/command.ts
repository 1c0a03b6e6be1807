// `lookup replay LOG --old URL --new URL`: proves with the requests of logs that two services respond alike.
// A status of 0 that is wrong would let clients move to a service that differs.

import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Noise } from '../../config/noise.ts'
import type { OldServiceTarget } from '../../config/old-service.ts'
import { createCall } from '../../stores/old-service/call.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { sizeOfFiles } from '../../terminal/files.ts'
import { onInterrupt, statusOf } from '../../terminal/interrupt.ts'
import { showProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { counted } from '../../text.ts'
import { listOf } from '../cli-options.ts'
import type { HeaderName } from '../compare/headers.ts'
import { CALL_TIMEOUT_MS, createPace } from '../pace.ts'
import { foreignProgressFile, removeProgressFile } from '../progress-file.ts'
import { checkReportFiles, type ReportFiles, writeReports } from '../report/files.ts'
import { printReport } from '../report/terminal.ts'
import { anotherReplay, type Ledger, openLedger } from './ledger.ts'
import { presentReplay } from './presentation.ts'
import { readLogInto } from './read-log.ts'
import { reportOn, withChoices } from './report.ts'
import { describeRules, type ReplayRules, readAccepted } from './rules.ts'
import { type ReplayEnd, runReplay } from './run.ts'
import { findProblem } from './services.ts'

export interface ReplayCommand extends ReportFiles {
  readonly logs: readonly string[]
  readonly old: OldServiceTarget
  readonly new: OldServiceTarget
  /** Paths of the legacy interface in the log, comma-separated. */
  readonly path: string
  /** A description of the log lines. */
  readonly format?: string
  /** Requests per second, and in flight, to each of the two. */
  readonly rate: number
  readonly connections: number
  /** Distinct requests to send at most. */
  readonly limit?: number
  /** Whether the status may be 0 if not all of the log was compared. */
  readonly partial?: boolean
  readonly state: string
  /** Differences that do not count: by field, by header, and by the causes in reports of earlier replays. */
  readonly noise: Noise
  readonly ignoreHeader?: readonly HeaderName[]
  readonly accept?: readonly string[]
  /** Only later requests are sent: milliseconds since 1970. */
  readonly since?: number
}

/**
 * @param config of the gateway
 * @param setStatus is called before anything is printed, since printing fails behind `| head`. The status is
 * 0 if all lookups of the log were compared and mean the same, else 1; 130 after Ctrl-C, 143 after SIGTERM
 */
export async function runReplayCommand(
  terminal: Terminal,
  config: Config,
  command: ReplayCommand,
  setStatus: (status: number) => void,
): Promise<void> {
  const { logs, state, partial = false, noise, ignoreHeader = [], accept = [] } = command
  checkReportFiles(command, [...logs, ...accept, state])
  const rules = { ...noise, ignoredHeaders: ignoreHeader, baselines: accept, accepted: readAccepted(accept) }
  const size = sizeOfFiles(logs)
  const ledger = openLedger(state, identityOf(command, rules))
  const { signal, name, release } = onInterrupt(terminal)
  try {
    const ending = await readAndSend(terminal, ledger, command, rules, size, signal)
    if (ending === 'unread') {
      setStatus(statusOf(name()))
      terminal.stderr.write('Interrupted while reading the log. Nothing was sent, and there is no report.\n')
      return
    }
    const found = reportOn(ledger, {
      ...{ old: command.old.url, new: command.new.url, logs, paths: listOf(command.path) },
      ...{ noise: describeRules(rules), dialect: config.legacy.dialect },
    })
    const report = await withChoices(found, ledger, config, rules, signal)
    const { different, failed } = report.tallies
    const isAlike =
      ending === 'sent' && report.total.requests > 0 && different.requests + failed.requests === 0
    if (ending === 'interrupted') setStatus(statusOf(name()))
    else setStatus(isAlike && (report.proven || partial) ? 0 : 1)
    const view = presentReplay(report)
    terminal.stdout.write(printReport(view, terminal))
    terminal.stderr.write(farewell(ending, isResumable(ledger) ? state : null))
    if (isAlike && !report.proven && !partial)
      terminal.stderr.write('Not all of the log was compared. To accept that, add --partial.\n')
    writeReports(command, 'replay', report, view)
  } finally {
    const isKept = isResumable(ledger)
    ledger.close()
    if (!isKept) removeProgressFile(state)
    release()
  }
}

/** @param state the file in which progress is kept; null for none */
function farewell(ending: ReplayEnd, state: string | null): string {
  const sentences = [
    ...(ending === 'interrupted' ? ['Interrupted.'] : []),
    ...(typeof ending === 'object'
      ? [`Stopped: too many requests in a row failed (${ending.failure}).`]
      : []),
    ...(state === null
      ? []
      : [`Progress is in ${state}. To resume, run the same command again. To start over, delete the file.`]),
  ]
  return sentences.length === 0 ? '' : `${sentences.join(' ')}\n`
}

/** Whether some requests were compared, and others were not. */
function isResumable(ledger: Ledger): boolean {
  const { bytes, meaning, ignored, different, failed, left } = ledger.counts()
  const compared = bytes.requests + meaning.requests + ignored.requests + different.requests
  return compared > 0 && failed.requests + left.requests > 0
}

/** @returns how the replay ended; `unread` if it was interrupted before the end of the log */
async function readAndSend(
  terminal: Terminal,
  ledger: Ledger,
  command: ReplayCommand,
  rules: ReplayRules,
  size: number | null,
  signal: AbortSignal,
): Promise<ReplayEnd | 'unread'> {
  const { logs, path, format, since, rate, connections, state } = command
  const limits = { timeout: CALL_TIMEOUT_MS, connections }
  const { clock } = terminal
  const isResumed = isResumable(ledger)
  if (isResumed) terminal.stderr.write(`Resuming from ${state}, started ${ledger.started()}.\n`)
  const services = {
    old: createCall(command.old, limits),
    new: createCall(command.new, limits),
    signal,
    clock,
  }
  const reading = showProgress(terminal, 'reading', size)
  try {
    const problem = isResumed ? null : await findProblem(services)
    if (problem !== null) throw new CommandError(`Replay failed: ${problem}. Nothing was compared.`)
    const isSameLog = await readLogInto(ledger, {
      ...{ files: logs, terminal, paths: listOf(path), format, since, signal },
      onProgress: (bytes, lines) => reading.update(bytes, counted(lines, 'line')),
      say: reading.say,
    })
    if (!isSameLog) throw foreignProgressFile(state, anotherReplay)
  } catch (error) {
    if (signal.aborted) return 'unread'
    throw error
  } finally {
    reading.stop()
  }
  const { left } = ledger.counts()
  const total = Math.min(left.requests, command.limit ?? left.requests)
  if (total === 0) return 'sent'
  terminal.stderr.write(
    `Sending ${counted(total, 'distinct request')} to both services, most frequent first: ${rate} per second, ` +
      `${connections} at a time, timeout ${CALL_TIMEOUT_MS / 1000} s.\n` +
      (rules.learn ? 'Requests whose responses differ are sent to the old service a second time.\n' : ''),
  )
  const sending = showProgress(terminal, 'replay', total)
  return runReplay(ledger, {
    ...{ ...services, rules, connections, most: total },
    pace: createPace(rate, clock),
    onProgress: (sent) => sending.update(sent, counted(sent, 'request')),
  }).finally(sending.stop)
}

/**
 * Identifies a replay by its command, so that it can be resumed after an interruption. Logins and headers may
 * change.
 */
function identityOf(
  { logs, old, new: fresh, path, format, since }: ReplayCommand,
  rules: ReplayRules,
): string {
  return JSON.stringify({
    // The version of the tables in the state file.
    version: 3,
    logs: logs.map((file) => (file === '-' ? file : resolve(file))),
    old: old.url,
    new: fresh.url,
    ...{ path, format, since, noise: describeRules(rules), accepted: [...rules.accepted].toSorted() },
  })
}
