// The number of rows of a store, and the advice if there are none, for /explain, the explorer, the log and
// the welcome text. No caller waits long: the next caller gets a late result.

import { type Clock, pause, systemClock } from '../clock.ts'
import type { Observe } from '../observe/events.ts'
import type { Store } from './store.ts'

/** The number of rows; not exact if there are more. */
interface RowCount {
  readonly count: number
  readonly exact: boolean
}

/** `null` if the store cannot count, or has not counted yet. */
interface RowCounts {
  readonly users: RowCount | null
  readonly apps: RowCount | null
}

export interface StoreState extends RowCounts {
  /** Whether the store could answer a lookup now. */
  readonly ready: boolean
}

/** Rows are counted in slices, so that no lookup waits for a million of them. */
const SLICE_ROWS = 10_000
/** Counting stops here. */
const MAX_ROWS = 1_000_000
/** Milliseconds for which counts, and the hint about an empty database, are cached. */
const CACHE_MS = 5_000
/** Milliseconds that a request waits for counts, and an operator for the hint about an empty database. */
const STATE_TIMEOUT_MS = 250
const EMPTY_TIMEOUT_MS = 500

const unknown: RowCounts = { users: null, apps: null }

/** Returns a function that reads the state, and never throws. */
export function watchStore(store: Store, clock: Clock = systemClock): () => Promise<StoreState> {
  const countRows = createCached(() => countBoth(store), unknown, STATE_TIMEOUT_MS, clock)
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
  return Promise.race([ready().catch(() => false), pause(STATE_TIMEOUT_MS, clock).then(() => false)])
}

async function countBoth(store: Store): Promise<RowCounts> {
  return { users: await countAll(store, 'users'), apps: await countAll(store, 'apps') }
}

async function countAll({ countAfter }: Store, name: 'users' | 'apps'): Promise<RowCount | null> {
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

/**
 * Over an empty database every lookup works, and finds nothing: so the log says once that it is empty.
 * @param database its name for the log
 * @returns a function that never throws; its result is what is empty, and what to do, as a sentence, or null
 * if there are rows of both kinds, or if that is unknown
 */
export function watchEmptiness(
  store: Store,
  database: string,
  observe: Observe,
  clock: Clock = systemClock,
): () => Promise<string | null> {
  let logged: string | null = null

  async function read(): Promise<string | null> {
    const reason = await describeEmpty(store)
    if (reason !== null && reason !== logged) observe({ type: 'database-empty', database, reason })
    logged = reason
    return reason
  }

  return createCached(read, null, EMPTY_TIMEOUT_MS, clock)
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

/**
 * Caches a value that takes long to read. One reading at a time.
 * @param read the store observes why it fails
 * @param unread the value before the first reading, and after one that failed
 * @param timeout milliseconds that a caller waits; then the caller gets the previous value
 */
function createCached<T>(read: () => Promise<T>, unread: T, timeout: number, clock: Clock): () => Promise<T> {
  let value = unread
  let until = 0
  let reading: Promise<void> | null = null

  async function update(): Promise<void> {
    value = await read().catch(() => unread)
    until = clock.now() + CACHE_MS
    reading = null
  }

  return async () => {
    if (clock.now() >= until) reading ??= update()
    await Promise.race([reading, pause(timeout, clock)])
    return value
  }
}
