// Repeats a failed call to an old service in parts, for the store and for `lookup import`.
//
// One value may make a call fail. The call is split until each part has the values of one client, and then
// until each part has one value. So a client can only make its own values fail (promise 13). Example, with
// two clients, where x fails: [a b | c x] -> [a b] [c x] -> [c] [x] -> x fails, and a, b and c have their
// results.
//
// A value is open while no call has a result for it. The number of calls is bounded: after p calls for the
// values of c clients, there are at most
//
//     p calls with the values that are still open (with width 1: one call for each value),
//   + 2 (c + p) calls to separate the clients,
//   + MAX_SPLITS.failed * PARTS = 64 calls to separate the values of clients (256 after timeouts),
//   + MAX_SPLITS.refused * PARTS = 256 calls if the service refuses lists with an unknown value.
//
// To find one value that always fails among 100 takes about 14 calls (4 log4 n).

import type { OldServiceError } from './failure.ts'

/** A value of a client: the same text of two clients is two values. */
export interface ClientValue {
  readonly text: string
  readonly client: unknown
}

/** The values that are still open after a call, and why. */
export interface Remainder<Item> {
  readonly values: readonly Item[]
  /** Null only if no value is open. */
  readonly reason: OldServiceError | null
}

interface SplitOptions<Item> {
  /** Calls at a time. */
  readonly width: number
  /** Waits until a call may begin. @returns a function that ends the call */
  readonly begin: (isRepeat: boolean) => Promise<() => void>
  /** Makes a call, and stores its results. An error stops the queue: no further call is made. */
  readonly call: (values: readonly Item[]) => Promise<Remainder<Item>>
  /** Fails values that cannot be separated any further. */
  readonly fail: (values: readonly Item[], reason: OldServiceError) => void
  /** Lists whose calls have the low priority of repeated calls. */
  readonly later?: readonly (readonly Item[])[]
  readonly maxSplits?: Readonly<Record<'failed' | 'refused', number>>
}

interface SplitOutcome {
  /** Why calls were split; null if none was. */
  readonly splitFor: OldServiceError | null
  /** The error that stopped the calls, or null. */
  readonly stopReason: unknown
  readonly repeats: number
}

/**
 * How many calls with values of one client are split in all. `refused` is higher: a service that refuses
 * lists with an unknown value is healthy, and refuses often. To find u such values among n takes u · log₄ n
 * splits.
 */
const MAX_SPLITS = { failed: 16, refused: 64 }
/** Four parts take as many calls as two, in half as many steps. */
const PARTS = 4
/** More parts mean fewer steps: each step may take the whole timeout again. */
const PARTS_AFTER_TIMEOUT = 16

/** Makes a call for each list, and repeats calls in parts until no value is open. */
export async function callInParts<Item extends ClientValue>(
  lists: readonly (readonly Item[])[],
  { width, begin, call, fail, later = [], maxSplits = MAX_SPLITS }: SplitOptions<Item>,
): Promise<SplitOutcome> {
  const splitsLeft = { ...maxSplits }
  const queue = [
    ...lists.map((values) => ({ values, isRepeat: false })),
    ...later.map((values) => ({ values, isRepeat: true })),
  ]
  const inFlight = new Set<Promise<void>>()
  let splitFor: OldServiceError | null = null
  let stopReason: unknown = null
  let repeats = 0

  const stop = (error: unknown) => {
    stopReason ??= error
    queue.length = 0
  }

  /** Queues the calls for the values that are open. @param before the values of the call */
  function repeat(
    { values, reason }: Remainder<Item>,
    before: { readonly length: number },
    wasRepeat: boolean,
  ): void {
    if (reason === null) return
    const isLess = values.length < before.length
    // Without the values that have results, the service may have results for all open values in one call. If
    // this call also leaves values open, parts are faster, if calls run in parallel.
    const isAnswered = reason.kind === 'unclear' || reason.kind === 'refused'
    const isWhole = isAnswered && isLess && (!wasRepeat || width === 1)
    const parts = isWhole ? [values] : partsOf(values, reason, isLess)
    if (parts.length === 0) fail(values, reason)
    if (stopReason === null) queue.push(...parts.map((part) => ({ values: part, isRepeat: true })))
  }

  function partsOf(values: readonly Item[], reason: OldServiceError, isLess: boolean): Item[][] {
    const clients = byClient(values)
    const groups = clients.length > 1 ? clients : [...Map.groupBy(values, ({ text }) => text).values()]
    // If the call had results for other values, the last value may have a result in a call of its own.
    if (groups.length === 1 && !isLess) return []
    if (clients.length === 1 && splitsLeft[reason.kind === 'refused' ? 'refused' : 'failed']-- <= 0) return []
    if (reason.kind !== 'unclear') splitFor ??= reason
    const size = Math.ceil(groups.length / (reason.kind === 'timeout' ? PARTS_AFTER_TIMEOUT : PARTS))
    return Array.from({ length: Math.ceil(groups.length / size) }, (_, at) =>
      groups.slice(at * size, (at + 1) * size).flat(),
    )
  }

  for (;;) {
    const next = inFlight.size < width ? queue.shift() : undefined
    if (next === undefined) {
      if (inFlight.size === 0) return { splitFor, stopReason, repeats }
      await Promise.race(inFlight)
      continue
    }
    // Only one of these calls waits for a connection, so that a long list does not fill the queue of others.
    const end = await begin(next.isRepeat).catch(stop)
    if (end === undefined) continue
    repeats += Number(next.isRepeat)
    const made = call(next.values)
      .then((open) => repeat(open, next.values, next.isRepeat))
      .catch(stop)
      .finally(() => {
        end()
        inFlight.delete(made)
      })
    inFlight.add(made)
  }
}

/** Splits values by client. Clients with the same values stay together. */
function byClient<Item extends ClientValue>(values: readonly Item[]): Item[][] {
  const lists = [...Map.groupBy(values, ({ client }) => client).values()]
  const same = Map.groupBy(lists, (list) => JSON.stringify(list.map(({ text }) => text)))
  return [...same.values()].map((some) => some.flat())
}
