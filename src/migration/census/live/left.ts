// Who is left, of a census file: sums only, in memory that does not grow with the file. It is read in slices:
// processes that write to it never wait for long.

import { visible } from '../../../text.ts'
import { type CensusDatabase, kindOf, readCensusFile, refuseStrangers } from '../census-file.ts'
import { dateOf, MAX_DAYS } from '../days.ts'

/** Ids of clients that are read at a time. */
const SLICE = 1_000
/** Programs that are shown, and the days of each. */
const MAX_PROGRAMS = 15
const DAYS_SHOWN = 30
const MAX_NAME_LENGTH = 64

export interface Left {
  /** Clients that are told apart. */
  readonly clients: number
  readonly requests: number
  /** From the first to the last, those without requests included. */
  readonly days: readonly { readonly day: string; readonly clients: number; readonly requests: number }[]
  /** The most frequent first. */
  readonly programs: readonly Program[]
  /** How many more there are. */
  readonly more: number
}

export interface Program {
  /** The name of a User-Agent; empty where there is none. */
  readonly name: string
  readonly clients: number
  readonly requests: number
  readonly lastSeen: string
  /** Requests of each of the last days. */
  readonly lately: readonly number[]
}

interface Sum {
  clients: number
  requests: number
  last: number
  readonly lately: number[]
}

/** @returns `null` where there is no census yet. @throws UsageError, CensusFileError */
export function readLeft(file: string): Left | null {
  refuseStrangers(file)
  if (kindOf(file) !== 'census') return null
  const days = new Map<number, { clients: number; requests: number }>()
  const programs = new Map<string, Sum>()
  const today = Math.floor(Date.now() / 86_400_000)
  const dayOf = (day: number) => {
    const sum = days.get(day) ?? { clients: 0, requests: 0 }
    days.set(day, sum)
    return sum
  }
  let most = 0
  readCensusFile(file, (database) => {
    most = Number(database.prepare('SELECT max(id) AS most FROM client').get()?.most)
    for (const { day, clients } of rowsOf(database, `SELECT day, clients FROM forgotten WHERE unit = 'day'`))
      dayOf(Number(day)).clients += Number(clients)
  })
  for (let id = 1; id <= most; id += SLICE)
    readCensusFile(file, (database) => {
      const slice = `client.id BETWEEN ${id} AND ${id + SLICE - 1}`
      for (const { family, clients, last } of rowsOf(
        database,
        `SELECT family, sum(hash <> '') AS clients, max(last) AS last FROM client WHERE ${slice} GROUP BY family`,
      )) {
        const sum = programs.get(String(family)) ?? emptySum()
        programs.set(String(family), sum)
        sum.clients += Number(clients)
        sum.last = Math.max(sum.last, Number(last))
      }
      for (const { family, day, clients, requests } of rowsOf(
        database,
        `SELECT family, day, sum(hash <> '') AS clients, sum(requests) AS requests FROM day
          JOIN client ON client.id = day.client WHERE ${slice} GROUP BY family, day`,
      )) {
        const ofDay = dayOf(Number(day))
        ofDay.clients += Number(clients)
        ofDay.requests += Number(requests)
        const sum = programs.get(String(family))
        if (sum !== undefined) addDay(sum, today - Number(day), Number(requests))
      }
    })
  return summed(days, programs)
}

const emptySum = (): Sum => ({ clients: 0, requests: 0, last: 0, lately: [] })

function addDay(sum: Sum, daysAgo: number, requests: number): void {
  sum.requests += requests
  if (daysAgo < 0 || daysAgo >= DAYS_SHOWN) return
  while (sum.lately.length < DAYS_SHOWN) sum.lately.push(0)
  const at = DAYS_SHOWN - 1 - daysAgo
  sum.lately[at] = (sum.lately[at] ?? 0) + requests
}

function summed(
  days: ReadonlyMap<number, { readonly clients: number; readonly requests: number }>,
  programs: ReadonlyMap<string, Sum>,
): Left {
  const rows = [...programs].toSorted(([, a], [, b]) => b.requests - a.requests)
  const all = [...programs.values()]
  return {
    clients: all.reduce((sum, { clients }) => sum + clients, 0),
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    days: daysOf(days),
    programs: rows.slice(0, MAX_PROGRAMS).map(([name, { last, ...sum }]) => ({
      name: visible(name.slice(0, MAX_NAME_LENGTH)),
      lastSeen: new Date(last).toISOString(),
      ...sum,
    })),
    more: Math.max(rows.length - MAX_PROGRAMS, 0),
  }
}

function daysOf(days: ReadonlyMap<number, { readonly clients: number; readonly requests: number }>) {
  if (days.size === 0) return []
  const last = Math.max(...days.keys())
  const first = Math.max(Math.min(...days.keys()), last + 1 - MAX_DAYS)
  return Array.from({ length: last + 1 - first }, (_, at) => ({
    day: dateOf(first + at),
    ...(days.get(first + at) ?? { clients: 0, requests: 0 }),
  }))
}

const rowsOf = (database: CensusDatabase, query: string) => database.prepare(query).iterate()
