import { cut, table } from '../../terminal/table.ts'
import { count, counted, percent } from '../../text.ts'
import { explainKind } from '../compare/difference.ts'
import { describeLog } from '../logs/describe.ts'
import {
  adviceFor,
  assumptionOf,
  chanceOf,
  describeRemedies,
  headline,
  latencyLine,
  lineCounts,
  verdictNames,
} from './labels.ts'
import { type ReplayReport, share } from './report.ts'

/** Groups that are shown in a terminal; the other reports have all of them. */
const SHOWN_EXAMPLES = 20
/** Characters of an example. */
const MAX_SHOWN_LENGTH = 100
/** Of one in a column. */
const MAX_COLUMN_LENGTH = 26

/** The report of a replay for a terminal. */
export function printReplay(report: ReplayReport): string {
  const { tallies, total, groups, failures } = report
  const verdicts = verdictNames(report).map(([name, title]) => [
    title,
    count(tallies[name].requests),
    percent(share(tallies[name].hits, total.hits)),
  ])
  const lines = [
    `old  ${report.old}`,
    `new  ${report.new}`,
    ...[lineCounts(report), latencyLine(report)].filter(Boolean),
    ...describeLog(report.log, report.paths),
    '',
    ...table([['', 'requests', 'share of traffic'], ...verdicts]),
    '',
    ...groups
      .slice(0, SHOWN_EXAMPLES)
      .flatMap((group) => [
        `${percent(group.share)} of the traffic, ${counted(group.requests, 'request')}: ${cut([group.event, group.method, group.format, group.field].filter(Boolean).join(' '), MAX_SHOWN_LENGTH)} – ${explainKind(group.kind)}`,
        `  ?${cut(group.query, MAX_SHOWN_LENGTH)}`,
        `  old: ${cut(group.old, MAX_SHOWN_LENGTH)}`,
        `  new: ${cut(group.new, MAX_SHOWN_LENGTH)}`,
        ...[describeRemedies(group), chanceOf(group, report)]
          .filter(Boolean)
          .map((hint) => `  ${cut(hint, 3 * MAX_SHOWN_LENGTH)}`),
      ]),
    ...(groups.length > SHOWN_EXAMPLES
      ? [
          `… and ${count(groups.length - SHOWN_EXAMPLES)} more causes. To see all, add --html FILE or --json FILE.`,
        ]
      : []),
    ...(groups.length > 0 ? [assumptionOf(report), adviceFor(report)] : []),
    ...failures.map(
      ({ reason, requests }) => `${count(requests)} not compared: ${cut(reason, MAX_SHOWN_LENGTH)}`,
    ),
    ...(groups.length + failures.length > 0 ? [''] : []),
    ...ignoredTable(report.ignored),
    headline(report),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function ignoredTable(rows: ReplayReport['ignored']): readonly string[] {
  if (rows.length === 0) return []
  const example = (text: string) => cut(text, MAX_COLUMN_LENGTH)
  const lines = rows
    .slice(0, SHOWN_EXAMPLES)
    .map((row) => [
      cut([row.event, row.field, row.kind === 'value' ? '' : row.kind].filter(Boolean).join(' '), 40),
      row.reason,
      count(row.requests),
      percent(row.share),
      example(row.old),
      example(row.new),
    ])
  const head = ['ignored', 'reason', 'requests', 'share of traffic', 'old', 'new']
  const more = rows.length - lines.length
  return [
    ...table([head, ...lines]),
    ...(more > 0 ? [`… and ${count(more)} more. To see all, add --html FILE or --json FILE.`] : []),
    '',
  ]
}
