// The census as an HTML page.

import { barChart } from '../../pages/charts.ts'
import { figuresOf, verdict } from '../../pages/figures.ts'
import { type Html, html } from '../../pages/html.ts'
import { notice, page, section, timeOf } from '../../pages/page.ts'
import { type Column, tableOf } from '../../pages/table.ts'
import { count, counted, percent, shorten } from '../../text.ts'
import { logPart } from '../logs/describe.ts'
import { askedByName, nameOf, notesOf, shortName, summaryOf } from './print.ts'
import type { AskedRow, Census, ClientRow, FamilyRow } from './report.ts'

/** Days that have a bar each. The chart of a longer time has a bar for each week. */
const MAX_DAYS_SHOWN = 120
/** Rows of a table: those with most requests. `--json` has all. */
const MAX_ROWS = 200
/** Different requests in a client's row. */
const MAX_ASKED_SHOWN = 5
/** Characters of the referring site. A client can send any. */
const MAX_SITE_LENGTH = 60
/** Names in the advice, those with most requests first. */
const MAX_NAMED = 5

export function censusPage(census: Census): string {
  const { logs, made, complete, families, clients } = census
  return page(
    'Census of legacy clients',
    html`${verdictOf(census)}
${complete ? '' : notice('Interrupted: only part of the logs was counted.')}${notesOf(census).map(notice)}
<p class="facts">${summaryOf(census)}, counted ${timeOf(made)} in <code>${logs.join(', ')}</code>.</p>`,
    html`${section(
      'Summary',
      html`${keyFigures(census)}
${chartOf(census)}`,
    )}
${section('Next steps', nextSteps(census))}
${topRows('Clients by name', familyColumns, families)}
${topRows('Requests', askedColumns, askedByName(families))}
${topRows('Clients', clientColumns, clients)}
${logPart(census.log, census.paths)}`,
  )
}

function verdictOf({ requests, clients, lastSeen }: Census): Html {
  if (requests === 0) return verdict('open', 'Nothing found', 'The logs have no legacy request.')
  const last = lastSeen === null ? '' : ` The last request was on ${lastSeen.slice(0, 10)}.`
  const calls = clients.length === 1 ? 'calls' : 'call'
  return verdict(
    'open',
    'Still in use',
    `${counted(clients.length, 'client')} ${calls} the legacy interface.${last}`,
  )
}

/** Requests that get an error from the gateway with the settings in force. */
const refusedIn = ({ asked }: Census) =>
  asked.reduce((sum, { problem, requests }) => sum + (problem === '' ? 0 : requests), 0)

function keyFigures(census: Census): Html {
  const { requests, clients, families, days } = census
  const refused = refusedIn(census)
  const latest = days.at(-1)
  return figuresOf([
    { value: count(clients.length), name: 'clients', detail: `of ${counted(families.length, 'name')}` },
    ...(latest === undefined
      ? []
      : [{ value: count(latest.clients), name: 'clients on the last day', detail: latest.from }]),
    { value: count(requests), name: 'requests', detail: `in ${counted(days.length, 'day')}` },
    {
      value: percent(requests === 0 ? 0 : refused / requests),
      name: 'refused by the gateway as configured',
      detail: counted(refused, 'request'),
    },
  ])
}

function nextSteps(census: Census): Html {
  if (census.requests === 0)
    return html`<p>Check <code>--path</code>. Then count the logs of a longer period before you switch the old service off.</p>`
  const most = census.families.slice(0, MAX_NAMED).map(nameOf).join(', ')
  const refused = refusedIn(census) === 0 ? [] : [REFUSED]
  const steps = [...refused, `Ask the owners of these clients to move: ${most}.`, TELL, COUNT_AGAIN]
  return html`<ol>${steps.map((step) => html`<li>${step}</li>\n`)}</ol>`
}

const REFUSED =
  'See under “Requests” which requests the gateway refuses as configured. Settings may let it answer them: run "lookup probe".'
const TELL =
  'Announce the end in response headers: set LEGACY_DEPRECATION, LEGACY_SUNSET and LEGACY_SUNSET_LINK.'
const COUNT_AGAIN = 'Run the census again later: the chart shows how many clients are left.'

function chartOf({ days, weeks }: Census): Html {
  const inWeeks = days.length > MAX_DAYS_SHOWN
  return barChart({
    title: `Active clients per ${inWeeks ? 'week' : 'day'}`,
    label: inWeeks ? 'week of' : 'day',
    unit: 'clients',
    points: (inWeeks ? weeks : days).map(({ from, clients }) => ({ label: from, value: clients })),
  })
}

function topRows<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const more = rows.length - MAX_ROWS
  return section(
    title,
    html`${tableOf(title, columns, rows.slice(0, MAX_ROWS))}
${more > 0 ? html`<p>${counted(more, 'more row')}: see <code>--json FILE</code>.</p>` : ''}`,
  )
}

const seen: readonly Column<FamilyRow | ClientRow>[] = [
  { title: 'requests', cell: ({ requests }) => count(requests), number: true },
  { title: 'share', cell: ({ share }) => percent(share), number: true },
  { title: 'first seen', cell: ({ firstSeen }) => minute(firstSeen), kind: 'word' },
  { title: 'last seen', cell: ({ lastSeen }) => minute(lastSeen), kind: 'word' },
]

const familyColumns: readonly Column<FamilyRow>[] = [
  { title: 'name', cell: nameOf, kind: 'name' },
  { title: 'versions', cell: ({ versions }) => versions.join(', '), kind: 'name' },
  { title: 'clients', cell: ({ clients }) => count(clients), number: true },
  ...seen,
]

const clientColumns: readonly Column<ClientRow>[] = [
  { title: 'client', cell: (row) => html`<code>${shortName(row)}</code>`, kind: 'word' },
  { title: 'name', cell: nameOf, kind: 'name' },
  { title: 'versions', cell: ({ versions }) => versions.join(', '), kind: 'name' },
  { title: 'referring site', cell: ({ origin }) => shorten(origin, MAX_SITE_LENGTH), kind: 'name' },
  { title: 'requests sent', cell: ({ asked }) => asksOf(asked), kind: 'long' },
  ...seen,
]

const askedColumns: readonly Column<ReturnType<typeof askedByName>[number]>[] = [
  { title: 'name', cell: ({ name }) => name, kind: 'name' },
  { title: 'event', cell: ({ event }) => event, kind: 'name' },
  { title: 'method', cell: ({ method }) => method, kind: 'name' },
  { title: 'format', cell: ({ format }) => format, kind: 'name' },
  { title: 'requests', cell: ({ requests }) => count(requests), number: true },
  { title: 'error of the gateway as configured', cell: ({ problem }) => problem },
]

function asksOf(asked: readonly AskedRow[]): string {
  const all = asked.map(({ event, method, format, problem }) =>
    [event, method, format, problem].filter((word) => word !== '').join(' '),
  )
  const more = all.length - MAX_ASKED_SHOWN
  return [...all.slice(0, MAX_ASKED_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

const minute = (time: string | null) =>
  time === null ? '' : html`${time.slice(0, 10)}<br><small>${time.slice(11, 16)}</small>`
