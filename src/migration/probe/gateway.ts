// The gateway with the dialect that the probe has found: over imported rows, and over the old service as its
// store. The probe compares its responses with those of the old service.

import { createApp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import type { OldServiceTarget } from '../../config/old-service.ts'
import { relations } from '../../data/relations.ts'
import { listen } from '../../http/server.ts'
import { createFacade } from '../../legacy/facade.ts'
import { legacyResponseTo, rowFinder } from '../../legacy/known-rows.ts'
import { type Call, createCall } from '../../stores/old-service/call.ts'
import { OldServiceError } from '../../stores/old-service/failure.ts'
import { createLookups, type OldServiceLookup } from '../../stores/old-service/lookup.ts'
import { openOldServiceStore } from '../../stores/old-service/store.ts'
import type { Store } from '../../stores/store.ts'
import { readRow } from '../copy/rows.ts'
import type { ProbeResult } from './probe.ts'
import { UNKNOWN } from './requests.ts'
import { responseOf } from './responses.ts'
import type { ProbeRows } from './rows.ts'

/** LEGACY_MAX_VALUES if the old service has no limit. */
const MANY = 10_000
/** Values in a call of a store over the old service. */
const MAX_CALL_VALUES = 100
/** Milliseconds for a response: nothing waits for a network. */
const TIMEOUT_MS = 60_000

/** DATABASE_MAX_VALUES for an old service that accepts lists of so many values. */
export const callValuesOf = (most: number) => Math.min(most, MAX_CALL_VALUES)

/**
 * Starts the gateway on a free port, and stops it after `use`. The gateway has the settings of the operator,
 * except that rate limits, logs, the shadow and the cutover are off: other clients or services would notice
 * them.
 * @param store the imported rows, or the old service: see `storeOver`
 */
export async function withGateway<Result>(
  config: Config,
  { dialect, known }: ProbeResult,
  store: Store,
  use: (call: Call, service: OldServiceTarget) => Promise<Result>,
): Promise<Result> {
  const { legacy, shadow, cutover, timeouts } = config
  const app = await createApp(
    {
      ...config,
      dialect,
      rateLimit: null,
      accessLog: null,
      legacy: { ...legacy, maxValues: Math.min(known.most, MANY), paths: ['/'] },
      shadow: { ...shadow, url: null, headers: {}, sample: 0 },
      cutover: { ...cutover, url: null },
      trustedDocuments: { manifest: null, only: false },
    },
    store,
    () => {},
  )
  const listener = await listen(app, { port: 0, host: '127.0.0.1', timeouts })
  const service = { url: listener.url.replace('localhost', '127.0.0.1'), headers: {} }
  try {
    return await use(createCall(service, { timeout: TIMEOUT_MS, connections: 1 }), service)
  } finally {
    await listener.close(0)
    await app.close()
    store.close()
  }
}

/**
 * The old service as a store, without further requests: the dialect makes the responses, unless it does not
 * explain all that were seen.
 */
export function storeOver({ dialect, known, evidence, client }: ProbeResult): Store {
  const facade = createFacade(dialect, known.most)
  const find = rowFinder(evidence.rows)
  const isExact = evidence.judge(dialect).score === evidence.most
  const location = {
    kind: 'old-service' as const,
    url: 'http://localhost/',
    headers: {},
    connections: 100,
    timeout: TIMEOUT_MS,
    maxValues: callValuesOf(known.most),
    dialect,
  }
  return openOldServiceStore(
    location,
    () => {},
    undefined,
    async (query) =>
      (isExact ? undefined : client.outcomes.get(query)) ?? responseOf(legacyResponseTo(facade, find, query)),
  )
}

interface StoreFaults {
  /** Why lookups would fail; null if they work. */
  readonly lookups: string | null
  /** Why `lookup import`, which looks up ids only, would fail; null if it works. */
  readonly copying: string | null
}

type StoreTrial = readonly [
  what: string,
  lookup: Pick<OldServiceLookup<unknown>, 'call'>,
  known: readonly string[],
  unknown: readonly string[],
]

/** Tries the old service as a store: the reader of the store reads its responses. */
export async function tryAsStore({ client, known, dialect }: ProbeResult): Promise<StoreFaults> {
  const { users, apps } = createLookups({ dialect }, client.send)
  const [{ id = 0, username = '' } = {}] = known.rows.users
  const app = known.rows.apps[0]?.id
  const chat = known.rows.users.find(({ chatId }) => chatId !== undefined)?.chatId
  const unknown = known.most > 1 ? [UNKNOWN] : []
  const byId: StoreTrial[] = [
    ['a known and an unknown user', users.ID, [String(id)], unknown],
    ['an unknown user', users.ID, [], [UNKNOWN]],
  ]
  if (app !== undefined) byId.push(['a known and an unknown app', apps, [String(app)], unknown])
  const byName: StoreTrial[] = [
    ['a username', users.USERNAME, [username], []],
    ['an unknown username', users.USERNAME, [], ['no such user']],
  ]
  if (chat !== undefined) byName.push([`a user by ${dialect.chatMethod}`, users.CHAT, [chat], []])
  const fault = await firstFault(byId)
  const numbers = dialect.json.numericTexts === 'number' ? NUMBERS : null
  return {
    copying: fault ?? refusalOf(known.rows) ?? numbers,
    lookups: fault ?? (await firstFault(byName)),
  }
}

async function firstFault(trials: readonly StoreTrial[]): Promise<string | null> {
  for (const [what, lookup, known, unknown] of trials)
    try {
      const { found, reason } = await lookup.call(new Set([...known, ...unknown]))
      // If the service refuses lists with an unknown value, the store looks up each value by itself.
      if (reason?.kind === 'unclear' && unknown.length > 0) continue
      const failed = [...found.values()].find((one) => one instanceof Error)
      if (failed !== undefined) throw failed
      if (!known.every((value) => found.has(value))) return `the lookup of ${what} returned no entry`
    } catch (error) {
      if (error instanceof OldServiceError) return `the lookup of ${what} failed: ${error.message}`
      throw error
    }
  return null
}

const NUMBERS =
  'strings that look like numbers come as numbers, so that 007 and 7 are the same. Import all other rows with --skip-invalid FILE, and these from the old database'

/** Why `lookup import` would refuse a row that was seen, such as an app with an empty link. */
function refusalOf({ users, apps }: ProbeRows): string | null {
  for (const [name, rows] of [['users', users] as const, ['apps', apps] as const])
    for (const row of rows) {
      const read = readRow(relations[name], String(row.id), row)
      if (typeof read !== 'string')
        return `${name.slice(0, -1)} ${read.id}: ${read.problem}. Correct such rows, or import the others with --skip-invalid FILE`
    }
  return null
}
