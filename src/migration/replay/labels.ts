// The sentences of a replay's report. The terminal and the page share them.

import { count, counted, percent, shorten, visible } from '../../text.ts'
import { explainKind, rules } from '../compare/difference.ts'
import type { ReplayReport } from './report.ts'
import type { Group, Latency, NoiseGroup, Verdict } from './settled.ts'

const names: readonly (readonly [Verdict | 'left', string])[] = [
  ['bytes', 'same bytes'],
  ['meaning', 'same meaning, different bytes'],
  ['ignored', 'same except for ignored differences'],
  ['different', 'different meaning'],
  ['failed', 'not compared: no response'],
  ['left', 'not sent yet'],
]

/** The verdicts of a report: `ignored` needs an option, and `left` an unfinished replay. */
export function verdictNames({ noise, tallies }: ReplayReport) {
  return names.filter(
    ([name]) => (name !== 'ignored' || noise !== '') && (name !== 'left' || tallies.left.requests > 0),
  )
}

export function headline(report: ReplayReport): string {
  const { proven, complete, total, tallies, lines, gaps } = report
  if (total.requests === 0)
    return ['Nothing to compare: the log has no legacy request. Check --path.', ...gaps].join(' ')
  const { different } = tallies
  if (proven) {
    const alike =
      total.requests === 1
        ? 'The responses to the only request mean the same'
        : `The responses to all ${count(total.requests)} distinct requests mean the same`
    const but = report.ignored.length === 0 ? '' : `, except for ignored differences: ${listIgnored(report)}`
    return `${alike}${but}.${caution(lines)}`
  }
  const found =
    different.requests === 0
      ? 'No response differs in meaning so far.'
      : `The responses to ${count(different.requests)} of ${counted(total.requests, 'distinct request')} differ in meaning: ${percent(different.hits / total.hits)} of the traffic.`
  const ignored = report.ignored.length === 0 ? '' : ` Ignored: ${listIgnored(report)}.`
  if (complete && gaps.length === 0) return found + ignored
  const partial = 'This is a partial report: not all requests have been compared.'
  return [found + ignored, partial, ...gaps].join(' ')
}

/** Fields that a headline lists. */
const MAX_LISTED_FIELDS = 6

/** How often each field was ignored, in distinct requests: `JoinDate 120 times, Rank 3 times (tolerated)`. */
function listIgnored({ ignored }: ReplayReport): string {
  const listed = new Map<string, { readonly what: string; readonly why: string; requests: number }>()
  for (const { field, kind, reason, requests } of ignored) {
    const what = kind === 'value' || kind === 'header' ? field || 'others' : explainKind(kind)
    const why = reason === 'ignored' ? '' : ` (${reason})`
    const before = listed.get(what + why)
    if (before === undefined) listed.set(what + why, { what, why, requests })
    else before.requests += requests
  }
  const all = [...listed.values()].map(
    ({ what, why, requests }) => `${what} ${requests === 1 ? 'once' : `${count(requests)} times`}${why}`,
  )
  const more = all.length - MAX_LISTED_FIELDS
  return visible(all.slice(0, MAX_LISTED_FIELDS).join(', ')) + (more > 0 ? ` and ${count(more)} more` : '')
}

/** What was ignored, and why. */
export function explainIgnored({ reason, kind }: NoiseGroup): string {
  return kind === 'value' ? rules[reason] : `${explainKind(kind)}: ${rules[reason]}`
}

/**
 * Says that a difference may be chance, if the old service changes the field in other requests; else empty.
 */
export function chanceOf({ event, field, kind }: Group, { ignored }: ReplayReport): string {
  const changes = ignored.some(
    (noise) => noise.reason === 'learned' && noise.event === event && noise.field === field,
  )
  return changes && kind === 'value'
    ? `The old service changes ${field} by itself in other requests, so this may be chance. To ignore it, add --ignore ${field}.`
    : ''
}

/** Characters of a value. */
const MAX_VALUE_LENGTH = 200

/** The choices that remove a cause; empty if none were found. */
export function describeRemedies({ remedies }: ReplayReport['groups'][number]): string {
  const all = remedies.map(
    ({ choice, value }) => `${choice} = ${shorten(JSON.stringify(value), MAX_VALUE_LENGTH)}`,
  )
  if (all.length === 0) return ''
  const lead = all.length === 1 ? 'choice that removes it' : 'choices that remove it together'
  return `${lead}: ${all.join(', ')} (in the file of LEGACY_DIALECT)`
}

/** The dialect to which the choices belong. */
export function assumptionOf({ dialect }: ReplayReport): string {
  return dialect === null
    ? 'Choices are for a gateway without LEGACY_DIALECT.'
    : `Choices are for a gateway with LEGACY_DIALECT=${dialect}.`
}

/** The next step of the operator. */
export function adviceFor({ old }: ReplayReport): string {
  return `To write a dialect that removes differences, run "lookup probe ${old} --write old.json".`
}

/** Warns if most lines were not counted. */
function caution({ legacy = 0, ...others }: ReplayReport['lines']): string {
  const skipped = Object.values(others).reduce((sum, number) => sum + number, 0)
  return skipped > legacy ? ' Warning: most lines of the log were not counted.' : ''
}

export function lineCounts({ lines, total }: ReplayReport): string {
  return `${counted(lines.legacy ?? 0, 'legacy request')} in the log, ${count(total.requests)} distinct.`
}

/** Empty if nothing was compared. */
export function latencyLine({ latency }: ReplayReport): string {
  if (latency.old === null || latency.new === null) return ''
  const shown = ({ p50, p99 }: Latency) => `${count(p50)} ms (p50), ${count(p99)} ms (p99)`
  return `Latency: old ${shown(latency.old)}; new ${shown(latency.new)}.`
}
