// A census as a report for people: the sentences, tables and next steps of the terminal and the page.

import { count, counted, percent, shorten } from '../../text.ts'
import { emptyFiles, logTables, otherPathsIn, unreadParts } from '../logs/account.ts'
import {
  long,
  minuteOf,
  name,
  number,
  onPage,
  type Report,
  type ReportTable,
  text,
  time,
  word,
} from '../report/report.ts'
import type { Census, ClientRow, FamilyRow } from './report.ts'

/** Kinds of requests in the row of a client, and characters of a site, which a client can make up. */
const MAX_KINDS = 5
const MAX_SITE_LENGTH = 60
/** Names in the advice. */
const MAX_NAMED = 5
/** Characters of a hash: enough to tell clients apart at a glance. */
const HASH_LENGTH = 11

export function presentCensus(census: Census): Report {
  const { requests, lines, clients, logs, made, log, days, weeks } = census
  const size = `${counted(requests, 'legacy request')} in ${counted(lines, 'line')}, from ${counted(clients.length, 'client')}`
  const chartOf = (periods: Census['days']) =>
    periods.map(({ from, clients, requests }) => ({ from, counts: [clients, requests] }))
  return {
    title: 'Census of legacy clients',
    verdict: verdictOn(census),
    facts: [
      ['logs', logs.join(', ')],
      ['counted', size],
      ['made', minuteOf(made)],
    ],
    notices: noticesOn(census),
    summary: { figures: figuresOf(census) },
    chart: {
      title: 'Clients over time',
      units: ['clients', 'requests'],
      days: chartOf(days),
      weeks: chartOf(weeks),
    },
    tables: [...tablesOf(census), ...logTables(log)],
    nextSteps: nextStepsAfter(census).map((text) => ({ text })),
  }
}

function verdictOn({ requests, clients, lastSeen }: Census): Report['verdict'] {
  if (requests === 0)
    return { kind: 'open', word: 'Nothing found', sentence: 'The logs have no legacy request.' }
  const last = lastSeen === null ? '' : ` The last request was on ${lastSeen.slice(0, 10)}.`
  const calls = counted(clients.length, 'client calls', 'clients call')
  return { kind: 'open', word: 'Still in use', sentence: `${calls} the legacy interface.${last}` }
}

function noticesOn(census: Census): string[] {
  const { requests, requestsWithoutTime, requestsOfOthers, maxClients, clients, log, complete } = census
  const hasAddresses = clients.some(({ client }) => client !== '')
  return [
    !complete && 'Interrupted: only part of the log was counted.',
    requests > 0 && !hasAddresses && 'The log has no client addresses: clients cannot be counted.',
    log.posted > 0 &&
      `${counted(log.posted, 'lookup was', 'lookups were')} sent by POST. The gateway refuses them.`,
    requestsWithoutTime > 0 &&
      `${counted(requestsWithoutTime, 'request has', 'requests have')} no readable time, or a time in the future. They count in no day, nor in first seen and last seen.`,
    requestsOfOthers > 0 &&
      `${counted(requestsOfOthers, 'request is', 'requests are')} from other clients: the census lists ${count(maxClients)} clients.`,
    ...unreadParts(log),
    ...emptyFiles(log),
    ...otherPathsIn(log, census.paths),
  ].filter((notice) => notice !== false)
}

/** Requests that the gateway as configured refuses. */
const refusedIn = ({ asked }: Census) =>
  asked.reduce((sum, { problem, requests }) => sum + (problem === '' ? 0 : requests), 0)

function figuresOf(census: Census) {
  const { requests, clients, families, days } = census
  const refused = refusedIn(census)
  const latest = days.at(-1)
  return [
    { name: 'clients', value: count(clients.length), detail: `of ${counted(families.length, 'name')}` },
    ...(latest === undefined
      ? []
      : [{ name: 'clients on the last day', value: count(latest.clients), detail: latest.from }]),
    { name: 'requests', value: count(requests), detail: `in ${counted(days.length, 'day')}` },
    {
      name: 'refused by the gateway as configured',
      value: percent(requests === 0 ? 0 : refused / requests),
      detail: counted(refused, 'request'),
    },
  ]
}

function nextStepsAfter(census: Census): string[] {
  if (census.requests === 0)
    return ['Check --path. Then count the logs of a longer period before you switch the old service off.']
  const most = census.families.slice(0, MAX_NAMED).map(nameOf).join(', ')
  return [
    ...(refusedIn(census) === 0
      ? []
      : ['Run "lookup probe" to find settings with which the gateway answers the requests that it refuses.']),
    `Ask the owners of these clients to move: ${most}.`,
    'Announce the end in response headers: LEGACY_DEPRECATION, LEGACY_SUNSET and LEGACY_SUNSET_LINK.',
    'Run the census again later: the chart shows how many clients are left.',
  ]
}

const activityColumns = [number('requests'), number('share'), time('first seen'), time('last seen')]
const activityCells = ({ requests, share, firstSeen, lastSeen }: FamilyRow | ClientRow) => [
  ...[count(requests), percent(share), firstSeen ?? '', lastSeen ?? ''],
]

function tablesOf({ families, clients }: Census): ReportTable[] {
  const kindColumns = ['name', 'event', 'method', 'format'].map(name)
  const kinds = families
    .flatMap((family) => family.asked.map((kind) => ({ ...kind, name: nameOf(family) })))
    .toSorted((a, b) => b.requests - a.requests)
  const cellsOf = ({ name, event, method, format }: (typeof kinds)[number]) => [name, event, method, format]
  return [
    {
      title: 'Clients by name',
      columns: [name('name'), onPage(name('versions')), number('clients'), ...activityColumns],
      rows: families.map((row) => [
        nameOf(row),
        row.versions.join(', '),
        count(row.clients),
        ...activityCells(row),
      ]),
    },
    {
      title: 'Requests',
      columns: [...kindColumns, number('requests')],
      rows: kinds
        .filter(({ problem }) => problem === '')
        .map((kind) => [...cellsOf(kind), count(kind.requests)]),
    },
    {
      title: 'Refused by the gateway as configured',
      columns: [...kindColumns, text('error'), number('requests')],
      rows: kinds
        .filter(({ problem }) => problem !== '')
        .map((kind) => [...cellsOf(kind), kind.problem, count(kind.requests)]),
    },
    {
      title: 'Clients',
      columns: [
        word('client'),
        name('name'),
        name('versions'),
        name('referring site'),
        onPage(long('requests sent')),
        ...activityColumns,
      ],
      rows: clients.map((row) => [
        clientOf(row),
        nameOf(row),
        row.versions.join(', '),
        shorten(row.origin, MAX_SITE_LENGTH),
        kindsOf(row),
        ...activityCells(row),
      ]),
    },
  ]
}

function kindsOf({ asked }: ClientRow): string {
  const all = asked.map(({ event, method, format, problem }) =>
    [event, method, format, problem].filter((word) => word !== '').join(' '),
  )
  const more = all.length - MAX_KINDS
  return [...all.slice(0, MAX_KINDS), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

const nameOf = ({ family }: FamilyRow | ClientRow) => family || '(no name)'

function clientOf({ client }: ClientRow): string {
  if (client === '') return '(no address)'
  return client.startsWith('#') ? client.slice(0, HASH_LENGTH) : client
}
