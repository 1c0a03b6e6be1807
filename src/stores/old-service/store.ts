// The store whose rows an old service has. Lookups of many clients share a call, and a client gets its rows
// even if the values of another client make the call fail (split.ts). Usernames are sent as clients spell
// them, because only the old service knows which spellings are the same user.

import { hasLeft } from '../../caller.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { OldServiceLocation } from '../../config/database.ts'
import { LookupError } from '../../errors.ts'
import type { Observe } from '../../observe/events.ts'
import { createRowChecks } from '../rows.ts'
import { type ClientLookup, failureOfAll, type Item, type LookupBatch, type Store } from '../store.ts'
import { createConnections } from './connections.ts'
import { OldServiceError, SEPARATOR } from './failure.ts'
import { createLookups, createSend, type OldServiceLookup, type SendLookup } from './lookup.ts'
import { type ClientValue, callInParts, type Remainder } from './split.ts'

/** Milliseconds that a first call waits for a connection. */
const PATIENCE_MS = 200
/** Milliseconds for repeated calls, in addition to the timeout of a call. */
const REPEAT_MS = 5_000
/** Characters of a list: some old servers accept no more than 8 KiB of address. */
const MAX_LIST_LENGTH = 6_000

/** A value of a client. It is open until it has a result. */
interface QueryValue<Row> extends ClientValue {
  readonly client: ClientLookup
  item?: Item<Row>
}

/** @param send replaces HTTP */
export function openOldServiceStore(
  location: OldServiceLocation,
  observe: Observe,
  clock: Clock = systemClock,
  send: SendLookup = createSend(location, clock),
): Store {
  const connections = createConnections(location.connections, clock)
  const { users, apps } = createLookups(location, send, createRowChecks(observe), clock)

  async function find<Row>(
    lookup: OldServiceLookup<Row>,
    texts: readonly string[],
    batch: LookupBatch<Row> = { lookups: [{ values: texts, caller: null }], nextRound: () => {} },
  ): Promise<readonly Item<Row>[]> {
    const began = clock.now()
    const deadline = began + location.timeout + REPEAT_MS
    const { open: sent, report, itemsOr } = createValues(batch)
    const isAboutValues = createDiagnosis(lookup, location, sent, began)
    const silent = Map.groupBy(sent, ({ text }) => (lookup.silent.has(text) ? text : null))
    const merged = silent.get(null) ?? []
    silent.delete(null)
    let hasRepeats = silent.size > 0
    let failure: OldServiceError | null = null

    const failed = (error: OldServiceError) => {
      failure ??= error
      return new LookupError('Unavailable', [], error)
    }

    async function begin(isRepeat: boolean): Promise<() => void> {
      if (isRepeat) {
        hasRepeats = true
        report()
        if (clock.now() > deadline) throw new LookupError('Overloaded')
      }
      const giveBack = await connections.take(isRepeat ? deadline - clock.now() : PATIENCE_MS, isRepeat)
      return () => {
        giveBack()
        if (hasRepeats) report()
      }
    }

    async function call(list: readonly QueryValue<Row>[]): Promise<Remainder<QueryValue<Row>>> {
      for (const value of list) if (hasLeft(value.client.caller)) value.item = new LookupError('CallerLeft')
      const values = list.filter(isOpen)
      if (values.length === 0) return { values, reason: null }
      const started = clock.now()
      // If the service responds to a health check, a timeout is about the values of the call.
      const timer = clock.setTimeout(() => {
        if (isMixed(sent)) lookup.isHealthy().catch(() => {})
      }, location.timeout / 2)
      try {
        const { found, unclear, reason } = await lookup.call(new Set(values.map(({ text }) => text)))
        for (const value of values) {
          const item = found.get(value.text) ?? null
          if (!unclear.has(value.text)) value.item = item instanceof OldServiceError ? failed(item) : item
        }
        return { values: values.filter(isOpen), reason }
      } catch (error) {
        if (!(error instanceof OldServiceError)) throw error
        if (await isAboutValues(error, started)) return { values, reason: error }
        throw failed(error)
      } finally {
        timer.close()
      }
    }

    function fail(values: readonly QueryValue<Row>[], reason: OldServiceError): void {
      if (reason.kind === 'timeout' && !isMixed(values)) lookup.silent.set(values[0]?.text ?? '', true)
      const error = failed(reason)
      for (const value of values) value.item = error
    }

    const lists = listsOf(merged, lookup.isOneByOne() ? 1 : location.maxValues)
    const options = { width: connections.half, begin, call, fail, later: [...silent.values()] }
    const { stopReason, splitFor, repeats } = await callInParts(lists, options)
    if (stopReason !== null && !(stopReason instanceof LookupError)) throw stopReason
    if (splitFor !== null) observe({ type: 'store-split', calls: repeats, reason: splitFor.message })
    if (failure !== null) observe({ type: 'store-failed', error: failure, count: 1 })
    const items = itemsOr(stopReason ?? new LookupError('Unavailable'))
    const failureOfQuery = failureOfAll(items)
    if (failureOfQuery !== null) throw failureOfQuery
    return items
  }

  return {
    findUsers: (by, values, batch) => find(users[by], values, batch),
    findApps: (ids, batch) => find(apps, ids, batch),
    foldsUsernames: true,
    capacity: () => location.connections,
    ready: async () => {
      const giveBack = await connections.take(location.timeout)
      try {
        await users.ID.call(new Set(['1']))
      } catch (error) {
        if (!(error instanceof OldServiceError)) throw error
        observe({ type: 'store-failed', error, count: 1 })
        throw new LookupError('Unavailable', [], error)
      } finally {
        giveBack()
      }
    },
    close: () => {},
  }
}

