// A replay as a report for people: the sentences, tables and next steps of the terminal and the page. Wording
// and order may change. The verdict must not: an operator moves clients by it, and `proven` of report.ts
// decides it together with the exit status. Programs read report.ts as JSON.

import type { BarPart, BarPattern } from '../../pages/figures.ts'
import { count, counted, percent, shorten, visible } from '../../text.ts'
import { explainKind } from '../compare/difference.ts'
import { logTables } from '../logs/describe.ts'
import {
  long,
  minuteOf,
  name,
  number,
  onPage,
  type Report,
  type ReportExample,
  type ReportStep,
  type ReportTable,
  text,
} from '../report/report.ts'
import { type ReplayReport, share } from './report.ts'
import type { ReplayVerdict } from './results.ts'

/** Fields that the verdict lists, and characters of the value of a choice. */
const MAX_LISTED_FIELDS = 6
const MAX_VALUE_LENGTH = 200

type GroupWithShare = ReplayReport['groups'][number]

export function presentReplay(replay: ReplayReport): Report {
  const { groups, log, lines, total, dialect, failures } = replay
  // The operator excludes lines before --since.
  const { legacy = 0, earlier: _, ...others } = lines
  const skipped = Object.values(others).reduce((sum, number) => sum + number, 0)
  return {
    title: 'Replay of legacy requests',
    verdict: verdictOn(replay),
    facts: [
      ['old service', replay.old],
      ['new service', replay.new],
      ['logs', replay.logs.join(', ')],
      ['requests', `${counted(legacy, 'legacy request')} in the logs, ${count(total.requests)} distinct`],
      ...latencyFacts(replay.latency),
      ...(replay.noise === '' ? [] : [['options', replay.noise] as const]),
      ['started', minuteOf(replay.started)],
      ['reported', minuteOf(replay.made)],
    ],
    notices: [
      ...(skipped > legacy ? ['Most lines of the logs were not counted.'] : []),
      ...failures.map(({ reason, requests }) => `${count(requests)} not compared: ${shorten(reason, 100)}`),
    ],
    summary: { title: 'Share of traffic', parts: partsOf(replay) },
    notes: groups.length === 0 ? [] : [`Choices are for a gateway ${withDialect(dialect)}.`],
    examples: {
      title: 'Differences in meaning, by cause',
      all: groups.map((group) => exampleOf(group, replay)),
    },
    tables: [ignoredTable(replay.ignored), ...logTables(log)],
    nextSteps: nextStepsAfter(replay),
  }
}

function latencyFacts({ old, new: fresh }: ReplayReport['latency']): [string, string][] {
  if (old === null || fresh === null) return []
  const shown = ({ p50, p99 }: typeof old) => `${count(p50)} ms (p50), ${count(p99)} ms (p99)`
  return [['latency', `old ${shown(old)}; new ${shown(fresh)}`]]
}

const withDialect = (file: string | null) =>
  file === null ? 'without LEGACY_DIALECT' : `with LEGACY_DIALECT=${file}`

function verdictOn(replay: ReplayReport): Report['verdict'] {
  const { proven, complete, total, tallies, ignored, gaps } = replay
  if (total.requests === 0) {
    const nothing = 'Nothing to compare: the log has no legacy request. Check --path.'
    return { kind: 'open', word: 'Nothing compared', sentence: [nothing, ...gaps].join(' ') }
  }
  const { different } = tallies
  if (proven) {
    const alike =
      total.requests === 1
        ? 'The responses to the only request mean the same'
        : `The responses to all ${count(total.requests)} distinct requests mean the same`
    const but = ignored.length === 0 ? '' : `, except for ignored differences: ${listIgnored(ignored)}`
    return { kind: 'good', word: 'Same meaning', sentence: `${alike}${but}.` }
  }
  const found =
    different.requests === 0
      ? 'No response differs in meaning so far.'
      : `The responses to ${count(different.requests)} of ${counted(total.requests, 'distinct request')} differ in meaning: ${percent(different.hits / total.hits)} of the traffic.`
  const sentence = [
    found,
    ...(ignored.length === 0 ? [] : [`Ignored: ${listIgnored(ignored)}.`]),
    ...(complete && gaps.length === 0
      ? []
      : ['This is a partial report: not all requests have been compared.', ...gaps]),
  ].join(' ')
  return different.requests > 0
    ? { kind: 'wrong', word: 'Different', sentence }
    : { kind: 'open', word: 'Incomplete', sentence }
}

