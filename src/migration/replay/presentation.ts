// A replay as a report for people: the sentences, tables and next steps of the terminal and the page. Wording
// and order may change. The verdict must not: an operator moves clients by it, and `proven` of report.ts
// decides it together with the exit status. Programs read report.ts as JSON.

import type { BarPart, BarPattern } from '../../pages/figures.ts'
import { count, counted, percent, shorten } from '../../text.ts'
import { explainKind } from '../compare/difference.ts'
import { emptyFiles, logTables } from '../logs/account.ts'
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
import type { ReplayReport } from './report.ts'
import type { ReplayVerdict } from './results.ts'

/** Characters of the value of a choice, and of the reason of a failure. */
const MAX_VALUE_LENGTH = 200
const MAX_REASON_LENGTH = 100

export function presentReplay(replay: ReplayReport): Report {
  const { groups, log, total, dialect, failures, latency } = replay
  const { old, new: fresh } = latency
  const gateway = dialect === null ? 'without LEGACY_DIALECT' : `with LEGACY_DIALECT=${dialect}`
  const requests = counted(total.hits, 'legacy request')
  return {
    title: 'Replay of legacy requests',
    verdict: verdictOn(replay),
    facts: [
      ['old service', replay.old],
      ['new service', replay.new],
      ['logs', replay.logs.join(', ')],
      ['requests', `${requests} in the logs, ${count(total.requests)} distinct`],
      ...(old === null || fresh === null
        ? []
        : [['latency', `old ${millisecondsOf(old)}; new ${millisecondsOf(fresh)}`] as const]),
      ...(replay.noise === '' ? [] : [['options', replay.noise] as const]),
      ['reported', minuteOf(replay.made)],
    ],
    notices: [
      ...emptyFiles(log),
      ...failures.map(
        (failure) => `${count(failure.requests)} not compared: ${shorten(failure.reason, MAX_REASON_LENGTH)}`,
      ),
    ],
    summary: { title: 'Share of traffic', parts: partsOf(replay) },
    notes: groups.length === 0 ? [] : [`Choices are for a gateway ${gateway}.`],
    examples: { title: 'Differences in meaning, by cause', all: groups.map(exampleOf) },
    tables: [ignoredTable(replay.ignored), ...logTables(log)],
    nextSteps: nextStepsAfter(replay),
  }
}

const millisecondsOf = ({ p50, p99 }: { readonly p50: number; readonly p99: number }) =>
  `${count(p50)} ms (p50), ${count(p99)} ms (p99)`

function verdictOn({ proven, total, tallies, ignored, gaps }: ReplayReport): Report['verdict'] {
  const { requests, hits } = tallies.different
  if (total.requests === 0) {
    const nothing = 'Nothing to compare: the log has no legacy request. Check --path.'
    return { kind: 'open', word: 'Nothing compared', sentence: [nothing, ...gaps].join(' ') }
  }
  if (proven) {
    const all = total.requests === 1 ? 'the only request' : `all ${count(total.requests)} distinct requests`
    const but = ignored.length === 0 ? '' : ', except for ignored differences'
    return { kind: 'good', word: 'Same meaning', sentence: `The responses to ${all} mean the same${but}.` }
  }
  const found =
    requests === 0
      ? 'No response differs in meaning so far.'
      : `The responses to ${count(requests)} of ${counted(total.requests, 'distinct request')} differ in meaning: ${percent(hits / total.hits)} of the traffic.`
  const isWhole = gaps.length === 0 && tallies.failed.requests === 0
  const rest = ['This is a partial report: not all requests have been compared.', ...gaps]
  const sentence = [found, ...(isWhole ? [] : rest)].join(' ')
  return requests > 0
    ? { kind: 'wrong', word: 'Different', sentence }
    : { kind: 'open', word: 'Incomplete', sentence }
}

const verdicts: readonly (readonly [ReplayVerdict, name: string, BarPattern])[] = [
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
    const share = total.hits === 0 ? 0 : hits / total.hits
    return [{ name, fill, share, value: percent(share), detail: counted(requests, 'distinct request') }]
  })
}

function exampleOf(group: ReplayReport['groups'][number]): ReportExample {
  const { event, method, format, field, kind, query, old, new: fresh, requests, remedies } = group
  const choices = remedies.map(
    ({ choice, value }) => `${choice} = ${shorten(JSON.stringify(value), MAX_VALUE_LENGTH)}`,
  )
  const lead = choices.length === 1 ? 'Choice that removes it' : 'Choices that remove it together'
  return {
    title: `${[event, method, format, field].filter(Boolean).join(' ')}: ${explainKind(kind)}`,
    share: `${percent(group.share)} of the traffic, ${counted(requests, 'request')}`,
    ...{ query, old, new: fresh },
    hints: choices.length === 0 ? [] : [`${lead}: ${choices.join(', ')} (in the file of LEGACY_DIALECT)`],
  }
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

function nextStepsAfter({ old, proven, tallies, groups, dialect }: ReplayReport): ReportStep[] {
  const removable = groups.filter(({ remedies }) => remedies.length > 0).length
  const when = (isNeeded: boolean, text: string) => (isNeeded ? [{ text }] : [])
  const probe = {
    text: 'Write a dialect that removes differences:',
    command: `lookup probe ${old} --write old.json`,
  }
  return [
    ...(groups.length > 0 && dialect === null ? [probe] : []),
    ...when(
      removable > 0 && dialect !== null,
      `Change the named choices in ${dialect}, restart the gateway, and replay again.`,
    ),
    ...when(
      groups.length > removable && dialect !== null,
      'Differences without a choice are mostly in the data: import the rows that are missing or have changed.',
    ),
    ...when(
      tallies.failed.requests + tallies.left.requests > 0,
      'Run the same command again: it sends the requests that failed or were not sent yet.',
    ),
    ...when(
      proven,
      'Put the gateway in front of the old service, and compare live requests (CUTOVER_MIRROR). Then move the clients in steps: docs/migrate.md.',
    ),
  ]
}
