// The store over an old service, which gets the same requests as from its clients, with many values each. It
// gets usernames as clients spell them, since only the old service knows which spellings are the same user.

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
/** Milliseconds for repeated calls, besides the timeout of a call. */
const REPEAT_MS = 5_000
/** Characters of a list: some old servers accept no more than 8 KiB of address. */
const MAX_LIST_LENGTH = 6_000

interface QueryValue<Row> extends ClientValue {
  readonly client: ClientLookup
  /** Left out until it is known. */
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
    values: readonly string[],
    { lookups, nextRound }: LookupBatch<Row> = { lookups: [{ values, caller: null }], nextRound: () => {} },
  ): Promise<readonly Item<Row>[]> {
    const began = clock.now()
    const deadline = began + location.timeout + REPEAT_MS
    const clients = lookups.map((client) =>
      client.values.map(
        (text): QueryValue<Row> => ({ text, client, ...(!canBeSent(text) && { item: null }) }),
      ),
    )
    const unanswered = new Set(clients.keys())
    const all = clients.flat()
    const sent = all.filter(isOpen)
    const silent = Map.groupBy(sent, ({ text }) => (lookup.silent.has(text) ? text : null))
    const merged = silent.get(null) ?? []
    silent.delete(null)
    let hasRepeats = silent.size > 0
    let failure: OldServiceError | null = null
    let check: Promise<boolean> | null = null

    const failed = (error: OldServiceError) => {
      failure ??= error
      return new LookupError('Unavailable', [], error)
    }

    /** Clients whose values are all looked up do not wait for the values of others. */
    function reportAnswered(): void {
      const answered = [...unanswered].filter((at) => !clients[at]?.some(isOpen))
      for (const at of answered) unanswered.delete(at)
      nextRound(new Map(answered.map((at) => [at, clients[at]?.map(({ item = null }) => item) ?? []])))
    }

    async function begin(isRepeat: boolean): Promise<() => void> {
      if (isRepeat) {
        hasRepeats = true
        reportAnswered()
        if (clock.now() > deadline) throw new LookupError('Overloaded')
      }
      const giveBack = await connections.take(isRepeat ? deadline - clock.now() : PATIENCE_MS, isRepeat)
      return () => {
        giveBack()
        if (hasRepeats) reportAnswered()
      }
    }

    async function call(list: readonly QueryValue<Row>[]): Promise<Remainder<QueryValue<Row>>> {
      for (const value of list) if (hasLeft(value.client.caller)) value.item = new LookupError('CallerLeft')
      const wanted = list.filter(isOpen)
      if (wanted.length === 0) return { values: [], reason: null }
      const started = clock.now()
      // If the service responds to a health check, a timeout is about the values of the call.
      const timer = clock.setTimeout(() => {
        if (isMixed(sent)) lookup.isHealthy().catch(() => {})
      }, location.timeout / 2)
      try {
        const { found, unclear, reason } = await lookup.call(new Set(wanted.map(({ text }) => text)))
        for (const value of wanted) {
          const item = found.get(value.text) ?? null
          if (!unclear.has(value.text)) value.item = item instanceof OldServiceError ? failed(item) : item
        }
        return { values: wanted.filter(isOpen), reason }
      } catch (error) {
        if (!(error instanceof OldServiceError)) throw error
        if (await isAboutValues(error, started)) return { values: wanted, reason: error }
        throw failed(error)
      } finally {
        timer.close()
      }
    }

    /** Whether a call failed because of its values, and not because the service is down. */
    async function isAboutValues({ kind }: OldServiceError, started: number): Promise<boolean> {
      if (kind === 'outage') return false
      // The only connection was busy until now.
      const isLate = location.connections === 1 && isMixed(sent)
      if (kind === 'timeout') return lookup.hasResponseSince(started) || (isLate && lookup.isHealthy())
      // One value alone has no others that could be saved.
      if (!isMixed(sent)) return false
      if (lookup.hasResponseSince(began)) return true
      check ??= lookup.isHealthy()
      return check
    }

    const lists = listsOf(merged, lookup.isOneByOne() ? 1 : location.maxValues)
    const { stopReason, splitFor, repeats } = await callInParts(lists, {
      ...{ width: connections.half, begin, call, later: [...silent.values()] },
      fail: (open, reason) => {
        if (reason.kind === 'timeout' && !isMixed(open)) lookup.silent.set(open[0]?.text ?? '', true)
        const error = failed(reason)
        for (const value of open) value.item = error
      },
    })
    if (stopReason !== null && !(stopReason instanceof LookupError)) throw stopReason
    if (splitFor !== null) observe({ type: 'store-split', calls: repeats, reason: splitFor.message })
    if (failure !== null) observe({ type: 'store-failed', error: failure, count: 1 })
    const missing = stopReason ?? new LookupError('Unavailable')
    const items = all.map(({ item = missing }) => item)
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
