// How a store is, for people who look: whether it answers, and how many users and apps it has. Rows are
// counted in slices, so that no lookup waits behind a million of them.

import { type Clock, pause, systemClock } from '../clock.ts'
import type { Store } from './store.ts'

/** How many rows there are at least, and whether that is all. */
interface Count {
  readonly count: number
  readonly exact: boolean
}

/** `null` where it cannot be told, or not yet. */
interface Counts {
  readonly users: Count | null
  readonly apps: Count | null
}

export interface StoreState extends Counts {
  /** Whether a look-up could be answered now. */
  readonly ready: boolean
}

const SLICE_ROWS = 10_000
/** Counting stops here: more would cost more than it tells. */
const MAX_ROWS = 1_000_000
/** Milliseconds that counts are good for. */
const CACHE_MS = 5_000
/** Milliseconds that a request waits. The next request finds what was counted meanwhile. */
const TIMEOUT_MS = 250

const unknown: Counts = { users: null, apps: null }

/** @returns how the store is now; never throws */
export function watchStore(store: Store, clock: Clock = systemClock): () => Promise<StoreState> {
  const countRows = rememberedCounts(store, clock)
  return async () => {
    const [ready, counts] = await Promise.all([isReady(store, clock), countRows()])
    return { ready, ...(ready ? counts : unknown) }
  }
}

async function isReady(store: Store, clock: Clock): Promise<boolean> {
  const ready = async () => {
    await store.ready()
    return true
  }
  return Promise.race([ready().catch(() => false), pause(TIMEOUT_MS, clock).then(() => false)])
}

/** Counts again when the counts are old, once at a time. */
function rememberedCounts(store: Store, clock: Clock): () => Promise<Counts> {
  let known = unknown
  let until = 0
  let counting: Promise<void> | null = null

  async function countAgain(): Promise<void> {
    try {
      known = { users: await countAll(store, 'users'), apps: await countAll(store, 'apps') }
      until = clock.now() + CACHE_MS
    } catch {
      known = unknown // the caller of the store has observed why
    }
    counting = null
  }

  return async () => {
    if (clock.now() >= until) counting ??= countAgain()
    await Promise.race([counting, pause(TIMEOUT_MS, clock)])
    return known
  }
}

async function countAll({ countAfter }: Store, name: 'users' | 'apps'): Promise<Count | null> {
  if (countAfter === undefined) return null
  let total = 0
  for (let after = 0; total < MAX_ROWS; ) {
    const { count, last } = await countAfter(name, after, SLICE_ROWS)
    total += count
    if (count < SLICE_ROWS) return { count: total, exact: true }
    after = last
    // Others have their turn.
    await pause(0)
  }
  return { count: total, exact: false }
}