/** How often each field was ignored, in distinct requests: `JoinDate 120 times, Rank 3 times (tolerated)`. */
function listIgnored(ignored: ReplayReport['ignored']): string {
  const nameOf = ({ field, kind }: { readonly field: string; readonly kind: string }) =>
    kind === 'value' || kind === 'header' ? field || 'others' : explainKind(kind)
  const times = (requests: number) => (requests === 1 ? 'once' : `${count(requests)} times`)
  const fields = Map.groupBy(ignored, (one) => `${nameOf(one)}\0${one.reason}`)
  const all = [...fields.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return []
    const requests = more.reduce((sum, one) => sum + one.requests, first.requests)
    return [`${nameOf(first)} ${times(requests)}${first.reason === 'ignored' ? '' : ` (${first.reason})`}`]
  })
  const more = all.length - MAX_LISTED_FIELDS
  return visible(all.slice(0, MAX_LISTED_FIELDS).join(', ')) + (more > 0 ? ` and ${count(more)} more` : '')
}

const verdicts: readonly (readonly [ReplayVerdict | 'left', name: string, BarPattern])[] = [
  ['bytes', 'same bytes', 'same'],
  ['meaning', 'same meaning, different bytes', 'alike'],
  ['ignored', 'same except for ignored differences', 'ignored'],
  ['different', 'different meaning', 'other'],
  ['failed', 'not compared: no response', 'failed'],
  ['left', 'not sent yet', 'left'],
]

/** `ignored` needs an option, and `left` an unfinished replay. */
function partsOf({ noise, tallies, total }: ReplayReport): BarPart[] {
  return verdicts.flatMap(([verdict, name, fill]) => {
    const { requests, hits } = tallies[verdict]
    if (verdict === 'ignored' ? noise === '' : verdict === 'left' && requests === 0) return []
    const part = share(hits, total.hits)
    return [{ name, fill, share: part, value: percent(part), detail: counted(requests, 'distinct request') }]
  })
}

function exampleOf(group: GroupWithShare, replay: ReplayReport): ReportExample {
  const { event, method, format, field, kind, query, old, new: fresh, requests } = group
  return {
    title: `${[event, method, format, field].filter(Boolean).join(' ')}: ${explainKind(kind)}`,
    share: `${percent(group.share)} of the traffic, ${counted(requests, 'request')}`,
    ...{ query, old, new: fresh },
    hints: [...choicesFor(group), ...chanceOf(group, replay)],
  }
}

/** The choices that remove a cause. */
function choicesFor({ remedies }: GroupWithShare): string[] {
  const all = remedies.map(
    ({ choice, value }) => `${choice} = ${shorten(JSON.stringify(value), MAX_VALUE_LENGTH)}`,
  )
  if (all.length === 0) return []
  const lead = all.length === 1 ? 'Choice that removes it' : 'Choices that remove it together'
  return [`${lead}: ${all.join(', ')} (in the file of LEGACY_DIALECT)`]
}

/** If the old service changes the field in other requests, this difference may be chance. */
function chanceOf({ event, scope, field, kind }: GroupWithShare, { ignored }: ReplayReport): string[] {
  const changes = ignored.some(
    (noise) => noise.reason === 'learned' && noise.event === event && noise.field === field,
  )
  if (!changes || scope !== 'field' || kind !== 'value') return []
  const chance = `The old service changes ${field} by itself in other requests, so this may be chance.`
  // A service can make up names, and an operator may paste the option into a shell.
  return [/^\w+$/.test(field) ? `${chance} To ignore it, add --ignore ${field}.` : chance]
}

function ignoredTable(ignored: ReplayReport['ignored']): ReportTable {
  return {
    title: 'Ignored differences',
    columns: [
      ...[name('event'), name('field'), text('reason'), number('requests'), number('share of traffic')],
      ...[onPage(long('query')), long('old'), long('new')],
    ],
    rows: ignored.map(({ event, field, kind, reason, requests, share, query, old, new: fresh }) => [
      ...[event, field, kind === 'value' ? reason : `${reason}: ${explainKind(kind)}`],
      ...[count(requests), percent(share), `?${query}`, old, fresh],
    ]),
  }
}

function nextStepsAfter({ old, proven, total, tallies, groups, dialect }: ReplayReport): ReportStep[] {
  const { failed, left } = tallies
  const removable = groups.filter(({ remedies }) => remedies.length > 0)
  return [
    groups.length > 0 &&
      dialect === null && {
        text: 'Write a dialect that removes differences:',
        command: `lookup probe ${old} --write old.json`,
      },
    removable.length > 0 &&
      dialect !== null && {
        text: `Change the named choices in ${dialect}, restart the gateway, and replay again.`,
      },
    groups.length > removable.length &&
      dialect !== null && {
        text: 'Differences without a choice are mostly in the data: import the rows that are missing or have changed.',
      },
    failed.requests + left.requests > 0 && {
      text: 'Run the same command again: it sends the requests that failed or were not sent yet.',
    },
    total.requests === 0 && { text: 'Set the path of the old service with --path.' },
    proven && {
      text: 'Put the gateway in front of the old service, and compare live requests (CUTOVER_MIRROR). Then move the clients in steps: docs/migrate.md.',
    },
  ].filter((step) => step !== false)
}
