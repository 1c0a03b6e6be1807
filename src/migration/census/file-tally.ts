// A census file → the same tally that a log is counted in.

import { visible } from '../../text.ts'
import type { Asked } from './asked.ts'
import { type CensusDatabase, CensusFileError, readCensusFile } from './census-file.ts'
import type { Activity, Tally } from './tally.ts'

/** Adds a file up. @returns the ids of the keys that it was made with. @throws CensusFileError */
export function addCensusFile(file: string, tally: Tally, keepAsked: (asked: Asked) => Asked): string[] {
  const keys = new Set<string>()
  readCensusFile(file, (database) => {
    const activities = new Map<number, Activity>()
    for (const row of rowsOf(database, 'SELECT * FROM client')) {
      const hash = text(row.hash)
      const activity =
        hash === ''
          ? tally.restOf(text(row.family))
          : tally.of(hash, true, text(row.family), text(row.origin))
      if (hash !== '') keys.add(text(row.key))
      activity.first = Math.min(activity.first, number(row.first, MAX_TIME))
      activity.last = Math.max(activity.last, number(row.last, MAX_TIME))
      activities.set(Number(row.id), activity)
    }
    const of = (client: unknown) => activities.get(Number(client))
    for (const { client, day, requests } of rowsOf(database, 'SELECT * FROM day ORDER BY day'))
      of(client)?.days.add(number(day, MAX_DAY), number(requests, MAX_COUNT))
    for (const { client, version } of rowsOf(database, 'SELECT * FROM version'))
      of(client)?.addVersion(text(version))
    for (const { client, event, method, format, problem, requests } of rowsOf(
      database,
      'SELECT * FROM asked',
    )) {
      const asked = { event: text(event), method: text(method), format: text(format), problem: text(problem) }
      of(client)?.count(keepAsked(asked), number(requests, MAX_COUNT))
    }
    for (const { unit, day, clients } of rowsOf(database, 'SELECT * FROM forgotten')) {
      const forgotten = unit === 'day' ? tally.forgotten.days : tally.forgotten.weeks
      const at = number(day, MAX_DAY)
      forgotten.set(at, (forgotten.get(at) ?? 0) + number(clients, MAX_COUNT))
    }
  })
  return [...keys]
}

const rowsOf = (database: CensusDatabase, query: string) => database.prepare(query).iterate()

/** The file may be anyone's: what is shown of it is as harmless, and as short, as what gateways write. */
function number(value: unknown, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new CensusFileError(`A census file is damaged: ${text(value)} is not a valid number.`)
}

function text(value: unknown): string {
  return visible(String(value).slice(0, MAX_TEXT_LENGTH))
}

/** Far more than there will be: the year 2200, and what a day can have. */
const MAX_DAY = 84_000
const MAX_TIME = MAX_DAY * 86_400_000
const MAX_COUNT = 2 ** 40
/** Characters of the longest text that gateways write: an origin. */
const MAX_TEXT_LENGTH = 300
