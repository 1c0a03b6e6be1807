// Whether the old service can be the gateway's store, and be copied: the store's own reader reads its
// responses.

import { relations } from '../../data/relations.ts'
import { OldServiceError } from '../../stores/old-service/failure.ts'
import { createLookups, type Lookup } from '../../stores/old-service/lookup.ts'
import { readOutcome } from '../copy/rows.ts'
import type { ProbeResult } from './probe.ts'
import { UNKNOWN } from './questions.ts'
import type { Rows } from './rows.ts'

export interface AsStore {
  /** Why lookups over it would fail; null if they work. */
  readonly lookups: string | null
  /** The same for `lookup import`, which asks for ids only. */
  readonly copying: string | null
}

export async function tryAsStore({ asking, known, dialect }: ProbeResult): Promise<AsStore> {
  const { users, apps } = createLookups({ dialect }, asking.ask)
  const [{ id = 0, username = '' } = {}] = known.rows.users
  const app = known.rows.apps[0]?.id
  const chat = known.rows.users.find(({ chatId }) => chatId !== undefined)?.chatId
  const unknown = known.most > 1 ? [UNKNOWN] : []
  const byId =
    (await faultOf('a known and an unknown user', users.ID, [String(id)], unknown)) ??
    (await faultOf('an unknown user', users.ID, [], [UNKNOWN])) ??
    (app === undefined ? null : await faultOf('a known and an unknown app', apps, [String(app)], unknown))
  const byName =
    (await faultOf('a username', users.USERNAME, [username])) ??
    (await faultOf('an unknown username', users.USERNAME, [], ['no such user'])) ??
    (chat === undefined ? null : await faultOf(`a user by ${dialect.chatMethod}`, users.CHAT, [chat]))
  const numbers = dialect.json.numericTexts === 'number' ? NUMBERS : null
  return { copying: byId ?? refusalOf(known.rows) ?? numbers, lookups: byId ?? byName }
}

const NUMBERS =
  'strings that look like numbers come as numbers, so that 007 and 7 are the same. Import all other rows with --skip-invalid FILE, and these from the old database'

/** Why `lookup import` would refuse a row that was seen, such as an app with an empty link. */
function refusalOf({ users, apps }: Rows): string | null {
  const refusedIn = (name: 'users' | 'apps', rows: readonly Rows['users' | 'apps'][number][]) =>
    rows
      .map((row) => readOutcome(relations[name], String(row.id), row))
      .filter((outcome) => typeof outcome !== 'string')
      .map(({ id, problem }) => `${name.slice(0, -1)} ${id}: ${problem}`)
  const [first] = [...refusedIn('users', users), ...refusedIn('apps', apps)]
  return first === undefined
    ? null
    : `${first}. Correct such rows, or import the others with --skip-invalid FILE`
}

async function faultOf<Found>(
  what: string,
  lookup: Lookup<Found>,
  wanted: readonly string[],
  unknown: readonly string[] = [],
): Promise<string | null> {
  try {
    const { found, reason } = await lookup.ask(new Set([...wanted, ...unknown]))
    // The service refuses lists with an unknown value, so the store asks for each value by itself.
    if (reason?.kind === 'refused' && unknown.length > 0) return null
    const failed = [...found.values()].find((one) => one instanceof Error)
    if (failed !== undefined) return `the lookup of ${what} failed: ${failed.message}`
    return wanted.every((value) => found.has(value)) ? null : `the lookup of ${what} returned no entry`
  } catch (error) {
    if (error instanceof OldServiceError) return `the lookup of ${what} failed: ${error.message}`
    throw error
  }
}
