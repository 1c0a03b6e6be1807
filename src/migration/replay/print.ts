import { cut, table } from '../../terminal/table.ts'
import { count, counted, percent } from '../../text.ts'
import { headline, lineCounts, verdictNames } from './labels.ts'
import { explainKind, type ReplayReport, share } from './report.ts'

/** Groups that are shown in a terminal; the other reports have all of them. */
const SHOWN_EXAMPLES = 20
/** Characters of an example. */
const MAX_SHOWN_LENGTH = 100

/** The report of a replay for a terminal. */
export function printReplay(report: ReplayReport): string {
  const { tallies, total, groups, failures } = report
  const verdicts = verdictNames
    .filter(([name]) => name !== 'left' || tallies.left.requests > 0)
    .map(([name, title]) => [
      title,
      count(tallies[name].requests),
      percent(share(tallies[name].hits, total.hits)),
    ])
  const lines = [
    `old  ${report.old}`,
    `new  ${report.new}`,
    lineCounts(report),
    '',
    ...table([['', 'requests', 'of the traffic'], ...verdicts]),
    '',
    ...groups
      .slice(0, SHOWN_EXAMPLES)
      .flatMap((group) => [
        `${percent(group.share)} of the traffic, ${counted(group.requests, 'request')}: ${cut([group.event, group.method, group.format, group.field].filter(Boolean).join(' '), MAX_SHOWN_LENGTH)} – ${explainKind(group.kind)}`,
        `  ?${cut(group.query, MAX_SHOWN_LENGTH)}`,
        `  old: ${cut(group.old, MAX_SHOWN_LENGTH)}`,
        `  new: ${cut(group.new, MAX_SHOWN_LENGTH)}`,
      ]),
    ...(groups.length > SHOWN_EXAMPLES
      ? [`… and ${count(groups.length - SHOWN_EXAMPLES)} more causes; --html or --json FILE has all of them.`]
      : []),
    ...failures.map(
      ({ reason, requests }) => `${count(requests)} not compared: ${cut(reason, MAX_SHOWN_LENGTH)}`,
    ),
    ...(groups.length + failures.length > 0 ? [''] : []),
    headline(report),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
