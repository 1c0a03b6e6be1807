// What a census says: of all, by the names of clients, and of each client. docs/census.md has its keys.

import type { LogSummary } from '../logs/account.ts'
import type { Asked } from './asked.ts'
import { type Days, dateOf, mondayOf } from './days.ts'
import { Activity, type Client, MAX_CLIENTS, type Tally } from './tally.ts'

/** Requests of the days from one on, none left out. */
interface Daily {
  /** `2026-11-22`, in UTC. */
  readonly from: string
  /** `3 0 5`: a text, since 20,000 lists of 400 numbers would take a gigabyte. */
  readonly requests: string
}

export interface AskedRow extends Asked {
  readonly requests: number
}

interface Row {
  readonly requests: number
  /** From 0 to 1, of all legacy requests. */
  readonly share: number
  /** ISO 8601; `null` where that is not known. */
  readonly firstSeen: string | null
  readonly lastSeen: string | null
  /** Up to ten versions. */
  readonly versions: readonly string[]
  /** `null` where no request has a time. */
  readonly daily: Daily | null
  /** The most frequent first. */
  readonly asked: readonly AskedRow[]
}

/** All clients of one name. */
export interface FamilyRow extends Row {
  /** Empty for clients without a User-Agent. */
  readonly family: string
  /** Those that are told apart. */
  readonly clients: number
}

export interface ClientRow extends Row {
  /** The address or its hash. Empty where the log does not say. */
  readonly client: string
  readonly family: string
  /** The site that its requests come from, by their Referer; empty where that is not known. */
  readonly origin: string
}

/** How many clients were there in a time, and what they asked. */
interface Period {
  /** The first day of it. */
  readonly from: string
  readonly requests: number
  readonly clients: number
}

export interface Census {
  readonly logs: readonly string[]
  readonly made: string
  /** Whether the logs were read to their end. */
  readonly complete: boolean
  readonly lines: number
  /** What became of the files, and of the lines that are not counted. */
  readonly log: LogSummary
  /** Where the legacy interface was looked for. */
  readonly paths: readonly string[]
  readonly requests: number
  /** Requests without a time that can be read: no day has them. */
  readonly requestsWithoutTime: number
  /** Requests of clients beyond those that are told apart. */
  readonly requestsOfOthers: number
  readonly maxClients: number
  readonly firstSeen: string | null
  readonly lastSeen: string | null
  /** From the first day to the last, those without requests included. */
  readonly days: readonly Period[]
  readonly weeks: readonly Period[]
  /** What is asked of all of them together. */
  readonly asked: readonly AskedRow[]
  readonly families: readonly FamilyRow[]
  readonly clients: readonly ClientRow[]
}

type Read = Pick<Census, 'logs' | 'complete' | 'lines' | 'log' | 'paths'>

/** @param shown returns what the report shows of an address */
export function reportOf(tally: Tally, read: Read, shown: (address: string) => string): Census {
  const families = new Map<string, { readonly activity: Activity; clients: number }>()
  const familyOf = (name: string) => {
    const family = families.get(name) ?? { activity: new Activity(), clients: 0 }
    families.set(name, family)
    return family
  }
  for (const { family, activity } of tally.clients) {
    familyOf(family).clients++
    familyOf(family).activity.addAll(activity)
  }
  let requestsOfOthers = 0
  for (const [name, activity] of tally.rest) {
    familyOf(name).activity.addAll(activity)
    requestsOfOthers += activity.requests
  }
  const all = new Activity()
  for (const { activity } of families.values()) all.addAll(activity)
  const rowOf = rowMaker(all.requests)
  return {
    ...read,
    made: new Date().toISOString(),
    requests: all.requests,
    requestsWithoutTime: tally.untimed,
    requestsOfOthers,
    maxClients: MAX_CLIENTS,
    firstSeen: timeOf(all.first),
    lastSeen: timeOf(all.last),
    ...periodsOf(all.days, tally.clients),
    asked: askedRows(all),
    families: mostFirst(
      [...families].map(([family, { activity, clients }]) => ({ family, clients, ...rowOf(activity) })),
    ),
    clients: mostFirst(
      tally.clients.map(({ address, family, origin, activity }) => ({
        client: address === '' ? '' : shown(address),
        family,
        origin,
        ...rowOf(activity),
      })),
    ),
  }
}

const versionOrder = new Intl.Collator('en', { numeric: true })

const mostFirst = <R extends { readonly requests: number }>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => b.requests - a.requests)

function rowMaker(all: number): (activity: Activity) => Row {
  return (activity) => ({
    requests: activity.requests,
    share: all === 0 ? 0 : activity.requests / all,
    firstSeen: timeOf(activity.first),
    lastSeen: timeOf(activity.last),
    versions: activity.versions.toSorted(versionOrder.compare),
    daily: dailyOf(activity.days),
    asked: askedRows(activity),
  })
}

function timeOf(time: number): string | null {
  return Number.isFinite(time) ? new Date(time).toISOString() : null
}

function dailyOf({ from, counts }: Days): Daily | null {
  return counts.length === 0 ? null : { from: dateOf(from), requests: counts.join(' ') }
}

function askedRows({ asked }: Activity): AskedRow[] {
  return mostFirst([...asked].map(([what, { requests }]) => ({ ...what, requests })))
}

/** Each client counts once for each day, and once for each week, that it has asked for anything in. */
function periodsOf(all: Days, clients: readonly Client[]) {
  if (all.counts.length === 0) return { days: [], weeks: [] }
  const monday = mondayOf(all.from)
  const active = new Uint32Array(all.counts.length)
  const activeWeeks = new Uint32Array(Math.ceil((all.end - monday) / 7))
  for (const { activity } of clients) {
    const { from, counts } = activity.days
    let week = -1
    for (let day = Math.max(from, all.from); day < from + counts.length; day++) {
      if (counts[day - from] === 0) continue
      increase(active, day - all.from)
      const at = Math.floor((day - monday) / 7)
      if (at !== week) increase(activeWeeks, at)
      week = at
    }
  }
  const period = (from: number, end: number, clients: number) => ({
    from: dateOf(from),
    requests: all.sum(from, end),
    clients,
  })
  return {
    days: [...active].map((clients, at) => period(all.from + at, all.from + at + 1, clients)),
    weeks: [...activeWeeks].map((clients, at) => period(monday + 7 * at, monday + 7 * at + 7, clients)),
  }
}

function increase(counts: Uint32Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1
}
