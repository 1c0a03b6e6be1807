// One query of the store: calls to the old service, and repeated calls for values that are not settled yet.
//
// A call may fail because of one of its values. It is repeated in parts: first until each part has the values
// of one client, then until each part has one value. So a client can only make its own values fail. A service
// in trouble is not asked again: after a failure, a query goes on only if the service answers other calls.

import type { Clock } from '../../clock.ts'
import { LookupError } from '../../errors.ts'
import type { Item, Sharing } from '../store.ts'
import { createCalls } from './calls.ts'
import type { Connections, Round } from './connections.ts'
import { OldServiceError } from './failure.ts'
import { MAX_SPLIT_REFUSALS, PARTS, PARTS_AFTER_TIMEOUT, PATIENCE_MS, REPEAT_TIME_MS } from './limits.ts'
import type { Lookup } from './lookup.ts'
import { cut, portionsOf } from './portions.ts'
import type { QueryValues } from './values.ts'

interface QueryOptions<Found> extends Pick<Sharing<Found>, 'nextRound'> {
  readonly connections: Connections
  /** Values in a call. */
  readonly maxValues: number
  /** Milliseconds for a call. */
  readonly timeout: number
  /** How many failed calls with values of one client only may be split. */
  readonly maxSplitCalls: number
  readonly clock: Clock
}

interface QueryResult<Found> {
  readonly items: readonly Item<Found>[]
  /** Why there are values without an answer; `null` where there are none. */
  readonly failure: OldServiceError | null
  /** Why calls were repeated in parts; `null` where none was. */
  readonly splitFor: OldServiceError | null
  readonly repeatedCalls: number
}

type Indexes = readonly number[]

/** Values that a call leaves open, and why; `null` for an answer that is unclear about spellings. */
interface Open {
  readonly indexes: Indexes
  readonly failure: OldServiceError | null
}

export async function runQuery<Found>(
  lookup: Lookup<Found>,
  values: QueryValues<Found>,
  { connections, maxValues, timeout, maxSplitCalls, clock, nextRound }: QueryOptions<Found>,
): Promise<QueryResult<Found>> {
  const began = clock.now()
  const deadline = began + timeout + REPEAT_TIME_MS
  const calls = createCalls(connections)
  let splitsLeft = maxSplitCalls
  let refusalsLeft = MAX_SPLIT_REFUSALS
  let repeatedCalls = 0
  let failure: OldServiceError | null = null
  let splitFor: OldServiceError | null = null

  function failed(error: OldServiceError): LookupError {
    failure ??= error
    return new LookupError('Unavailable', [], error)
  }

  async function answer(indexes: Indexes, round: Round): Promise<void> {
    const patience = () => (round === 'first' ? PATIENCE_MS : deadline - clock.now())
    try {
      const open = await calls.run(round, patience, () => call(indexes))
      // What is unclear may be clear without the values that are settled.
      const isAnswered = open.failure === null || open.failure.kind === 'refused'
      const isLess = isAnswered && open.indexes.length < indexes.length
      const again = round === 'first' && isLess && open.indexes.length > 0
      await repeat(again ? [open.indexes] : partsOf(open))
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      calls.stop(error)
    }
  }

  async function repeat(parts: readonly Indexes[]): Promise<void> {
    if (parts.length === 0) return
    nextRound(values.takeAnswered())
    if (clock.now() > deadline) throw new LookupError('Overloaded')
    repeatedCalls += parts.length
    const roundOf = (part: Indexes) => (values.byClient(part).length > 1 ? 'shared' : 'single')
    await Promise.all(parts.map((part) => answer(part, roundOf(part))))
  }

  /** Makes a call, and settles the values that it answers. */
  async function call(all: Indexes): Promise<Open> {
    const indexes = values.wantedOf(all)
    if (indexes.length === 0) return { indexes, failure: null }
    const started = clock.now()
    try {
      const { found, unclear, reason } = await lookup.ask(new Set(indexes.map(values.textOf)))
      const isUnclear = (index: number) => unclear.has(values.textOf(index))
      for (const index of indexes) {
        const item = found.get(values.textOf(index)) ?? null
        if (!isUnclear(index)) values.settle(index, item instanceof OldServiceError ? failed(item) : item)
      }
      return { indexes: indexes.filter(isUnclear), failure: reason }
    } catch (error) {
      if (!(error instanceof OldServiceError)) throw error
      if (await isAboutValues(error, started)) return { indexes, failure: error }
      throw failed(error)
    }
  }

  /** Tells a call that failed because of its values from a service in trouble. */
  async function isAboutValues({ kind }: OldServiceError, started: number): Promise<boolean> {
    if (kind === 'outage') return false
    if (kind === 'timeout') return lookup.health.hasAnsweredSince(started)
    if (lookup.health.hasAnsweredSince(began)) return true
    // Without other values there is nothing to save.
    const canSplit = maxSplitCalls > 0 || values.byClient(values.sendable).length > 1
    return canSplit && values.byText(values.sendable).length > 1 && lookup.health.check()
  }

  /** Parts to repeat a call in. Values that cannot be separated any further fail. */
  function partsOf({ indexes, failure: reason }: Open): readonly Indexes[] {
    if (indexes.length === 0) return []
    const parts = reason?.kind === 'timeout' ? PARTS_AFTER_TIMEOUT : PARTS
    const clients = values.byClient(indexes)
    const texts = values.byText(indexes)
    // A refusal has settled some, so that the one that is left was not asked for alone.
    const canSplit = texts.length > 1 || reason === null || reason.kind === 'refused'
    const mayStill = () => (reason?.kind === 'refused' ? refusalsLeft-- : splitsLeft--) > 0
    if (clients.length > 1 || (canSplit && mayStill())) {
      splitFor ??= reason
      return cut(clients.length > 1 ? clients : texts, parts).map((part) => part.flat())
    }
    const error = failed(
      reason ?? new OldServiceError('the answer does not say which values of the list exist'),
    )
    for (const index of indexes) values.settle(index, error)
    return []
  }

  const atOnce = lookup.isOneByOne() ? 1 : maxValues
  const portions = portionsOf(values.sendable, values.textOf, atOnce)
  await Promise.all(portions.map((portion) => answer(portion, 'first')))
  const items = values.items(calls.stopped() ?? new LookupError('Unavailable'))
  return { items, failure, splitFor, repeatedCalls }
}
