// The census for a terminal: the most frequent of everything, in lines of 100 characters.

import { tableWithin } from '../../terminal/table.ts'
import { count, counted, percent } from '../../text.ts'
import { describeLog } from '../logs/describe.ts'
import type { AskedRow, Census, ClientRow, FamilyRow } from './report.ts'

const WIDTH = 100
/** Rows of a table, and days or weeks. */
const MAX_ROWS = 20
const MAX_PERIODS = 12
/** Characters of the longest bar. */
const BAR_WIDTH = 20
/** Characters of a hash that are shown. */
const HASH_LENGTH = 11

/** @param block what bars are made of */
export function printCensus(census: Census, block: string): string {
  const { requests, complete, clients, families } = census
  const sections = [
    [`${summaryOf(census)}.`, ...notesOf(census), ...describeLog(census.log, census.paths)],
    ...(requests === 0
      ? []
      : [
          ['Clients by name', ...byName(families), ...moreThan(families.length)],
          ['Requests', ...whatTheyAsk(families)],
          ...refusals(families),
          ['Clients', ...byClient(clients), ...moreThan(clients.length)],
          ...overTime(census, block),
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
export function notesOf(census: Census): string[] {
  const { requests, requestsWithoutTime, requestsOfOthers, maxClients, clients, log } = census
  const others = counted(requestsOfOthers, 'request is', 'requests are')
  const { posted } = log
  return [
    ...(requests > 0 && clients.every(({ client }) => client === '')
      ? ['The log has no client addresses: clients cannot be counted.']
      : []),
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
  return rows > MAX_ROWS ? [`… and ${count(rows - MAX_ROWS)} more. To see all, add --json FILE.`] : []
}

function byName(families: readonly FamilyRow[]): string[] {
  const rows = families
    .slice(0, MAX_ROWS)
    .map((row) => [
      nameOf(row),
      count(row.clients),
      count(row.requests),
      percent(row.share),
      day(row.firstSeen),
      day(row.lastSeen),
    ])
  const title = ['name', 'clients', 'requests', 'share', 'first seen', 'last seen']
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

function byClient(clients: readonly ClientRow[]): string[] {
  const rows = clients
    .slice(0, MAX_ROWS)
    .map((row) => [
      shortName(row),
      versionedName(row),
      row.origin,
      count(row.requests),
      day(row.firstSeen),
      day(row.lastSeen),
    ])
  const title = ['client', 'name', 'referring site', 'requests', 'first seen', 'last seen']
  return tableWithin(WIDTH, [title, ...rows], [0, 1, 2])
}

/** Prints how many clients are left: by day, or by week if there are many days. */
function overTime({ days, weeks }: Census, block: string): string[][] {
  const inWeeks = days.length > MAX_PERIODS
  const all = inWeeks ? weeks : days
  if (all.length === 0) return []
  const shown = all.slice(-MAX_PERIODS)
  const most = Math.max(1, ...shown.map(({ clients }) => clients))
  const rows = shown.map(({ from, clients, requests }) => [
    from,
    count(clients),
    count(requests),
    block.repeat(Math.ceil((clients / most) * BAR_WIDTH)),
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

/** Adds the version if the client had one only. */
function versionedName(row: ClientRow): string {
  const [version] = row.versions
  return row.versions.length === 1 ? `${nameOf(row)} ${version}` : nameOf(row)
}

/** No more of a hash than tells clients apart at a glance. */
export function shortName({ client }: ClientRow): string {
  if (client === '') return '(no address)'
  return client.startsWith('#') ? client.slice(0, HASH_LENGTH) : client
}

const day = (time: string | null) => time?.slice(0, 10) ?? ''
