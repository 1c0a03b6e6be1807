// The census as a page of its own.

import { barChart } from '../../pages/charts.ts'
import { figuresOf, verdict } from '../../pages/figures.ts'
import { type Html, html } from '../../pages/html.ts'
import { notice, page, section, timeOf } from '../../pages/page.ts'
import { type Column, tableOf } from '../../pages/table.ts'
import { blocks, sparkline } from '../../terminal/sparkline.ts'
import { count, counted, percent, shorten } from '../../text.ts'
import { logPart } from '../access-log/describe.ts'
import { isInWeeks, numbersOf, type Span, seriesOf, spanOf } from './daily.ts'
import { askedByName, nameOf, notesOf, shortName, summaryOf } from './print.ts'
import type { AskedRow, Census, ClientRow, FamilyRow } from './report.ts'

/** Days that have a bar each; more are summed up by weeks. */
const MAX_DAYS_SHOWN = 120
/** Different things that a row names. */
const MAX_ASKED_SHOWN = 5
/** Rows of what is asked: there may be thirty for each of 20,000 names. */
const MAX_ASKED_ROWS = 5_000
/**
 * Characters of a name or a site, of all versions of a client, and of what it asks: in a page of 20,000 clients,
 * all of it would be longer than a text may be. `--json` has all.
 */
const MAX_NAME_LENGTH = 60
const MAX_VERSIONS_LENGTH = 100
const MAX_ASKS_LENGTH = 250
/** Characters of a line of blocks. */
const LINE_WIDTH = 30

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
${chartsOf(census)}`,
    )}
${section('Next steps', nextSteps(census))}
${section('Clients by name', tableOf('Clients by name', familyColumns(census), families))}
${section('Requests', askedTable(families))}
${section('Clients', tableOf('Clients', clientColumns(census), clients))}
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
  const most = census.families
    .slice(0, MAX_NAMED)
    .map((family) => cut(nameOf(family)))
    .join(', ')
  const refused = refusedIn(census) === 0 ? [] : [REFUSED]
  const steps = [...refused, `Ask the owners of these clients to move: ${most}.`, TELL, COUNT_AGAIN]
  return html`<ol>${steps.map((step) => html`<li>${step}</li>\n`)}</ol>`
}

/** Names of clients that are listed, those with most requests first. */
const MAX_NAMED = 5
const REFUSED =
  'See under “Requests” which requests the gateway refuses as configured. Settings may let it answer them: run "lookup probe".'
const TELL =
  'Announce the end in response headers: set LEGACY_DEPRECATION, LEGACY_SUNSET and LEGACY_SUNSET_LINK.'
const COUNT_AGAIN = 'Run the census again later: the charts show how many clients are left.'

function chartsOf(census: Census): Html {
  const inWeeks = isInWeeks(census, MAX_DAYS_SHOWN)
  const [each, periods] = inWeeks ? (['week', census.weeks] as const) : (['day', census.days] as const)
  const label = inWeeks ? 'week of' : 'day'
  const points = (what: 'clients' | 'requests') =>
    periods.map((each) => ({ label: each.from, value: each[what] }))
  return html`${barChart({ title: `Active clients per ${each}`, label, unit: 'clients', points: points('clients') })}
${barChart({ title: `Requests per ${each}`, label, unit: 'requests', points: points('requests') })}`
}

const seen = <Row extends FamilyRow | ClientRow>(census: Census): readonly Column<Row>[] => {
  const span = spanOf(census)
  return [
    { title: 'requests', cell: ({ requests }) => count(requests), number: true },
    { title: 'share', cell: ({ share }) => percent(share), number: true },
    { title: 'first seen', cell: ({ firstSeen }) => minute(firstSeen), kind: 'word' },
    { title: 'last seen', cell: ({ lastSeen }) => minute(lastSeen), kind: 'word' },
    { title: 'requests per day', cell: (row) => lineOf(row, span), kind: 'screen' },
  ]
}

const familyColumns = (census: Census): readonly Column<FamilyRow>[] => [
  { title: 'name', cell: (row) => cut(nameOf(row)), kind: 'name' },
  { title: 'versions', cell: ({ versions }) => cut(versions.join(', '), MAX_VERSIONS_LENGTH), kind: 'name' },
  { title: 'clients', cell: ({ clients }) => count(clients), number: true },
  ...seen<FamilyRow>(census),
]

const clientColumns = (census: Census): readonly Column<ClientRow>[] => [
  { title: 'client', cell: (row) => html`<code>${shortName(row)}</code>`, kind: 'word' },
  { title: 'name', cell: (row) => cut(nameOf(row)), kind: 'name' },
  { title: 'versions', cell: ({ versions }) => cut(versions.join(', '), MAX_VERSIONS_LENGTH), kind: 'name' },
  { title: 'referring site', cell: ({ origin }) => cut(origin), kind: 'name' },
  { title: 'requests sent', cell: ({ asked }) => asksOf(asked), kind: 'long' },
  ...seen<ClientRow>(census),
]

const askedColumns: readonly Column<ReturnType<typeof askedByName>[number]>[] = [
  { title: 'name', cell: ({ name }) => cut(name), kind: 'name' },
  { title: 'event', cell: ({ event }) => event, kind: 'name' },
  { title: 'method', cell: ({ method }) => method, kind: 'name' },
  { title: 'format', cell: ({ format }) => format, kind: 'name' },
  { title: 'requests', cell: ({ requests }) => count(requests), number: true },
  { title: 'error of the gateway as configured', cell: ({ problem }) => problem },
]

function askedTable(families: readonly FamilyRow[]): Html {
  const rows = askedByName(families)
  const more = rows.length - MAX_ASKED_ROWS
  return html`${tableOf('Requests', askedColumns, rows.slice(0, MAX_ASKED_ROWS))}
${more > 0 ? html`<p>${counted(more, 'more row')}: see <code>--json FILE</code>.</p>` : ''}`
}

const cut = (text: string, length = MAX_NAME_LENGTH) => shorten(text, length)

function asksOf(asked: readonly AskedRow[]): string {
  const all = asked.map(({ event, method, format, problem }) =>
    [event, method, format, problem].filter((word) => word !== '').join(' '),
  )
  const more = all.length - MAX_ASKED_SHOWN
  const shown = cut(all.slice(0, MAX_ASKED_SHOWN).join(', '), MAX_ASKS_LENGTH)
  return more > 0 ? `${shown}, ${more} more` : shown
}

/** Not a drawing: there may be 20,000 of them. */
function lineOf({ daily }: FamilyRow | ClientRow, span: Span): Html {
  if (daily === null) return html``
  const numbers = numbersOf(daily)
  const days = numbers.filter((requests) => requests > 0).length
  const said = `${counted(days, 'day')} with requests, ${count(Math.max(...numbers))} per day at most`
  return html`<span class="line" role="img" aria-label="${said}">${sparkline(seriesOf(daily, span), LINE_WIDTH, blocks)}</span>`
}

const minute = (time: string | null) =>
  time === null ? '' : html`${time.slice(0, 10)}<br><small>${time.slice(11, 16)}</small>`
