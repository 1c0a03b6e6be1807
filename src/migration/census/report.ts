// A census as data: of all clients, of each name, and of each client. Its keys are those of the JSON report,
// and stay (docs/operate.md#upgrade).

import type { LogSummary } from '../logs/account.ts'
import { Activity, type CensusClients, DAY_MS, MAX_CLIENTS } from './clients.ts'

export type Census = ReturnType<typeof summarize>
export type FamilyRow = Census['families'][number]
export type ClientRow = Census['clients'][number]

/** @param show returns how the report shows an address */
export function summarize(
  clients: CensusClients,
  source: { readonly logs: readonly string[]; readonly paths: readonly string[]; readonly complete: boolean },
  log: LogSummary,
  show: (address: string) => string,
) {
  const families = new Map<string, { clients: number; readonly activity: Activity }>()
  const all = new Activity()
  const addTo = (family: string, clients: number, activity: Activity) => {
    const entry = families.get(family) ?? { clients: 0, activity: new Activity() }
    families.set(family, entry)
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
    versions: [...activity.versions].toSorted(versionOrder.compare),
    daily: dailyOf(activity),
    asked: kindsOf(activity),
  })
  return {
    ...source,
    made: new Date().toISOString(),
    lines: log.lines,
    log,
    requests: all.requests,
    requestsWithoutTime: clients.withoutTime,
    requestsOfOthers: all.requests - requestsOfList,
    maxClients: MAX_CLIENTS,
    firstSeen: timeOf(all.first),
    lastSeen: timeOf(all.last),
    days: periodsOf(all, clients, 1),
    weeks: periodsOf(all, clients, 7),
    asked: kindsOf(all),
    families: byRequests(
      [...families].map(([family, { clients, activity }]) => ({ family, clients, ...figuresOf(activity) })),
    ),
    clients: byRequests(
      clients.list.map(({ address, family, origin, activity }) => ({
        client: address === '' ? '' : show(address),
        family,
        origin,
        ...figuresOf(activity),
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
function dailyOf(activity: Activity) {
  const { from, counts } = activity.daily()
  return counts.length === 0 ? null : { from: dateOf(from), requests: counts.join(' ') }
}

/** `2026-11-22` */
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
/** The Monday of the week of a day: the first of January 1970 was a Thursday. */
const mondayOf = (day: number) => day - ((day + 3) % 7)

/**
 * Requests, and clients with a request, of each period from the first to the last.
 * @param length days of a period
 */
function periodsOf(all: Activity, { list }: CensusClients, length: 1 | 7) {
  const { from, counts } = all.daily()
  const first = length === 1 ? from : mondayOf(from)
  const indexOf = (day: number) => Math.floor((day - first) / length)
  const number = counts.length === 0 ? 0 : indexOf(from + counts.length - 1) + 1
  const requests = Array<number>(number).fill(0)
  const clients = Array<number>(number).fill(0)
  for (const [at, count] of counts.entries()) increase(requests, indexOf(from + at), count)
  for (const { activity } of list)
    for (const index of new Set(Array.from(activity.days.keys(), indexOf))) increase(clients, index, 1)
  return requests.map((count, at) => {
    return { from: dateOf(first + at * length), requests: count, clients: clients[at] ?? 0 }
  })
}

/** Older days than those of all clients have no period. */
function increase(counts: number[], at: number, by: number): void {
  const count = counts[at]
  if (count !== undefined) counts[at] = count + by
}
