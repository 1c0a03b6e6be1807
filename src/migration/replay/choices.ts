// Finds the choices of the dialect that would remove the causes of a report.

import { setImmediate as nextTick } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { createChoiceFinder, type ProbeChoice } from '../probe/causes.ts'
import type { Ledger } from './ledger.ts'
import type { ReplayReport } from './report.ts'
import { allowanceOf, type ReplayRules } from './rules.ts'

/** Causes for which choices are searched, the most frequent first. */
const MAX_CAUSES = 20

/** @param config of the gateway @returns the report with the choices; without them after an interruption */
export async function withChoices(
  report: ReplayReport,
  ledger: Ledger,
  { dialect, legacy: { maxValues } }: Config,
  rules: ReplayRules,
  signal: AbortSignal,
): Promise<ReplayReport> {
  const causes = report.groups
    .slice(0, MAX_CAUSES)
    .map((group) => ({ ...group, examples: ledger.examplesOf(group) }))
  const allowOf = (query: string) => allowanceOf(rules, query)
  const find = createChoiceFinder(causes, { dialect, maxValues, allowOf })
  const choices: (readonly ProbeChoice[])[] = []
  for (const cause of causes) {
    // A signal is handled in between.
    await nextTick()
    if (signal.aborted) break
    choices.push(find(cause))
  }
  return { ...report, groups: report.groups.map((group, at) => ({ ...group, remedies: choices[at] ?? [] })) }
}
