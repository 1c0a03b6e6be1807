// The report of a probe as a page of its own: how far the settings go, the settings, and then the details.

import { type Part, stackedBar, verdict } from '../../pages/figures.ts'
import { type Html, html } from '../../pages/html.ts'
import { markedPair } from '../../pages/mark.ts'
import { page, section, timeOf } from '../../pages/page.ts'
import { tableOf } from '../../pages/table.ts'
import { percent } from '../../text.ts'
import { envLine } from './env-file.ts'
import type { Judgement } from './judgements.ts'
import type { ProbeReport, ReportRow } from './report.ts'
import {
  clientNames,
  clients,
  headingOf,
  type Item,
  isAlike,
  meaningsTitle,
  nothingLeft,
  openingOf,
  remarksOf,
  sectionsOf,
  stateOf,
} from './words.ts'

export function htmlReport(report: ProbeReport): string {
  const { rows, meanings } = report
  return page(
    'Probe of an old service',
    html`${verdictOf(report)}
<p class="facts">${openingOf(report)} Created ${timeOf(report.made)}.</p>`,
    html`${section(
      'Summary',
      html`${barOf(rows)}
<ul>${remarksOf(report).map((remark) => html`<li>${remark}</li>\n`)}</ul>
${rows.every(isAlike) ? html`<p>${nothingLeft}</p>` : ''}`,
    )}
${section('Next steps', settingsOf(report))}
${sectionsOf(report).map(({ title, items }) => section(title, itemTable(title, items)))}
${meanings.length === 0 ? '' : section(meaningsTitle, meaningTable(meanings))}
${section(LOOKED_AT, rowTable(rows))}`,
  )
}

const LOOKED_AT = 'Tested behaviours'
const names = ['old', 'gateway'] as const

function verdictOf({ promise }: ProbeReport): Html {
  if (promise === 'closest')
    return verdict('wrong', 'Different', 'The settings come closest. The differences listed below remain.')
  const heading = headingOf({ promise }).replace(/:$/, '.')
  return promise === 'alike' ? verdict('good', 'Same', heading) : verdict('open', 'Partly the same', heading)
}

/** A behaviour is where it is worst: over data of the gateway's own, or with the old service as its store. */
function barOf(rows: readonly ReportRow[]): Html {
  const kindOf = ({ state, left, leftOverOld }: ReportRow) => {
    if (state === 'not asked') return 'left'
    const about = [left?.about, leftOverOld?.about]
    if (about.includes('meaning')) return 'other'
    if (about.includes('form')) return 'ignored'
    return state === 'same' ? 'same' : 'alike'
  }
  const kinds = [
    ['same', 'same'],
    ['alike', 'fixed by settings'],
    ['ignored', 'different form'],
    ['other', 'different meaning'],
    ['left', 'not tested'],
  ] as const
  const parts = kinds.flatMap(([fill, name]): Part[] => {
    const number = rows.filter((row) => kindOf(row) === fill).length
    if (number === 0 && fill === 'left') return []
    const share = rows.length === 0 ? 0 : number / rows.length
    return [{ name, fill, share, value: String(number), detail: percent(share) }]
  })
  return stackedBar(`${rows.length} behaviours, with the settings below`, parts)
}

function settingsOf(report: ProbeReport): Html {
  const lines = Object.entries(report.advice).map(([name, value]) => envLine(name, value))
  if (lines.length === 0) return html`<p>No setting is needed: the gateway is already set so.</p>`
  return html`<p>Set these, and leave all others as they are. <code>--write .env</code> writes them to a file.</p>
<pre tabindex="0" aria-label="Settings"><code>${lines.map((line) => html`${line}\n`)}</code></pre>
<p>Then replay an access log to compare the two services: <code>lookup replay</code>.</p>`
}

function itemTable(title: string, items: readonly Item[]): Html {
  return tableOf(
    title,
    [
      { title: 'behaviour', cell: ({ name }) => name },
      {
        title: 'difference',
        cell: ({ note, old, gateway }) =>
          html`${note === '' ? '' : html`<p class="faint">${note}</p>`}${markedPair({ names, old, new: gateway })}`,
        kind: 'long',
      },
    ],
    items,
  )
}

function meaningTable(meanings: readonly Judgement[]): Html {
  return tableOf(
    meaningsTitle,
    [
      { title: 'difference', cell: ({ what }: Judgement) => what },
      ...clientNames.map((name) => ({ title: clients[name], cell: (one: Judgement) => one[name] })),
    ],
    meanings,
  )
}

function rowTable(rows: readonly ReportRow[]): Html {
  return tableOf(
    LOOKED_AT,
    [
      { title: 'behaviour', cell: ({ name }) => name },
      {
        title: 'response',
        cell: ({ old, set }) =>
          old === null || set === null
            ? ''
            : old === set
              ? html`<dl class="pair"><dt>both</dt><dd><code>${old}</code></dd></dl>`
              : markedPair({ names, old, new: set }),
        kind: 'long',
      },
      { title: 'result', cell: (row) => stateOf(row) },
    ],
    rows,
  )
}
