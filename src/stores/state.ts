// The state of a store, for /explain and the explorer: whether it answers, and how many users and apps it
// has. Rows are counted in slices, so that no lookup waits for a million of them.

import { type Clock, pause, systemClock } from '../clock.ts'
import { createCached } from './cached.ts'
import type { Store } from './store.ts'

/** The number of rows; not exact if there are more. */
interface Count {
  readonly count: number
  readonly exact: boolean
}

/** `null` if the store cannot count, or has not counted yet. */
interface Counts {
  readonly users: Count | null
  readonly apps: Count | null
}

export interface StoreState extends Counts {
  /** Whether the store could answer a lookup now. */
  readonly ready: boolean
}

const SLICE_ROWS = 10_000
/** Counting stops here. */
const MAX_ROWS = 1_000_000
/** Milliseconds for which counts are cached. */
const CACHE_MS = 5_000
/** Milliseconds that a request waits. */
const TIMEOUT_MS = 250

const unknown: Counts = { users: null, apps: null }

/** Returns a function that reads the state, and never throws. */
export function watchStore(store: Store, clock: Clock = systemClock): () => Promise<StoreState> {
  const countRows = createCached(() => countBoth(store), unknown, {
    lifetime: (counts) => (counts === unknown ? 0 : CACHE_MS),
    patience: TIMEOUT_MS,
    clock,
  })
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

async function countBoth(store: Store): Promise<Counts> {
  try {
    return { users: await countAll(store, 'users'), apps: await countAll(store, 'apps') }
  } catch {
    return unknown // the store has observed why
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
    // Other requests run.
    await pause(0)
  }
  return { count: total, exact: false }
}
