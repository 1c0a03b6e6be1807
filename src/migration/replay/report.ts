// The result of a replay as data: what was compared, what differs, and why that is no proof, if it is none.

import { counted } from '../../text.ts'
import { otherPathsIn, reasons, unreadParts } from '../logs/account.ts'
import type { ProbeChoice } from '../probe/causes.ts'
import type { Ledger } from './ledger.ts'
import type { ReplayCount } from './results.ts'

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
    groups: ledger.groups().map((group) => ({ ...group, share: shareOf(group), remedies: noChoices })),
    /** Differences that do not count. */
    ignored: ledger.noise().map((group) => ({ ...group, share: shareOf(group) })),
    /** Causes of an earlier report that were found again and do not count. */
    accepted: ledger.accepted(),
    /** Of the responses that were compared; null if there are none. */
    latency: { old: ledger.latency('old'), new: ledger.latency('new') },
    failures: ledger.failures(),
  }
}

const noChoices: readonly ProbeChoice[] = []

/** Two wrong addresses respond alike: with 404, with the same page, or with nothing. */
const NO_INTERFACE =
  'No request got an entry, or an error of the interface, from both services: check the addresses and their paths.'
