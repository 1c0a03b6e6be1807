// What a probe found, as text: a table in comments, and settings, so that all of it is a valid `.env` file.

import { table } from '../../terminal/table.ts'
import { visible } from '../../text.ts'
import { envLine } from './env-file.ts'
import type { Judgement } from './judgements.ts'
import type { ProbeReport } from './report.ts'
import {
  clientNames,
  clients,
  headingOf,
  isAlike,
  meaningsTitle,
  nothingLeft,
  openingOf,
  othersOf,
  remarksOf,
  sectionsOf,
  stateOf,
} from './words.ts'

export function printProbe(report: ProbeReport): string {
  const sections = sectionsOf(report)
  const lines = [
    openingOf(report),
    '',
    ...tableOf(report),
    '',
    ...remarksOf(report),
    '',
    ...sections.flatMap(({ title, items }) => [
      title,
      ...items.map(({ name, line }) => `  ${name}: ${line}`),
      '',
    ]),
    ...meaningsOf(report),
    ...(report.rows.every(isAlike) ? [nothingLeft, ''] : []),
    headingOf(report),
    othersOf(report),
  ]
  const settings = Object.entries(report.advice).map(([name, value]) => `${envLine(name, value)}\n`)
  // No line of a comment may end early, and the rest become a setting.
  return lines.map((line) => `# ${visible(line)}`.trimEnd().concat('\n')).join('') + settings.join('')
}

function tableOf({ rows }: ProbeReport): string[] {
  const cells = rows.map((row) => [
    row.name,
    row.old ?? '',
    row.old === row.set ? '' : (row.set ?? ''),
    stateOf(row),
  ])
  return table([['behaviour', 'old service', 'gateway now', 'result'], ...cells])
}

function meaningsOf({ meanings }: ProbeReport): string[] {
  if (meanings.length === 0) return []
  const lines = meanings.flatMap((one) => [`  ${one.what}`, ...effectsOf(one)])
  return [meaningsTitle, ...lines, '']
}

/** A line for each effect, with the clients that have it. */
function effectsOf(judgement: Judgement): string[] {
  const byEffect = Map.groupBy(clientNames, (name) => judgement[name])
  return [...byEffect].map(
    ([effect, names]) => `    ${names.map((name) => clients[name]).join(', ')}: ${effect}`,
  )
}