/** The values of all clients of a batch, with their results so far. */
function createValues<Row>({ lookups, nextRound }: LookupBatch<Row>) {
  const clients = lookups.map((client) =>
    client.values.map((text): QueryValue<Row> => ({ text, client, ...(!canBeSent(text) && { item: null }) })),
  )
  const unreported = new Set(clients.keys())
  const itemsOf = (values: readonly QueryValue<Row>[], missing: Item<Row>) =>
    values.map(({ item = missing }) => item)
  return {
    open: clients.flat().filter(isOpen),
    /** Passes results to the clients that have all of theirs: they do not wait for the values of others. */
    report(): void {
      const complete = [...unreported].filter((at) => !clients[at]?.some(isOpen))
      for (const at of complete) unreported.delete(at)
      nextRound(new Map(complete.map((at) => [at, itemsOf(clients[at] ?? [], null)])))
    },
    /** @param missing the result of values that are open */
    itemsOr: (missing: LookupError) => itemsOf(clients.flat(), missing),
  }
}

/**
 * Returns a function that finds out whether a call failed because of its values, and not because the service
 * is down.
 * @param began when the query began
 */
function createDiagnosis(
  lookup: OldServiceLookup<unknown>,
  { connections }: OldServiceLocation,
  sent: readonly ClientValue[],
  began: number,
) {
  let check: Promise<boolean> | null = null
  return async ({ kind }: OldServiceError, started: number): Promise<boolean> => {
    if (kind === 'outage') return false
    // With one connection, the health check waits until the call has failed.
    const isCheckLate = connections === 1 && isMixed(sent)
    if (kind === 'timeout') return lookup.hasResponseSince(started) || (isCheckLate && lookup.isHealthy())
    // One value alone has no others that could be saved.
    if (!isMixed(sent)) return false
    if (lookup.hasResponseSince(began)) return true
    check ??= lookup.isHealthy()
    return check
  }
}

const isMixed = (values: readonly ClientValue[]) => values.some(({ text }) => text !== values[0]?.text)
const isOpen = ({ item }: QueryValue<unknown>) => item === undefined

/** NUL and half a surrogate pair are in no query string that an old service reads correctly. */
function canBeSent(text: string): boolean {
  return text !== '' && text.isWellFormed() && !text.includes('\0') && !text.includes(SEPARATOR)
}

/** Cuts values into lists for one call each. */
function listsOf<Item extends ClientValue>(values: readonly Item[], maxValues: number): Item[][] {
  const lists: Item[][] = []
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
