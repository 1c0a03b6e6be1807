// Who still calls the legacy interface, on the page for operators.

import { barChart } from '../../../pages/charts.ts'
import { type Html, html } from '../../../pages/html.ts'
import { tableOf } from '../../../pages/table.ts'
import { blocks, sparkline } from '../../../terminal/sparkline.ts'
import { count, counted } from '../../../text.ts'
import type { Left, Program } from './left.ts'
import { createLeftReader } from './left-reader.ts'

/** Days that have a bar each. */
const MAX_DAYS = 120
/** A bar of a single day would be as wide as the page. */
const LEAST_DAYS = 30
const LINE_WIDTH = 30
const DAY_MS = 86_400_000

/** @returns what makes the part; it reads the file again when it has grown old */
export function createCensusPart(): (file: string | null) => Promise<Html | null> {
  let known: { readonly file: string; readonly read: ReturnType<typeof createLeftReader> } | null = null
  return async (file) => {
    if (file === null) return null
    if (known?.file !== file) known = { file, read: createLeftReader(file) }
    const said = await known.read()
    if ('reason' in said) return html`<p class="bad">Cannot read the census: ${said.reason}</p>`
    if (said.left === null)
      return html`<p>No client was counted yet. The census file is written every minute.</p>`
    return bodyOf(said.left)
  }
}

function bodyOf({ clients, requests, days, programs, more }: Left): Html {
  const shown = [...before(days), ...days].slice(-MAX_DAYS)
  return html`<p>Clients of the legacy interface, from <code>CENSUS_FILE</code> (written every minute):
${counted(clients, 'client')}, ${counted(requests, 'request')}. <code>lookup census</code> shows more.
<code>docs/census.md</code> says what counts as a client.</p>
${barChart({
  title: 'Active clients per day',
  label: 'day',
  unit: 'clients',
  points: shown.map((one) => ({ label: one.day, value: one.clients })),
  withTable: false,
})}
${tableOf<Program>(
  'Who is left',
  [
    { title: 'name', cell: ({ name }) => (name === '' ? '(no name)' : name) },
    { title: 'clients', cell: (program) => count(program.clients), number: true },
    { title: 'requests', cell: (program) => count(program.requests), number: true },
    { title: 'last seen (UTC)', cell: ({ lastSeen }) => lastSeen.slice(0, 16).replace('T', ' ') },
    { title: 'requests per day, last 30 days', cell: ({ lately }) => lineOf(lately) },
  ],
  programs,
)}
${more > 0 ? html`<p>${counted(more, 'more name')}.</p>` : ''}`
}

/** The days before the first one, where they are few. */
function before(days: Left['days']): Left['days'] {
  const first = Date.parse(days[0]?.day ?? '')
  if (Number.isNaN(first)) return []
  const missing = Math.max(LEAST_DAYS - days.length, 0)
  return Array.from({ length: missing }, (_, at) => ({
    day: new Date(first - (missing - at) * DAY_MS).toISOString().slice(0, 10),
    clients: 0,
    requests: 0,
  }))
}

function lineOf(lately: readonly number[]): Html {
  const days = lately.filter((requests) => requests > 0).length
  const said = `${counted(days, 'day')} with requests, ${count(Math.max(0, ...lately))} per day at most`
  return html`<span class="line" role="img" aria-label="${said}">${sparkline(lately, LINE_WIDTH, blocks)}</span>`
}
