// Which choices of the dialect would remove the causes of a report.

import { setImmediate as nextTick } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { showProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { counted } from '../../text.ts'
import { createRemedyFinder, type Remedy } from '../probe/causes.ts'
import type { Ledger } from './ledger.ts'
import type { ReplayReport } from './report.ts'
import { allowanceOf, type ReplayRules } from './rules.ts'

/** Causes for which choices are searched, the most frequent first. */
const MAX_CAUSES = 20

interface Surroundings {
  readonly terminal: Terminal
  /** Of the gateway. */
  readonly config: Config
  readonly rules: ReplayRules
  readonly signal: AbortSignal
}

/** @returns the report with the choices; without them after an interruption */
export async function withRemedies(
  report: ReplayReport,
  ledger: Ledger,
  { terminal, config, rules, signal }: Surroundings,
): Promise<ReplayReport> {
  const causes = report.groups
    .slice(0, MAX_CAUSES)
    .map((group) => ({ ...group, examples: ledger.examplesOf(group) }))
  if (causes.length === 0 || signal.aborted) return report
  const find = createRemedyFinder(causes, {
    dialect: config.dialect,
    maxValues: config.legacy.maxValues,
    allowOf: (query) => allowanceOf(rules, query),
  })
  const progress = showProgress(terminal, 'choices', causes.length)
  const remedies: (readonly Remedy[])[] = []
  for (const cause of causes) {
    // A signal is handled in between.
    await nextTick()
    if (signal.aborted) break
    remedies.push(find(cause))
    progress.update(remedies.length, counted(remedies.length, 'cause'))
  }
  progress.stop()
  return { ...report, groups: report.groups.map((group, at) => ({ ...group, remedies: remedies[at] ?? [] })) }
}
