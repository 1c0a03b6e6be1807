// A query of an old service: lookups of several clients, which share calls.
//
// One value may make a call fail. Such a call is repeated once for each client, and the call of one client in
// parts, until each part has one value. So a client can only make its own values fail (promise 13). Example,
// with two clients, where x fails: [a b | c x] -> [a b] [c x] -> [c] [x] -> x fails, and a, b and c have
// their results.
//
// The loop at the end of `runQuery` repeats these steps until no value is open:
//
// 1. `callAll` makes a call for each list of values, and `report` passes complete results to clients.
// 2. `call` sets the results that a response has. After a failure, `isAboutValues` decides whether the values
//    are the reason, or the service is down: then the query fails.
// 3. `repeatOpen` cuts the open values of a call into the lists of the next round, or fails these values.
//
// The number of calls is bounded: for c clients and p first calls, there are at most p calls with the values
// that have no result yet, c + p calls to separate the clients, and MAX_REPEATS calls to separate the values
// of clients. To find one value that always fails among 100 takes about 14 calls.

import { hasLeft } from '../../caller.ts'
import type { Clock } from '../../clock.ts'
import type { OldServiceLocation } from '../../config/database.ts'
import { LookupError } from '../../errors.ts'
import type { Observe } from '../../observe/events.ts'
import { type ClientLookup, failureOfAll, type Item, type LookupBatch } from '../store.ts'
import type { OldServiceConnections } from './connections.ts'
import { OldServiceError, SEPARATOR } from './failure.ts'
import type { OldServiceLookup } from './lookup.ts'

/** Milliseconds that a first call waits for a connection. */
const PATIENCE_MS = 200
/** Milliseconds for repeated calls, in addition to the timeout of a call. */
const REPEAT_MS = 5_000
/**
 * Calls that separate values of clients, after calls that fail and after responses that leave values open.
 * The second is higher: a service that refuses lists with an unknown value is healthy, and refuses often.
 */
const MAX_REPEATS = { failed: 64, unclear: 256 }
/** Four parts take as many calls as two, in half as many steps. */
const PARTS = 4
/** Characters of a list: some old servers accept no more than 8 KiB of address. */
const MAX_LIST_LENGTH = 6_000

/** A value of a client. It is open until it has a result. */
interface QueryValue<Row> {
  readonly text: string
  readonly client: ClientLookup
  item?: Item<Row>
}

