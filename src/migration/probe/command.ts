// `lookup probe URL`: what an old service does, beside what the gateway does, and the settings that make them
// alike.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Config } from '../../config.ts'
import type { Service } from '../../service-headers.ts'
import { createCall } from '../../stores/old-service/call.ts'
import { CommandError, Interrupted } from '../../terminal/command-error.ts'
import { onInterrupt } from '../../terminal/interrupt.ts'
import { refuseUnwritable } from '../../terminal/outputs.ts'
import { showProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { counted } from '../../text.ts'
import { CALL_TIMEOUT_MS } from '../pace.ts'
import { checkReportFiles, type ReportFiles, writeReports } from '../report-files.ts'
import { type Advice, neededIn } from './advice.ts'
import { CannotProbe, MAX_REQUESTS } from './ask.ts'
import { compareBytes } from './bytes.ts'
import { mergeEnv } from './env-file.ts'
import { findFixes } from './fixed-by.ts'
import { observeKnown, observeOver } from './gateways.ts'
import { htmlReport } from './html.ts'
import { printProbe } from './print.ts'
import { type ProbeOptions, probe } from './probe.ts'
import { meaningsOf, type ProbeReport, promiseOf, rowsOf } from './report.ts'

export interface ProbeRequest extends ReportFiles {
  readonly old: Service
  readonly users: readonly string[]
  readonly apps: readonly string[]
  readonly chats: readonly string[]
  readonly chatMethods: readonly string[]
  /** Requests a second. */
  readonly rate: number
  /** A file for the settings. */
  readonly write?: string
}

/** What the settings in force are, and would be. */
export interface ProbeSettings {
  /** Those in force, with others in their place. @throws ConfigError */
  readonly configWith: (advice: Advice) => Config
  /** The same, with the old service as the store. @throws ConfigError */
  readonly configOver: (url: string, advice: Advice) => Config
  /** Those of the advised settings that are in force with another value. */
  readonly changedBy: (advice: Advice) => Advice
  /** Names that the environment sets, which is stronger than any file. */
  readonly inEnvironment: (name: string) => boolean
}

export async function runProbe(
  terminal: Terminal,
  settings: ProbeSettings,
  request: ProbeRequest,
): Promise<void> {
  const { rate, write } = request
  const { url } = request.old
  settings.configWith({})
  if (write !== undefined) refuseUnwritable(write)
  checkReportFiles(request, write === undefined ? [] : [write])
  terminal.stderr.write(
    `Probing ${url}: at most ${MAX_REQUESTS} requests, ${rate} per second, one at a time, timeout ${CALL_TIMEOUT_MS / 1000} s.\n`,
  )
  const report = await probeOld(terminal, settings, request)
  const { advice } = report
  terminal.stdout.write(printProbe(report))
  writeReports(request, report, () => htmlReport(report))
  if (write === undefined) return
  writeFileSync(write, mergeEnv(existsSync(write) ? readFileSync(write, 'utf8') : '', advice, write))
  terminal.stderr.write(`Settings written to ${write}.\n`)
  const hidden = Object.keys(advice).filter(settings.inEnvironment)
  if (hidden.length > 0)
    terminal.stderr.write(`Environment variables override the file: ${hidden.join(', ')}. Unset them.\n`)
}

async function probeOld(
  terminal: Terminal,
  settings: ProbeSettings,
  request: ProbeRequest,
): Promise<ProbeReport> {
  const progress = showProgress(terminal, 'probe', null)
  const { signal, name, release } = onInterrupt(terminal)
  try {
    const onProgress = (sent: number) => progress.update(sent, counted(sent, 'request'))
    const { pathname: path } = new URL(request.old.url)
    const { clock } = terminal
    return await probeAndTry(settings, request, { ...request, path, signal, clock, onProgress })
  } catch (error) {
    if (error instanceof CannotProbe)
      throw new CommandError(`Cannot probe ${request.old.url}. ${error.message}`)
    if (signal.aborted) throw new Interrupted('Interrupted. Nothing was written.', name())
    throw error
  } finally {
    release()
    progress.stop()
  }
}

/** Asks the old service, then the gateways that the advice is tried on. */
async function probeAndTry(
  { configWith, configOver, changedBy }: ProbeSettings,
  { old: service }: ProbeRequest,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const call = createCall(service, { timeout: CALL_TIMEOUT_MS, connections: 1, keep: false })
  const probed = await probe(call, options)
  const { behaviours, findings: old, known, chat, advice, asStore } = probed
  const set = await observeKnown(configWith({}), known, behaviours)
  const advised = await observeKnown(configWith(advice), known, behaviours)
  const overOld = await observeOver(configOver(service.url, advice), probed.ask, behaviours)
  const compared = { behaviours, old, set: set.findings, advised: advised.findings, overOld }
  const changed = changedBy(advice)
  const fixes = await findFixes({
    ...compared,
    changed,
    observe: async (some, fixed) => (await observeKnown(configWith(some), known, fixed)).findings,
  })
  options.signal.throwIfAborted()
  const rows = rowsOf({ ...compared, fixes })
  return {
    url: service.url,
    made: new Date().toISOString(),
    ...probed.costs(),
    rows,
    bytes: compareBytes(known, behaviours, probed.outcomes, advised.outcomes),
    chat: { method: chat.method, tried: chat.tried.length, isCertain: known.chats.size > 0 },
    asStore,
    promise: promiseOf(rows, asStore),
    advice: neededIn(advice, changed),
    meanings: meaningsOf(rows),
  }
}
