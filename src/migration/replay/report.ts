// The result of a replay as data: what was compared, what differs, and why that is no proof, if it is none.

import { counted } from '../../text.ts'
import { type LogSummary, otherPathsIn, reasons, unreadParts } from '../logs/account.ts'
import type { ProbeChoice } from '../probe/causes.ts'
import type { Ledger } from './ledger.ts'
import type { Latency, NoiseGroup, ReplayCause, ReplayCount, ReplayGroup, ReplayVerdict } from './results.ts'

/** The result of a replay; also the JSON report, whose keys stay (docs/operate.md#upgrade). */
export interface ReplayReport {
  readonly old: string
  readonly new: string
  readonly logs: readonly string[]
  readonly started: string
  readonly made: string
  /** Whether every request was compared. */
  readonly complete: boolean
  /** Whether the log has no gap, and no response differs in meaning except for ignored differences. */
  readonly proven: boolean
  /** Why not all lookups of the log were compared: sentences, empty if all were. */
  readonly gaps: readonly string[]
  /** Requests in the log, and lines that are not counted, by reason. */
  readonly lines: Readonly<Record<string, number>>
  /** Its files, and the lines that are not counted. */
  readonly log: LogSummary
  /** Paths of the legacy interface. */
  readonly paths: readonly string[]
  readonly total: ReplayCount
  readonly tallies: Readonly<Record<ReplayVerdict, ReplayCount>>
  readonly groups: readonly (WithShare<ReplayGroup> & {
    /** Choices of the dialect that remove the differences together; empty if none were found. */
    readonly remedies: readonly ProbeChoice[]
  })[]
  /** The file LEGACY_DIALECT, which the gateway is assumed to have; null is the default dialect. */
  readonly dialect: string | null
  /** The options for differences that do not count; empty if there are none. */
  readonly noise: string
  /** Differences that do not count. */
  readonly ignored: readonly WithShare<NoiseGroup>[]
  /** Causes of an earlier report that were found again and do not count. */
  readonly accepted: readonly ReplayCause[]
  /** The latency of the responses that were compared; null if there are none. */
  readonly latency: { readonly old: Latency | null; readonly new: Latency | null }
  readonly failures: readonly { readonly reason: string; readonly requests: number }[]
}

type WithShare<Counted> = Counted & {
  /** From 0 to 1, of all legacy requests in the log. */
  readonly share: number
}

export function reportOn(
  ledger: Ledger,
  about: Pick<ReplayReport, 'old' | 'new' | 'logs' | 'noise' | 'paths' | 'dialect'>,
): ReplayReport {
  const tallies = ledger.counts()
  const { left, failed, different } = tallies
  const sum = (name: keyof ReplayCount) =>
    Object.values(tallies).reduce((total, count) => total + count[name], 0)
  const total = { requests: sum('requests'), hits: sum('hits') }
  const shared = <Counted extends ReplayCount>(group: Counted): WithShare<Counted> => ({
    ...group,
    share: total.hits === 0 ? 0 : group.hits / total.hits,
  })
  const complete = left.requests === 0 && failed.requests === 0
  const log = ledger.log()
  const skipped = (reason: string) => log.notCounted.find((row) => row.reason === reason)?.lines ?? 0
  const sentence = (number: number, one: string, end: string) =>
    number === 0 ? [] : [`${counted(number, one)} ${end}.`]
  const gaps = [
    ...unreadParts(log),
    ...otherPathsIn(log, about.paths),
    ...sentence(
      skipped('raw bytes'),
      'request',
      'cannot be sent as logged: raw blanks or control characters',
    ),
    ...sentence(skipped('POST lookup'), 'lookup', 'by POST: not sent'),
    ...sentence(left.requests, 'distinct request', 'not sent yet'),
    ...(total.requests > left.requests + failed.requests && !ledger.isProven() ? [NO_INTERFACE] : []),
  ]
  return {
    ...about,
    started: ledger.started(),
    made: new Date().toISOString(),
    complete,
    proven: complete && gaps.length === 0 && total.requests > 0 && different.requests === 0,
    gaps,
    lines: { legacy: total.hits, ...Object.fromEntries(reasons.map((one) => [one, skipped(one)])) },
    log,
    total,
    tallies,
    groups: ledger.groups().map((group) => ({ ...shared(group), remedies: [] })),
    ignored: ledger.noise().map(shared),
    accepted: ledger.accepted(),
    latency: { old: ledger.latency('old'), new: ledger.latency('new') },
    failures: ledger.failures(),
  }
}

/** Two wrong addresses respond alike: with 404, with the same page, or with nothing. */
const NO_INTERFACE =
  'No request got an entry, or an error of the interface, from both services: check the addresses and their paths.'