/** Returns the items of all clients, one after another. @throws LookupError if no value has a result */
export async function runQuery<Row>(
  lookup: OldServiceLookup<Row>,
  { lookups, nextRound }: LookupBatch<Row>,
  location: OldServiceLocation,
  connections: OldServiceConnections,
  observe: Observe,
  clock: Clock,
): Promise<readonly Item<Row>[]> {
  const began = clock.now()
  const deadline = began + location.timeout + REPEAT_MS
  const clients = lookups.map((client) =>
    client.values.map((text): QueryValue<Row> => ({ text, client, ...(!canBeSent(text) && { item: null }) })),
  )
  const sent = clients.flat().filter(isOpen)
  const hasOneText = sent.every(({ text }) => text === sent[0]?.text)
  const unreported = new Set(clients.keys())
  const repeatsLeft = { ...MAX_REPEATS }
  let repeats = 0
  /** Why values failed. The first failure is logged. */
  const failures: OldServiceError[] = []
  /** Why calls were repeated. The first cause is logged. */
  const causes: OldServiceError[] = []
  let stopReason: unknown = null

  function failureFor(error: OldServiceError): LookupError {
    failures.push(error)
    return new LookupError('Unavailable', [], error)
  }

  const itemsOf = (values: readonly QueryValue<Row>[], missing: Item<Row>) =>
    values.map(({ item = missing }) => item)

  /** Passes results to the clients that have all of theirs: they do not wait for the values of others. */
  function report(): void {
    const complete = [...unreported].filter((at) => !clients[at]?.some(isOpen))
    for (const at of complete) unreported.delete(at)
    nextRound(new Map(complete.map((at) => [at, itemsOf(clients[at] ?? [], null)])))
  }

  /** Makes a call for each list. @returns the lists to repeat */
  async function callAll(
    lists: readonly QueryValue<Row>[][],
    isRepeat: boolean,
  ): Promise<QueryValue<Row>[][]> {
    const next: QueryValue<Row>[][] = []
    const inFlight = new Set<Promise<void>>()
    const stop = (error: unknown) => {
      stopReason ??= error
    }
    for (const list of lists) {
      if (inFlight.size === connections.half) await Promise.race(inFlight)
      const patience = isRepeat ? deadline - clock.now() : PATIENCE_MS
      if (patience <= 0) stop(new LookupError('Overloaded'))
      if (stopReason !== null) break
      // Only one call waits for a connection, so that a long list does not fill the queue of others.
      const giveBack = await connections.take(patience, isRepeat).catch(stop)
      if (giveBack === undefined) break
      if (isRepeat) repeats++
      const made = call(list, isRepeat)
        .then((parts) => void next.push(...parts))
        .catch(stop)
        .finally(() => {
          giveBack()
          inFlight.delete(made)
          if (isRepeat) report()
        })
      inFlight.add(made)
    }
    await Promise.all(inFlight)
    return next
  }

  /** @returns the lists to repeat @throws LookupError if the service is down */
  async function call(list: readonly QueryValue<Row>[], isRepeat: boolean): Promise<QueryValue<Row>[][]> {
    for (const value of list) if (hasLeft(value.client.caller)) value.item = new LookupError('CallerLeft')
    const values = list.filter(isOpen)
    if (values.length === 0) return []
    const started = clock.now()
    // If the service responds to a health check, a timeout is about the values of the call.
    const timer = clock.setTimeout(() => {
      if (!hasOneText) lookup.isHealthy().catch(() => {})
    }, location.timeout / 2)
    try {
      const { found, unclear, reason } = await lookup.call(new Set(values.map(({ text }) => text)))
      for (const value of values) {
        const item = found.get(value.text) ?? null
        if (!unclear.has(value.text)) value.item = item instanceof OldServiceError ? failureFor(item) : item
      }
      return reason === null ? [] : repeatOpen(values, reason, isRepeat)
    } catch (error) {
      if (!(error instanceof OldServiceError)) throw error
      if (!(await isAboutValues(error, started))) throw failureFor(error)
      causes.push(error)
      return repeatOpen(values, error, isRepeat)
    } finally {
      timer.close()
    }
  }

  /** Whether a call failed because of its values, and not because the service is down. */
  async function isAboutValues({ kind }: OldServiceError, started: number): Promise<boolean> {
    if (kind === 'outage') return false
    if (kind === 'timeout' && lookup.hasResponseSince(started)) return true
    // One value alone has no others that could be saved.
    if (hasOneText) return false
    if (kind !== 'timeout') return lookup.hasResponseSince(began) || lookup.isHealthy()
    // With one connection, the health check waits until the call has failed.
    return location.connections === 1 && lookup.isHealthy()
  }

  /** @returns the lists that repeat a call. Values that cannot be separated any further fail. */
  function repeatOpen(
    values: readonly QueryValue<Row>[],
    reason: OldServiceError,
    isRepeat: boolean,
  ): QueryValue<Row>[][] {
    const open = values.filter(isOpen)
    const isLess = open.length < values.length
    // Without the values that have results, the service may have results for all others.
    if (isLess && !isRepeat) return [open]
    const ofClients = byClient(open)
    if (ofClients.length > 1) return ofClients
    const texts = [...Map.groupBy(open, ({ text }) => text).values()]
    const cause = reason.kind === 'unclear' ? 'unclear' : 'failed'
    // A call that had results is repeated without their values, and a call that had none in parts.
    if (texts.length > (isLess ? 0 : 1) && repeatsLeft[cause] > 0) {
      const size = isLess ? texts.length : Math.ceil(texts.length / PARTS)
      const starts = Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => at * size)
      repeatsLeft[cause] -= starts.length
      return starts.map((start) => texts.slice(start, start + size).flat())
    }
    if (reason.kind === 'timeout' && texts.length === 1) lookup.silent.set(open[0]?.text ?? '', true)
    const item = failureFor(reason)
    for (const value of open) value.item = item
    return []
  }

  const silent = Map.groupBy(sent, ({ text }) => (lookup.silent.has(text) ? text : null))
  const merged = silent.get(null) ?? []
  silent.delete(null)
  const first = await callAll(listsOf(merged, lookup.isOneByOne ? 1 : location.maxValues), false)
  let lists = [...first, ...silent.values()]
  while (lists.length > 0 && stopReason === null) {
    report()
    lists = await callAll(lists, true)
  }
  if (stopReason !== null && !(stopReason instanceof LookupError)) throw stopReason
  const [[cause], [error]] = [causes, failures]
  if (cause !== undefined) observe({ type: 'store-split', calls: repeats, reason: cause.message })
  if (error !== undefined) observe({ type: 'store-failed', error, count: 1 })
  const items = itemsOf(clients.flat(), stopReason ?? new LookupError('Unavailable'))
  const failureOfQuery = failureOfAll(items)
  if (failureOfQuery !== null) throw failureOfQuery
  return items
}

const isOpen = ({ item }: QueryValue<unknown>) => item === undefined

/** NUL and half a surrogate pair are in no query string that an old service reads correctly. */
function canBeSent(text: string): boolean {
  return text !== '' && text.isWellFormed() && !text.includes('\0') && !text.includes(SEPARATOR)
}

/** Splits values by client. Clients with the same values stay together. */
function byClient<Row>(values: readonly QueryValue<Row>[]): QueryValue<Row>[][] {
  const lists = [...Map.groupBy(values, ({ client }) => client).values()]
  const same = Map.groupBy(lists, (list) => JSON.stringify(list.map(({ text }) => text)))
  return [...same.values()].map((some) => some.flat())
}

/** Cuts values into lists for one call each. */
function listsOf<Row>(values: readonly QueryValue<Row>[], maxValues: number): QueryValue<Row>[][] {
  const lists: QueryValue<Row>[][] = []
  let texts = new Set<string>()
  let length = 0
  for (const value of values) {
    const size = texts.has(value.text) ? 0 : encodeURIComponent(value.text).length + 1
    const isFull = size > 0 && (texts.size === maxValues || length + size > MAX_LIST_LENGTH)
    if (lists.length === 0 || isFull) {
      lists.push([])
      texts = new Set()
      length = 0
    }
    lists.at(-1)?.push(value)
    texts.add(value.text)
    length += size
  }
  return lists
}
