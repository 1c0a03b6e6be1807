// Steps of a start: open the database, listen, welcome the operator.

import { fileURLToPath } from 'node:url'
import { pause } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { DatabaseLocation, SqliteLocation } from '../config/database.ts'
import { MAX_SHADOW_RATE } from '../config/settings.ts'
import { LookupError } from '../errors.ts'
import { type Listener, listen } from '../http/server.ts'
import type { Observe } from '../observe/events.ts'
import { ownFile } from '../own-file.ts'
import { isMissing, missingDatabase, nameOf, unusableDatabase } from '../stores/database-errors.ts'
import { openLiveStore } from '../stores/live-store.ts'
import { watchEmptiness } from '../stores/state.ts'
import { UnusableDatabase } from '../stores/store.ts'
import { CommandError, UsageError } from '../terminal/command-error.ts'

/** Milliseconds after which an old service without a first response is reported as down. */
const OLD_SERVICE_MS = 2_000

export type Database = Awaited<ReturnType<typeof openDatabase>>

/**
 * Opens the database. If the default file is missing, makes it with sample data.
 * @throws CommandError
 */
export async function openDatabase(config: Config, observe: Observe) {
  let { database } = config
  if (!config.databaseChosen) refuseMigration(config)
  const explain = (location: DatabaseLocation) => (error: unknown) => {
    throw unusableDatabase(location, error)
  }
  const sample = isMissing(database) ? database : null
  if (sample !== null && config.databaseChosen) throw missingDatabase(database)
  if (sample !== null) await makeSample(sample).catch(explain(sample))
  const live = await openLiveStore(database, observe).catch(explain(database))
  const { store } = live
  let whatIsEmpty = watchEmptiness(store, nameOf(database), observe)

  /** Why lookups fail, or `null`. Only operators see the message. */
  async function whyUnavailable(): Promise<string | null> {
    try {
      await store.ready()
      return null
    } catch (error) {
      const cause = error instanceof LookupError ? error.cause : null
      return cause instanceof UnusableDatabase ? cause.message : 'the database is unavailable; see the log'
    }
  }

  /** An old service is opened without a request, so it may be down, or the URL may be of another service. */
  async function whatIsDown(): Promise<string | null> {
    if (database.kind !== 'old-service') return null
    const late = pause(OLD_SERVICE_MS).then(() => 'it has not answered a lookup for 2 s')
    const down = whyUnavailable().then((reason) => reason && 'a lookup failed ("store-failed" in the log)')
    const problem = await Promise.race([late, down])
    return problem && `${problem}. Check DATABASE_URL and the old service.`
  }

  return {
    store,
    whyUnavailable,
    /** Which tables are empty, and what to do; `null` for none. */
    whatIsEmpty: () => whatIsEmpty(),
    name: () => nameOf(database),
    /** The name and the problem of the database, if there is one. */
    describe: async () => {
      if (sample !== null) return `${sample.path}, just made with sample data`
      const problem = (await whatIsEmpty()) ?? (await whatIsDown())
      return problem === null ? nameOf(database) : `${nameOf(database)}: ${problem}`
    },
    /** Reads from another database from now on. @throws CommandError; then the previous database stays */
    exchange: async ({ database: next }: Config) => {
      // The store uses the dialect of the start, as the rest of the process does.
      const location = next.kind === 'old-service' ? { ...next, dialect: config.dialect } : next
      await live.exchange(location).catch(explain(location))
      database = location
      whatIsEmpty = watchEmptiness(store, nameOf(database), observe)
    },
  }
}

/** An old service has real clients, who must never get sample data. */
function refuseMigration({ cutover, shadow, legacy }: Config): void {
  const settings = { CUTOVER_URL: cutover.url, SHADOW_URL: shadow.url, LEGACY_DIALECT: legacy.dialect }
  const found = Object.entries(settings).find(([, value]) => value !== null)
  if (found === undefined) return
  throw new UsageError(
    `${found[0]} is set, and DATABASE_URL is not: clients could get sample data. Set DATABASE_URL to the database, such as sqlite:lookup.db, or to the old service.`,
  )
}

async function makeSample(database: SqliteLocation): Promise<void> {
  const { importFile } = await import('../data/import/import-file.ts')
  const { relations } = await import('../data/relations.ts')
  for (const relation of Object.values(relations)) {
    const file = fileURLToPath(ownFile(`src/data/sample/${relation.name}.jsonl`))
    const options = { format: 'jsonl', replace: false, rejects: null, onProgress: () => {} } as const
    const { committed, problems } = await importFile({ database, relation, file, ...options })
    if (!committed) throw new Error(`the sample data is invalid: ${JSON.stringify(problems)}`)
  }
}

/** By Node's error code. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use. Stop the program that uses it, or choose another PORT.',
  EACCES: 'this user has no right to the port. Choose another PORT, above 1023.',
  EADDRNOTAVAIL: 'this machine does not have the address. Choose another HOST.',
  ENOTFOUND: 'the name has no address. Choose another HOST.',
}

/**
 * @param prefix of the settings PORT and HOST
 * @throws CommandError that says which setting to change
 */
export function listenOrExplain(
  prefix: '' | 'ADMIN_',
  ...[handlers, options]: Parameters<typeof listen>
): Promise<Listener> {
  return listen(handlers, options).catch(({ code = '', message }: NodeJS.ErrnoException) => {
    const text = (advice[code] ?? 'check PORT and HOST.').replaceAll(/PORT|HOST/g, `${prefix}$&`)
    throw new CommandError(`Cannot listen (${message}): ${text}`)
  })
}

/**
 * The text on standard output once the gateway has started.
 * @param adminUrl `null` without an admin port
 * @param data the name and the problem of the database
 */
export function welcome(config: Config, url: string, adminUrl: string | null, data: string): string {
  const { graphiql, explorer, legacy, shadow, cutover, accessLog } = config
  const percent = (share: number) => `${Number((share * 100).toPrecision(6))} %`
  const compared =
    shadow.sample === 0
      ? 'none of the answers, see SHADOW_SAMPLE'
      : `${percent(shadow.sample)} of the answers, ${MAX_SHADOW_RATE} a second at most`
  const lookup = `${url}${legacy.paths[0]}?Event=ProfileLookup&Users=1:2:3`
  const { share, events } = cutover.share
  const own = Object.entries(events).map(([event, part]) => `, of ${event} ${percent(part)}`)
  const passed = `to ${cutover.url}: all legacy clients but ${percent(share)}${own.join('')}`
  const rows: readonly (readonly [string, string | false | null])[] = [
    ['Legacy JSON', lookup],
    ['Legacy XML', `${lookup}&Format=XML`],
    [graphiql ? 'GraphiQL' : 'GraphQL', `${url}/graphql`],
    ['Explorer', explorer && `${url}/`],
    ['Operations', adminUrl && `${adminUrl}/`],
    ['Readiness', adminUrl && `${adminUrl}/ready`],
    ['Compared', shadow.url && `with ${shadow.url}: ${compared}`],
    ['Passed on', cutover.url && passed],
    ['Access log', accessLog === '-' ? 'standard output' : accessLog],
    ['Data', data],
  ]
  const shown = rows.filter(([, value]) => value)
  const lines = shown.map(([name, value]) => `  ${name.padEnd(12)} ${value}\n`)
  return `Lookup Service is running. Ctrl+C stops it.\n\n${lines.join('')}\n`
}
