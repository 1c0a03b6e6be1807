// The census as a page of its own.

import { barChart } from '../../pages/charts.ts'
import { type Html, html } from '../../pages/html.ts'
import { page, section } from '../../pages/page.ts'
import { type Column, tableOf } from '../../pages/table.ts'
import { blocks, sparkline } from '../../terminal/sparkline.ts'
import { count, counted, percent } from '../../text.ts'
import { logPart } from '../access-log/describe.ts'
import { isInWeeks, numbersOf, type Span, seriesOf, spanOf } from './daily.ts'
import { askedByName, nameOf, notesOf, shortName, summaryOf } from './print.ts'
import type { AskedRow, Census, ClientRow, FamilyRow } from './report.ts'

/** Days that have a bar each; more are summed up by weeks. */
const MAX_DAYS_SHOWN = 120
/** Different things that a row names. */
const MAX_ASKED_SHOWN = 5
/** Characters of a line of blocks. */
const LINE_WIDTH = 30

export function censusPage(census: Census): string {
  const { logs, made, complete, families, clients } = census
  return page(
    'Census of legacy clients',
    html`<p>${summaryOf(census)}, counted ${made} in <code>${logs.join(', ')}</code>.
${complete ? '' : ' The count was interrupted: this is a part of them. '}${notesOf(census).join(' ')}</p>`,
    html`${section('Over time', chartsOf(census))}
${section('Clients by name', tableOf(familyColumns(census), families))}
${section('What is asked', tableOf(askedColumns, askedByName(families)))}
${section('Clients', tableOf(clientColumns(census), clients))}
${logPart(census.log, census.paths)}`,
  )
}

function chartsOf(census: Census): Html {
  const inWeeks = isInWeeks(census, MAX_DAYS_SHOWN)
  const [each, periods] = inWeeks ? (['week', census.weeks] as const) : (['day', census.days] as const)
  const label = inWeeks ? 'week of' : 'day'
  const points = (what: 'clients' | 'requests') =>
    periods.map((each) => ({ label: each.from, value: each[what] }))
  return html`${barChart({ title: `Active clients a ${each}`, label, unit: 'clients', points: points('clients') })}
${barChart({ title: `Requests a ${each}`, label, unit: 'requests', points: points('requests') })}`
}

const seen = <Row extends FamilyRow | ClientRow>(census: Census): readonly Column<Row>[] => {
  const span = spanOf(census)
  return [
    { title: 'requests', cell: ({ requests }) => count(requests), number: true },
    { title: 'share', cell: ({ share }) => percent(share), number: true },
    { title: 'first seen', cell: ({ firstSeen }) => minute(firstSeen) },
    { title: 'last seen', cell: ({ lastSeen }) => minute(lastSeen) },
    { title: 'requests a day', cell: (row) => lineOf(row, span) },
  ]
}

const familyColumns = (census: Census): readonly Column<FamilyRow>[] => [
  { title: 'name', cell: nameOf },
  { title: 'versions', cell: ({ versions }) => versions.join(', ') },
  { title: 'clients', cell: ({ clients }) => count(clients), number: true },
  ...seen<FamilyRow>(census),
]

const clientColumns = (census: Census): readonly Column<ClientRow>[] => [
  { title: 'client', cell: (row) => html`<code>${shortName(row)}</code>` },
  { title: 'name', cell: nameOf },
  { title: 'versions', cell: ({ versions }) => versions.join(', ') },
  { title: 'from the site', cell: ({ origin }) => origin },
  { title: 'asks', cell: ({ asked }) => asksOf(asked) },
  ...seen<ClientRow>(census),
]

const askedColumns: readonly Column<ReturnType<typeof askedByName>[number]>[] = [
  { title: 'name', cell: ({ name }) => name },
  { title: 'event', cell: ({ event }) => event },
  { title: 'method', cell: ({ method }) => method },
  { title: 'format', cell: ({ format }) => format },
  { title: 'requests', cell: ({ requests }) => count(requests), number: true },
  { title: 'error of the gateway, as it is set', cell: ({ problem }) => problem },
]

function asksOf(asked: readonly AskedRow[]): string {
  const all = asked.map(({ event, method, format, problem }) =>
    [event, method, format, problem].filter((word) => word !== '').join(' '),
  )
  const more = all.length - MAX_ASKED_SHOWN
  return [...all.slice(0, MAX_ASKED_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** Not a drawing: there may be 20,000 of them. */
function lineOf({ daily }: FamilyRow | ClientRow, span: Span): Html {
  if (daily === null) return html``
  const numbers = numbersOf(daily)
  const days = numbers.filter((requests) => requests > 0).length
  const said = `${counted(days, 'day')} with requests, ${count(Math.max(...numbers))} a day at most`
  return html`<span class="line" role="img" aria-label="${said}">${sparkline(seriesOf(daily, span), LINE_WIDTH, blocks)}</span>`
}

/** `2026-11-22 09:15` */
const minute = (time: string | null) => time?.slice(0, 16).replace('T', ' ') ?? ''
