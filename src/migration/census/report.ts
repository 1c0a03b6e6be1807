// A census as data: of all clients, of each name, and of each client. Its keys are those of the JSON report,
// and stay (docs/operate.md#upgrade).

import type { LogSummary } from '../logs/account.ts'
import { Activity, type DayCounts, dateOf, mondayOf } from './activity.ts'
import { type CensusClients, entryOf, MAX_CLIENTS } from './clients.ts'

export type Census = ReturnType<typeof summarize>
export type FamilyRow = Census['families'][number]
export type ClientRow = Census['clients'][number]

interface CensusSource {
  readonly logs: readonly string[]
  readonly complete: boolean
  readonly log: LogSummary
  readonly paths: readonly string[]
}

/** @param show returns how the report shows an address */
export function summarize(
  clients: CensusClients,
  { log, ...source }: CensusSource,
  show: (address: string) => string,
) {
  const families = new Map<string, { clients: number; readonly activity: Activity }>()
  const all = new Activity()
  const addTo = (family: string, clients: number, activity: Activity) => {
    const entry = entryOf(families, family, () => ({ clients: 0, activity: new Activity() }))
    entry.clients += clients
    entry.activity.addAll(activity)
    all.addAll(activity)
  }
  for (const { family, activity } of clients.list) addTo(family, 1, activity)
  const requestsOfList = all.requests
  for (const [family, activity] of clients.others) addTo(family, 0, activity)

  const figuresOf = (activity: Activity) => ({
    requests: activity.requests,
    share: all.requests === 0 ? 0 : activity.requests / all.requests,
    firstSeen: timeOf(activity.first),
    lastSeen: timeOf(activity.last),
    versions: activity.versions.toSorted(versionOrder.compare),
    daily: dailyOf(activity.days),
    asked: kindsOf(activity),
  })
  return {
    logs: source.logs,
    made: new Date().toISOString(),
    complete: source.complete,
    lines: log.lines,
    log,
    paths: source.paths,
    requests: all.requests,
    requestsWithoutTime: clients.withoutTime,
    requestsOfOthers: all.requests - requestsOfList,
    maxClients: MAX_CLIENTS,
    firstSeen: timeOf(all.first),
    lastSeen: timeOf(all.last),
    days: periodsOf(all.days, clients, 1),
    weeks: periodsOf(all.days, clients, 7),
    asked: kindsOf(all),
    families: byRequests(
      [...families].map(([family, { clients, activity }]) => ({ family, clients, ...figuresOf(activity) })),
    ),
    clients: byRequests(
      clients.list.map(({ address, family, origin, activity }) => ({
        client: address === '' ? '' : show(address),
        ...{ family, origin, ...figuresOf(activity) },
      })),
    ),
  }
}

const versionOrder = new Intl.Collator('en', { numeric: true })

/** The most frequent first. */
const byRequests = <Row extends { readonly requests: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => b.requests - a.requests)

const kindsOf = ({ kinds }: Activity) =>
  byRequests([...kinds].map(([kind, requests]) => ({ ...kind, requests })))

const timeOf = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString() : null)

/** The counts are a text, `3 0 5`: 20,000 lists of 400 numbers would take a gigabyte. */
function dailyOf({ from, counts }: DayCounts) {
  return counts.length === 0 ? null : { from: dateOf(from), requests: counts.join(' ') }
}

/**
 * Requests, and clients with a request, of each period from the first to the last.
 * @param length days of a period
 */
function periodsOf(all: DayCounts, { list }: CensusClients, length: 1 | 7) {
  const first = length === 1 ? all.from : mondayOf(all.from)
  const number = all.counts.length === 0 ? 0 : Math.ceil((all.end - first) / length)
  const periods = Array.from({ length: number }, (_, at) => {
    return { from: dateOf(first + at * length), requests: 0, clients: 0 }
  })
  const periodOf = (day: number) => periods[Math.floor((day - first) / length)]
  for (const [at, requests] of all.counts.entries()) {
    const period = periodOf(all.from + at)
    if (period !== undefined) period.requests += requests
  }
  for (const { activity } of list) {
    const { from, counts } = activity.days
    let last: (typeof periods)[number] | undefined
    for (let day = Math.max(from, all.from); day < activity.days.end; day++) {
      if (counts[day - from] === 0) continue
      const period = periodOf(day)
      if (period !== undefined && period !== last) period.clients++
      last = period
    }
  }
  return periods
}
