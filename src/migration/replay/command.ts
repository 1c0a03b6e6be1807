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
import { ReplacedLogError } from '../logs/lines.ts'
import { CALL_TIMEOUT_MS, createPace } from '../pace.ts'
import { foreignProgressFile, removeProgressFile } from '../progress-file.ts'
import { checkReportFiles, type ReportFiles, writeReports } from '../report/files.ts'
import { printReport } from '../report/terminal.ts'
import { withChoices } from './choices.ts'
import { anotherReplay, type Ledger, openLedger } from './ledger.ts'
import { presentReplay } from './presentation.ts'
import { isUnchanged, readLogInto } from './read-log.ts'
import { type ReplayReport, reportOn } from './report.ts'
import { describeRules, hashOf, type ReplayRules, readAccepted } from './rules.ts'
import { type ReplayEnd, runReplay } from './run.ts'
import { findProblem } from './services.ts'

export interface ReplayRequest extends ReportFiles {
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
  /** What does not count: differences, headers, and the causes in JSON reports of earlier replays. */
  readonly noise: Noise
  readonly ignoreHeader?: readonly HeaderName[]
  readonly accept?: readonly string[]
  /** Only later requests are sent: milliseconds since 1970. */
  readonly since?: number
}

/**
 * @param config of the gateway
 * @param setStatus is called before anything is printed, since a reader of it may have gone. The status is 0
 * if all lookups of the log were compared and mean the same, else 1; 130 after Ctrl-C, 143 after SIGTERM
 */
export async function runReplayCommand(
  terminal: Terminal,
  config: Config,
  request: ReplayRequest,
  setStatus: (status: number) => void,
): Promise<void> {
  const { logs, state, partial = false, noise, ignoreHeader = [], accept = [] } = request
  checkReportFiles(request, [...logs, ...accept, state])
  const rules = { ...noise, ignoredHeaders: ignoreHeader, baselines: accept, accepted: readAccepted(accept) }
  const size = sizeOfFiles(logs)
  const { signal, name, release } = onInterrupt(terminal)
  try {
    const ledger = openLedger(state, identityOf(request), describeRules(rules), hashOf(rules))
    const ending = await readAndSend(terminal, ledger, request, rules, size, signal)
    // The command with another address is another replay. Comparisons of an earlier run stay.
    if (typeof ending === 'object' && 'unusable' in ending) {
      closeLedger(ledger, state, countCompared(ledger) > 0)
      throw new CommandError(`Replay failed: ${ending.unusable}. Nothing was compared.`)
    }
    if (!ledger.isRead()) {
      closeLedger(ledger, state, false)
      setStatus(statusOf(name()))
      terminal.stderr.write('Interrupted while reading the log. Nothing was sent, and there is no report.\n')
      return
    }
    const found = reportOn(ledger, {
      ...{ old: request.old.url, new: request.new.url, logs, paths: listOf(request.path) },
      ...{ noise: describeRules(rules), dialect: config.legacy.dialect },
    })
    const report = await withChoices(found, ledger, terminal, config, rules, signal)
    const { different, failed, left } = report.tallies
    ledger.close()
    const isAlike =
      ending === 'sent' && report.total.requests > 0 && different.requests + failed.requests === 0
    if (ending === 'interrupted') setStatus(statusOf(name()))
    else setStatus(isAlike && (report.proven || partial) ? 0 : 1)
    const view = presentReplay(report)
    terminal.stdout.write(printReport(view, terminal))
    terminal.stderr.write(farewell(ending, report, state))
    if (isAlike && !report.proven && !partial)
      terminal.stderr.write('Not all of the log was compared. To accept that, add --partial.\n')
    writeReports(request, 'replay', report, view)
    if (ending === 'sent' && failed.requests + left.requests === 0) removeProgressFile(state)
  } finally {
    release()
  }
}

function closeLedger(ledger: Ledger, state: string, isNeeded: boolean): void {
  ledger.close()
  if (!isNeeded) removeProgressFile(state)
}

async function readAndSend(
  terminal: Terminal,
  ledger: Ledger,
  request: ReplayRequest,
  rules: ReplayRules,
  size: number | null,
  signal: AbortSignal,
): Promise<ReplayEnd> {
  const { logs, path, format, since, rate, connections, state } = request
  const options = { timeout: CALL_TIMEOUT_MS, connections }
  const [old, fresh] = [createCall(request.old, options), createCall(request.new, options)]
  const reading = { files: logs, terminal, paths: listOf(path), format, since, signal }
  const isResumed = ledger.isRead()
  if (isResumed) terminal.stderr.write(`Resuming from ${state}, started ${ledger.started()}.\n`)
  else {
    const unusable = await findProblem({ old, new: fresh, signal })
    if (unusable !== null) return { unusable }
  }
  if (!isResumed || !(await isUnchanged(ledger, reading))) {
    const progress = showProgress(terminal, 'reading', size)
    const onProgress = (bytes: number, lines: number) => progress.update(bytes, counted(lines, 'line'))
    try {
      await readLogInto(ledger, { ...reading, onProgress, say: progress.say })
    } catch (error) {
      if (signal.aborted) return 'interrupted'
      // If nothing was sent, the next command may name other files.
      closeLedger(ledger, state, isResumed)
      throw error instanceof ReplacedLogError ? foreignProgressFile(state, anotherReplay) : error
    } finally {
      progress.stop()
    }
  }
  const { left } = ledger.counts()
  if (left.requests === 0) return 'sent'
  const done = countCompared(ledger)
  const total = Math.min(left.requests, request.limit ?? left.requests)
  terminal.stderr.write(
    `Sending ${counted(total, 'distinct request')} to both services, most frequent first: ${rate} per second, ` +
      `${connections} at a time, timeout ${CALL_TIMEOUT_MS / 1000} s.\n` +
      (rules.learn ? 'Requests whose responses differ are sent to the old service a second time.\n' : ''),
  )
  const progress = showProgress(terminal, 'replay', done + total, done)
  return runReplay(ledger, {
    ...{ old, new: fresh, rules, connections, most: total, signal, clock: terminal.clock },
    pace: createPace(rate, terminal.clock),
    onProgress: (sent) => progress.update(done + sent, counted(done + sent, 'request')),
  }).finally(progress.stop)
}

/**
 * Identifies a replay by its command, so that it can be resumed after an interruption. Logins and headers may
 * change.
 */
function identityOf({ logs, old, new: fresh, path, format, since }: ReplayRequest): string {
  return JSON.stringify({
    // The version of the tables in the state file.
    version: 2,
    logs: logs.map((file) => (file === '-' ? file : resolve(file))),
    old: old.url,
    new: fresh.url,
    ...{ path, format, since },
  })
}

function countCompared(ledger: Ledger): number {
  const { bytes, meaning, ignored, different } = ledger.counts()
  return bytes.requests + meaning.requests + ignored.requests + different.requests
}

function farewell(ending: ReplayEnd, { tallies }: ReplayReport, state: string): string {
  const again = `Progress is in ${state}. To resume, run the same command again. To start over, delete the file.\n`
  if (ending === 'interrupted') return `Interrupted. ${again}`
  if (typeof ending === 'object' && 'failure' in ending)
    return `Stopped: too many requests in a row failed (${ending.failure}). ${again}`
  return tallies.failed.requests + tallies.left.requests > 0 ? again : ''
}
