// Whether there is anything to look up. Over an empty database every lookup is answered, and finds nothing.

import { type Clock, pause, systemClock } from '../clock.ts'
import type { Observe } from '../observe/events.ts'
import type { Store } from './store.ts'

type Name = 'users' | 'apps'
const names = ['users', 'apps'] as const

/** Milliseconds until an empty database is looked at again, and one that has rows or does not answer. */
const EMPTY_MS = 5_000
const FILLED_MS = 60_000
/** Milliseconds that is waited for an answer. One that comes later counts next time. */
const PATIENCE_MS = 500

/**
 * @param database its name for the log
 * @returns what is empty, and what to do, as a sentence; `null` where there are rows of both kinds, or that
 * cannot be told. Never throws
 */
export function watchEmptiness(
  { isEmpty }: Store,
  database: string,
  observe: Observe,
  clock: Clock = systemClock,
): () => Promise<string | null> {
  if (isEmpty === undefined) return async () => null
  const ask = isEmpty
  let known: string | null = null
  let until = 0
  let asking: Promise<void> | null = null

  async function look(): Promise<void> {
    const found = await findEmpty(ask).catch(() => []) // the store has observed why
    const note = found.length === 0 ? null : describe(found)
    if (note !== null && note !== known) observe({ type: 'database-empty', database, reason: note })
    known = note
    until = clock.now() + (note === null ? FILLED_MS : EMPTY_MS)
    asking = null
  }

  return async () => {
    if (clock.now() >= until) asking ??= look()
    await Promise.race([asking, pause(PATIENCE_MS, clock)])
    return known
  }
}

async function findEmpty(isEmpty: NonNullable<Store['isEmpty']>): Promise<Name[]> {
  const empty: Name[] = []
  for (const name of names) if (await isEmpty(name)) empty.push(name)
  return empty
}

function describe(empty: readonly Name[]): string {
  const counts = empty.map((name) => `0 ${name}`).join(', ')
  const commands = empty.map((name) => `"lookup import ${name} FILE"`).join(' and ')
  return `${counts}. Fill it with ${commands}.`
}
