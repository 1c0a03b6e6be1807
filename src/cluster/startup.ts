// Steps of a start: open the database, listen, welcome the operator.

import { fileURLToPath } from 'node:url'
import { pause } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { SqliteLocation } from '../config/database.ts'
import { MAX_SHADOW_RATE } from '../config/settings.ts'
import type { Listener } from '../http/server.ts'
import type { Observe } from '../observe/events.ts'
import { ownFile } from '../own-file.ts'
import { isMissing, missingDatabase, nameOf, unusableDatabase } from '../stores/database-errors.ts'
import { watchEmptiness } from '../stores/emptiness.ts'
import { openLiveStore } from '../stores/live-store.ts'
import type { Store } from '../stores/store.ts'
import { CommandError } from '../terminal/command-error.ts'

/** Milliseconds that an old service has for its first response, before it is reported as down. */
const OLD_SERVICE_MS = 2_000

export interface Database {
  readonly store: Store
  readonly name: () => string
  /** Whether lookups can be answered now. */
  readonly isReady: () => Promise<boolean>
  /** The tables without a row, and what to do; `null` for none. */
  readonly whatIsEmpty: () => Promise<string | null>
  /** The name, and what is wrong with the database. */
  readonly describe: () => Promise<string>
  /** Opens the database of other settings in its place. @throws CommandError; the previous one stays */
  readonly exchange: (config: Config) => Promise<void>
}

/** Opens the database. If there is none and the operator chose none, makes it with sample data. */
export async function openDatabase(config: Config, observe: Observe): Promise<Database> {
  let { database } = config
  const sample = isMissing(database) ? database : null
  if (sample !== null && config.databaseChosen) throw missingDatabase(database)
  if (sample !== null) await makeSample(sample)
  const live = await openLiveStore(database, observe).catch((error: unknown) => {
    throw unusableDatabase(database, error)
  })
  const { store } = live
  let whatIsEmpty = watchEmptiness(store, nameOf(database), observe)

  const isReady = async () => {
    try {
      await store.ready()
      return true
    } catch {
      return false
    }
  }

  /** An old service is opened without a request: it may be down, or be something else. */
  async function whatIsDown(): Promise<string | null> {
    if (database.kind !== 'old-service') return null
    const state = await Promise.race([isReady(), pause(OLD_SERVICE_MS)])
    const problem =
      state === undefined
        ? 'it has not answered a lookup for 2 s'
        : 'a lookup failed ("store-failed" in the log)'
    return state === true ? null : `${problem}. Check DATABASE_URL and the old service.`
  }

  return {
    store,
    name: () => nameOf(database),
    isReady,
    whatIsEmpty: () => whatIsEmpty(),
    describe: async () => {
      if (sample !== null) return `${sample.path}, just made with sample data`
      const problem = (await whatIsEmpty()) ?? (await whatIsDown())
      return problem === null ? nameOf(database) : `${nameOf(database)}: ${problem}`
    },
    exchange: async ({ database: next }) => {
      // The store uses the dialect of the start, as the rest of the process does.
      const location = next.kind === 'old-service' ? { ...next, dialect: config.dialect } : next
      await live.exchange(location).catch((error: unknown) => {
        throw unusableDatabase(location, error)
      })
      database = location
      whatIsEmpty = watchEmptiness(store, nameOf(database), observe)
    },
  }
}

async function makeSample(database: SqliteLocation): Promise<void> {
  const { importFile } = await import('../data/import/import-file.ts')
  const { relations } = await import('../data/relations.ts')
  for (const relation of Object.values(relations)) {
    const file = fileURLToPath(ownFile(`src/data/sample/${relation.name}.jsonl`))
    const request = { database, relation, file, format: 'jsonl', replace: false, rejects: null } as const
    const { committed, problems } = await importFile({ ...request, onProgress: () => {} }).catch(
      (error: unknown) => {
        throw unusableDatabase(database, error)
      },
    )
    if (!committed) throw new Error(`the sample data is invalid: ${JSON.stringify(problems)}`)
  }
}

/** What to do about an error code of Node, with the settings of the port and of the address. */
const advice: Readonly<Record<string, (port: string, host: string) => string>> = {
  EADDRINUSE: (port) =>
    `the port is already in use. Stop the program that uses it, or choose another ${port}.`,
  EACCES: (port) => `this user has no right to the port. Choose another ${port}, above 1023.`,
  EADDRNOTAVAIL: (_, host) => `this machine does not have the address. Choose another ${host}.`,
  ENOTFOUND: (_, host) => `the name has no address. Choose another ${host}.`,
}

/** @throws CommandError that says what to change if a port or an address cannot be listened on */
export async function listenOrExplain(
  setting: 'PORT' | 'ADMIN_PORT',
  start: () => Promise<Listener>,
): Promise<Listener> {
  try {
    return await start()
  } catch (error) {
    const { message, code = '' }: NodeJS.ErrnoException =
      error instanceof Error ? error : new Error(String(error))
    const host = setting.replace('PORT', 'HOST')
    const explained = advice[code]?.(setting, host) ?? `check ${setting} and ${host}.`
    throw new CommandError(`Cannot listen (${message}): ${explained}`)
  }
}

/**
 * The text on standard output once the gateway has started.
 * @param adminUrl `null` without an admin port
 * @param data the name of the database, and what is wrong with it
 */
export function welcome(config: Config, url: string, adminUrl: string | null, data: string): string {
  const { graphiql, explorer, shadow, cutover, accessLog } = config
  const percent = (share: number) => `${Number((share * 100).toPrecision(6))} %`
  const compared = `${percent(shadow.sample)} of the answers, ${MAX_SHADOW_RATE} a second at most`
  const rows: readonly (readonly [string, string | false])[] = [
    ['Legacy JSON', `${url}/?Event=ProfileLookup&Users=1:2:3`],
    ['Legacy XML', `${url}/?Event=ProfileLookup&Users=1:2:3&Format=XML`],
    [graphiql ? 'GraphiQL' : 'GraphQL', `${url}/graphql`],
    ['Explorer', explorer && `${url}/`],
    ['Operations', adminUrl !== null && `${adminUrl}/`],
    ['Readiness', adminUrl !== null && `${adminUrl}/ready`],
    [
      'Compared',
      shadow.url !== null &&
        `with ${shadow.url}: ${shadow.sample === 0 ? 'none of the answers, see SHADOW_SAMPLE' : compared}`,
    ],
    [
      'Passed on',
      cutover.url !== null && `to ${cutover.url}: all legacy clients but ${percent(cutover.share)}`,
    ],
    ['Access log', accessLog === '-' ? 'standard output' : (accessLog ?? false)],
    ['Data', data],
  ]
  const table = rows
    .filter(([, value]) => value !== false)
    .map(([name, value]) => `  ${name.padEnd(12)} ${value}`)
    .join('\n')
  return `Lookup Service is running. Ctrl+C stops it.\n\n${table}\n\n`
}
