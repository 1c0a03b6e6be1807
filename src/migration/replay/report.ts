// The result of a replay as data: what was compared, what differs and which choices of the dialect would
// remove that, and why the replay is no proof, if it is none.

import { setImmediate as nextTick } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { counted } from '../../text.ts'
import { otherPathsIn, reasons, unreadParts } from '../logs/account.ts'
import { createChoiceFinder, type ProbeChoice } from '../probe/causes.ts'
import type { Ledger } from './ledger.ts'
import type { ReplayCount, ReplayGroup } from './results.ts'
import { allowanceOf, type ReplayRules } from './rules.ts'

/** Also the JSON report, whose keys stay (docs/operate.md#upgrade). */
export type ReplayReport = ReturnType<typeof reportOn>

interface ReplaySubject {
  readonly old: string
  readonly new: string
  readonly logs: readonly string[]
  /** Paths of the legacy interface. */
  readonly paths: readonly string[]
  /** The options for differences that do not count; empty if there are none. */
  readonly noise: string
  /** The file LEGACY_DIALECT, which the gateway is assumed to have; null is the default dialect. */
  readonly dialect: string | null
}

export function reportOn(ledger: Ledger, about: ReplaySubject) {
  const tallies = ledger.counts()
  const { left, failed, different } = tallies
  const sum = (name: keyof ReplayCount) =>
    Object.values(tallies).reduce((total, count) => total + count[name], 0)
  const total = { requests: sum('requests'), hits: sum('hits') }
  /** From 0 to 1, of all legacy requests in the log. */
  const shareOf = ({ hits }: ReplayCount) => (total.hits === 0 ? 0 : hits / total.hits)
  const complete = left.requests === 0 && failed.requests === 0
  const log = ledger.log()
  const causes = ledger.causes()
  const skipped = (reason: string) => log.notCounted.find((row) => row.reason === reason)?.lines ?? 0
  const sentence = (number: number, one: string, end: string) =>
    number === 0 ? [] : [`${counted(number, one)} ${end}.`]
  const isRaw = 'cannot be sent as logged: raw blanks or control characters'
  /** Why not all lookups of the log were compared; empty if all were. */
  const gaps = [
    ...unreadParts(log),
    ...otherPathsIn(log, about.paths),
    ...sentence(skipped('raw bytes'), 'request', isRaw),
    ...sentence(skipped('POST lookup'), 'lookup', 'by POST: not sent'),
    ...sentence(left.requests, 'distinct request', 'not sent yet'),
    ...(total.requests > left.requests + failed.requests && !ledger.isProven() ? [NO_INTERFACE] : []),
  ]
  return {
    ...about,
    started: ledger.started(),
    made: new Date().toISOString(),
    /** Whether every request was compared. */
    complete,
    /** Whether the log has no gap, and no response differs in meaning except for ignored differences. */
    proven: complete && gaps.length === 0 && total.requests > 0 && different.requests === 0,
    gaps,
    /** Requests in the log, and lines that are not counted, by reason. */
    lines: { legacy: total.hits, ...Object.fromEntries(reasons.map((one) => [one, skipped(one)])) },
    log,
    total,
    tallies,
    /** `remedies`: choices of the dialect that remove the differences together, if any were found. */
    groups: causes
      .filter(({ rule }) => rule === null)
      .map(({ rule: _, ...group }) => ({ ...group, share: shareOf(group), remedies: noChoices })),
    /** Differences that do not count. */
    ignored: ignoredIn(causes).map((group) => ({ ...group, share: shareOf(group) })),
    /** Causes of an earlier report that were found again and do not count. */
    accepted: causes
      .filter(({ rule }) => rule === 'accepted')
      .map(({ event, method, format, scope, field, kind }) => ({
        event,
        method,
        format,
        scope,
        field,
        kind,
      })),
    /** Null if no response was compared. */
    latency: { old: ledger.latency('old'), new: ledger.latency('new') },
    failures: ledger.failures(),
  }
}

const noChoices: readonly ProbeChoice[] = []

/** The differences of a field that do not count for one reason, whatever the method and the format. */
function ignoredIn(causes: readonly ReplayGroup[]) {
  const fields = Map.groupBy(causes, ({ event, field, kind, rule }) => [event, field, kind, rule].join('\0'))
  return [...fields.values()]
    .flatMap((all) => {
      const [{ rule: reason, event, field, kind, query, old, new: fresh } = { rule: null }] = all
      const sum = (name: keyof ReplayCount) => all.reduce((total, one) => total + one[name], 0)
      const counts = { requests: sum('requests'), hits: sum('hits') }
      return reason === null ? [] : [{ event, field, kind, ...counts, query, old, new: fresh, reason }]
    })
    .toSorted((a, b) => b.hits - a.hits)
}

/** Two wrong addresses respond alike: with 404, with the same page, or with nothing. */
const NO_INTERFACE =
  'No request got an entry, or an error of the interface, from both services: check the addresses and their paths.'

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
