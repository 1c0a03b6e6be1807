import type { ServerResponse } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import type { Clock } from '../../../src/clock.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { User } from '../../../src/data/users.ts'
import type { RecordedResponse } from '../../../src/legacy/dialect.ts'
import type { LookupMethod } from '../../../src/model.ts'
import type { Observation } from '../../../src/observe/events.ts'
import { openOldServiceStore } from '../../../src/stores/old-service/store.ts'
import type { ClientLookup, Item, Store } from '../../../src/stores/store.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { type Given, settingsOf } from '../../kit/dialect.ts'
import { type OldService, startOldService } from '../../kit/old-service.ts'

/** The kit's old service, until the end of the test. */
export async function startOld(...options: Parameters<typeof startOldService>): Promise<OldService> {
  const old = await startOldService(...options)
  onTestFinished(old.close)
  return old
}

export type Settings = Given

/** The dialect of a service that refuses lists with a missing value, and its reply. */
export const refusing = (json: RecordedResponse): Given => ({
  'read.missing': 'refuse',
  'errors.replies': { missingUser: { json }, missingApp: { json } },
})

/** A store over the old service at a URL, and what it observes. */
export function openOverOld(
  url: string,
  settings: Settings = {},
  { clock }: { readonly clock?: Clock } = {},
) {
  const observations: Observation[] = []
  const { database } = readConfig({ flags: settingsOf({ DATABASE_URL: url, ...settings }) })
  if (database.kind !== 'old-service') throw new Error(`${url} is not an old service`)
  const observe = (observation: Observation) => observations.push(observation)
  const store = openOldServiceStore(database, observe, clock)
  /** As `summaryOf` has it; if the whole query fails, its code. */
  const find = async (by: LookupMethod | 'APP', ...values: readonly string[]) => {
    try {
      return summaryOf(await (by === 'APP' ? store.findApps(values) : store.findUsers(by, values)))
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : String(error)
    }
  }
  return { store, find, observations, types: () => observations.map(({ type }) => type) }
}

/** Items in short: an id, `null`, or the code of a failure. */
export function summaryOf(items: readonly Item<{ readonly id: number }>[]): (number | string | null)[] {
  return items.map((item) => {
    if (item instanceof Error) return 'code' in item ? String(item.code) : item.message
    return item?.id ?? null
  })
}

/** A lookup of a client. */
export const ask = (...values: string[]): ClientLookup => ({ values, caller: null })

/** Looks up users by id for clients that share a query. `early` has those that do not wait for the others. */
export function share(store: Store, lookups: readonly ClientLookup[]) {
  const early = new Map<number, readonly Item<User>[]>()
  const nextRound = (answered: ReadonlyMap<number, readonly Item<User>[]>) => {
    for (const [question, items] of answered) early.set(question, items)
  }
  const values = lookups.flatMap((lookup) => lookup.values)
  return { early, found: store.findUsers('ID', values, { lookups, nextRound }) }
}

/** The values of a call. */
export function valuesIn(target: string): string[] {
  const list = /[?&](?:Users|Apps)=([^&]*)/.exec(target)?.[1] ?? ''
  return list.split(':').map(decodeURIComponent)
}

/** The response to a call for these values; `null` if the service has sent it itself. */
export type Respond = (
  values: readonly string[],
  response: ServerResponse,
  target: string,
) => string | Buffer | object | null

/** A service of a test's own. */
export async function serveAnswers(respond: Respond) {
  const service = await startAnswering(({ url = '' }, response) => {
    const body = respond(valuesIn(url), response, url)
    if (body !== null)
      response.end(typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body))
  })
  onTestFinished(service.close)
  return service
}

export const usersOf = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, userOf(id)]))

/** A service that has all users, and holds the calls that a test names until it lets them go. */
export async function serveHeld(
  holds: (values: readonly string[]) => boolean = () => true,
  respond: Respond = usersOf,
) {
  const held: (() => void)[] = []
  let isOpen = false
  let most = 0
  const service = await serveAnswers((values, response, target) => {
    if (isOpen || !holds(values)) return respond(values, response, target)
    held.push(() => {
      const body = respond(values, response, target)
      if (body !== null) response.end(JSON.stringify(body))
    })
    most = Math.max(most, held.length)
    return null
  })
  const letGo = () => {
    for (const answer of held.splice(0)) answer()
  }
  return {
    ...service,
    /** The most calls that were held at a time. */
    most: () => most,
    /** Waits until so many calls are held. */
    until: (count: number) => expect.poll(() => held.length, { interval: 2 }).toBe(count),
    letGo,
    /** From now on no call is held. */
    open: () => {
      isOpen = true
      letGo()
    },
  }
}

/** The texts of so many numbers. */
export const numbers = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => String(from + at))
