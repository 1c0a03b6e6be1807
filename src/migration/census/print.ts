// The census for a terminal: the most frequent of everything, in lines of 100 characters.

import { type Blocks, sparkline } from '../../terminal/sparkline.ts'
import { tableWithin } from '../../terminal/table.ts'
import { count, counted, percent } from '../../text.ts'
import { describeLog } from '../access-log/describe.ts'
import { isInWeeks, seriesOf, spanOf } from './daily.ts'
import type { AskedRow, Census, ClientRow, FamilyRow } from './report.ts'

const WIDTH = 100
/** Rows of a table, and days or weeks. */
const MAX_ROWS = 20
const MAX_PERIODS = 12
/** Characters of a line of blocks, beside names, and of a bar. */
const LINE_WIDTH = 20
const SHORT_LINE_WIDTH = 14
const BAR_WIDTH = 20
/** Characters of a hash that are shown. */
const HASH_LENGTH = 11

export function printCensus(census: Census, blocks: Blocks): string {
  const { requests, complete, clients, families } = census
  const sections = [
    [`${summaryOf(census)}.`, ...notesOf(census), ...describeLog(census.log, census.paths)],
    ...(requests === 0
      ? []
      : [
          ['Clients by name', ...byName(census, blocks), ...moreThan(families.length)],
          ['Requests', ...whatTheyAsk(families)],
          ...refusals(families),
          ['Clients', ...byClient(census, blocks), ...moreThan(clients.length)],
          ...overTime(census, blocks),
        ]),
    ...(complete ? [] : [['Interrupted: only part of the log was counted.']]),
  ]
  return `${sections.map((section) => section.join('\n')).join('\n\n')}\n`
}

/** `4 legacy requests in 5 lines, from 3 clients` */
export function summaryOf({ requests, lines, clients }: Census): string {
  return `${counted(requests, 'legacy request')} in ${counted(lines, 'line')}, from ${counted(clients.length, 'client')}`
}

/** What one has to know to read the figures. */
export function notesOf({ requestsWithoutTime, requestsOfOthers, maxClients, log }: Census): string[] {
  const others = counted(requestsOfOthers, 'request is', 'requests are')
  const { posted } = log
  return [
    ...(posted > 0
      ? [`${counted(posted, 'lookup was', 'lookups were')} sent by POST. The gateway refuses them.`]
      : []),
    ...(requestsWithoutTime > 0
      ? [
          `${counted(requestsWithoutTime, 'request has', 'requests have')} no readable time, or a time in the future. They count in no day, nor in first seen and last seen.`,
        ]
      : []),
    ...(requestsOfOthers > 0
      ? [`${others} from other clients: the census lists ${count(maxClients)} clients.`]
      : []),
  ]
}

function moreThan(rows: number): string[] {
  return rows > MAX_ROWS
    ? [`… and ${count(rows - MAX_ROWS)} more. To see all, add --html FILE or --json FILE.`]
    : []
}

function byName(census: Census, blocks: Blocks): string[] {
  const span = spanOf(census)
  const rows = census.families
    .slice(0, MAX_ROWS)
    .map((row) => [
      nameOf(row),
      count(row.clients),
      count(row.requests),
      percent(row.share),
      day(row.firstSeen),
      day(row.lastSeen),
      sparkline(seriesOf(row.daily, span), LINE_WIDTH, blocks),
    ])
  const title = ['name', 'clients', 'requests', 'share', 'first seen', 'last seen', 'requests per day']
  return tableWithin(WIDTH, [title, ...rows], [0])
}

function whatTheyAsk(families: readonly FamilyRow[]): string[] {
  const all = askedByName(families).filter(({ problem }) => problem === '')
  const rows = all
    .slice(0, MAX_ROWS)
    .map(({ name, event, method, format, requests }) => [name, event, method, format, count(requests)])
  const title = ['name', 'event', 'method', 'format', 'requests']
  return [...tableWithin(WIDTH, [title, ...rows], [0, 1, 2, 3]), ...moreThan(all.length)]
}

/** What a client asks wrongly, it gets an error for: the old service may have answered it. */
function refusals(families: readonly FamilyRow[]): string[][] {
  const all = askedByName(families).filter(({ problem }) => problem !== '')
  if (all.length === 0) return []
  const rows = all
    .slice(0, MAX_ROWS)
    .map(({ name, event, method, problem, requests }) => [name, event, method, problem, count(requests)])
  const title = ['name', 'event', 'method', 'error', 'requests']
  const lines = tableWithin(WIDTH, [title, ...rows], [0, 1, 2])
  return [['Refused by the gateway as configured', ...lines, ...moreThan(all.length)]]
}

function byClient(census: Census, blocks: Blocks): string[] {
  const span = spanOf(census)
  const rows = census.clients
    .slice(0, MAX_ROWS)
    .map((row) => [
      shortName(row),
      versionedName(row),
      row.origin,
      count(row.requests),
      day(row.firstSeen),
      day(row.lastSeen),
      sparkline(seriesOf(row.daily, span), SHORT_LINE_WIDTH, blocks),
    ])
  const title = [
    'client',
    'name',
    'referring site',
    'requests',
    'first seen',
    'last seen',
    'requests per day',
  ]
  return tableWithin(WIDTH, [title, ...rows], [0, 1, 2])
}

/** How many clients are left: by day, or where there are many of these, by week. */
function overTime(census: Census, blocks: Blocks): string[][] {
  const inWeeks = isInWeeks(census, MAX_PERIODS)
  const all = inWeeks ? census.weeks : census.days
  if (all.length === 0) return []
  const shown = all.slice(-MAX_PERIODS)
  const most = Math.max(1, ...shown.map(({ clients }) => clients))
  const full = blocks.levels.at(-1) ?? ''
  const rows = shown.map(({ from, clients, requests }) => [
    from,
    count(clients),
    count(requests),
    full.repeat(Math.ceil((clients / most) * BAR_WIDTH)),
  ])
  const title = [inWeeks ? 'week of' : 'day', 'clients', 'requests', '']
  const hidden = all.length - shown.length
  const earlier =
    hidden > 0
      ? [`${counted(hidden, inWeeks ? 'earlier week' : 'earlier day')}: add --html FILE or --json FILE.`]
      : []
  return [['Clients over time', ...tableWithin(WIDTH, [title, ...rows], []), ...earlier]]
}

/** What the clients of each name ask, the most frequent first. */
export function askedByName(families: readonly FamilyRow[]): (AskedRow & { readonly name: string })[] {
  return families
    .flatMap((family) => family.asked.map((asked) => ({ ...asked, name: nameOf(family) })))
    .toSorted((a, b) => b.requests - a.requests)
}

export const nameOf = ({ family }: Pick<FamilyRow, 'family'>) => family || '(no name)'

/** With its version, where it has had one only. */
export function versionedName(row: ClientRow): string {
  const [version] = row.versions
  return row.versions.length === 1 ? `${nameOf(row)} ${version}` : nameOf(row)
}

/** No more of a hash than tells clients apart at a glance. */
export function shortName({ client }: ClientRow): string {
  if (client === '') return '(no address)'
  return client.startsWith('#') ? client.slice(0, HASH_LENGTH) : client
}

const day = (time: string | null) => time?.slice(0, 10) ?? ''
