// Whether there is anything to look up. Over an empty database every lookup works, and finds nothing.

import { type Clock, systemClock } from '../clock.ts'
import type { Observe } from '../observe/events.ts'
import { createCached } from './cached.ts'
import type { Store } from './store.ts'

/** Milliseconds until the next query of an empty database, and of one that has rows or does not respond. */
const EMPTY_MS = 5_000
const FILLED_MS = 60_000
/** Milliseconds to wait for a response. A later one counts next time. */
const PATIENCE_MS = 500

/**
 * @param database its name for the log
 * @returns what is empty, and what to do, as a sentence; null if there are rows of both kinds, or if that is
 * unknown. Never throws
 */
export function watchEmptiness(
  store: Store,
  database: string,
  observe: Observe,
  clock: Clock = systemClock,
): () => Promise<string | null> {
  if (store.isEmpty === undefined) return async () => null
  let known: string | null = null

  async function read(): Promise<string | null> {
    const reason = await describeEmpty(store).catch(() => null) // the store has observed why
    if (reason !== null && reason !== known) observe({ type: 'database-empty', database, reason })
    known = reason
    return reason
  }

  const lifetime = (reason: string | null) => (reason === null ? FILLED_MS : EMPTY_MS)
  return createCached(read, null, { lifetime, patience: PATIENCE_MS, clock })
}

async function describeEmpty({ isEmpty }: Store): Promise<string | null> {
  const empty: string[] = []
  for (const name of ['users', 'apps'] as const) if (await isEmpty?.(name)) empty.push(name)
  if (empty.length === 0) return null
  const commands = empty.map((name) => `"lookup import ${name} FILE"`).join(' and ')
  // A forum has no apps: its view of them is empty for good.
  const exception = empty.join() === 'apps' ? ', unless there are no apps' : ''
  return `${empty.map((name) => `0 ${name}`).join(', ')}. Fill it with ${commands}${exception}.`
}
