// Lookups of different requests share one call of the store: a batch.
//
// A store that responds at once (SQLite) is called after all input that has arrived is read. A store that
// responds later is called when the gate has a slot: the busier the store is, the more lookups share a call.
// No timer is involved, so a single lookup never waits for others. Nothing is cached: the next request sees a
// change.

import DataLoader from 'dataloader'
import { type Caller, hasLeft } from '../caller.ts'
import { LookupError } from '../errors.ts'
import {
  type Awaitable,
  type ClientLookup,
  failureOfAll,
  type Item,
  type LookupBatch,
} from '../stores/store.ts'
import type { Gate, Leave } from './gate.ts'

type Items<Row> = readonly Item<Row>[]

/** Calls the store once: one item per value, in order. */
export type FindBatch<Row> = (values: readonly string[], batch: LookupBatch<Row>) => Awaitable<Items<Row>>

/** Looks values up for a client: one item per value, in order. */
export type LoadItems<Row> = (values: readonly string[], caller: Caller | null) => Promise<Items<Row>>

/** A longer list has its own call, so that short lookups do not wait for it. */
const MAX_SHORT_VALUES = 32
/** Short lookups in a call. More would not be cheaper, and the first would wait for the last. */
const MAX_BATCH_SIZE = 64

export function createBatches<Row>(find: FindBatch<Row>, gate: Gate): LoadItems<Row> {
  const shortLists = createLoader(find, gate, MAX_BATCH_SIZE)
  const longLists = createLoader(find, gate, 1)
  return (values, caller) =>
    new Promise((resolve, reject) => {
      const respond = (outcome: BatchOutcome<Row>) =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome)
      const loader = values.length <= MAX_SHORT_VALUES ? shortLists : longLists
      loader.load({ values, caller, respond }).then(resolve, reject)
    })
}

type BatchOutcome<Row> = Items<Row> | Error

interface BatchedLookup<Row> extends ClientLookup {
  /** Resolves the lookup before the batch is complete. */
  readonly respond: (outcome: BatchOutcome<Row>) => void
}

/** The key of the DataLoader is a whole list: 100 values need one promise. */
function createLoader<Row>(find: FindBatch<Row>, gate: Gate, maxBatchSize: number) {
  // DataLoader calls `findAll` within `dispatch`.
  let admission: Leave | null = null
  return new DataLoader<BatchedLookup<Row>, Items<Row>>((lookups) => findAll(find, lookups, admission), {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (dispatch) =>
      gate.enter((leave) => {
        admission = leave
        dispatch()
      }),
  })
}

/** @throws the error of the store, with which all lookups of the call fail */
async function findAll<Row>(
  find: FindBatch<Row>,
  lookups: readonly BatchedLookup<Row>[],
  leave: Leave | null,
): Promise<readonly BatchOutcome<Row>[]> {
  if (leave === null) throw new LookupError('Overloaded')
  try {
    const waiting = lookups.filter(({ caller }) => !hasLeft(caller))
    const items = await findTogether(find, waiting, leave)
    const expected = waiting.reduce((sum, { values }) => sum + values.length, 0)
    // Otherwise a client would get the rows of another one.
    if (items.length !== expected)
      throw new Error(`The store has ${items.length} items for ${expected} values.`)
    let at = 0
    let end = 0
    return lookups.map((lookup) => {
      if (lookup !== waiting[at]) return new LookupError('CallerLeft')
      at++
      end += lookup.values.length
      return outcomeOf(items.slice(end - lookup.values.length, end))
    })
  } finally {
    leave()
  }
}

function findTogether<Row>(
  find: FindBatch<Row>,
  lookups: readonly BatchedLookup<Row>[],
  leave: Leave,
): Awaitable<Items<Row>> {
  const [first, ...others] = lookups
  if (first === undefined) return []
  const values = others.length === 0 ? first.values : lookups.flatMap((lookup) => lookup.values)
  const nextRound: LookupBatch<Row>['nextRound'] = (answered) => {
    for (const [at, items] of answered) lookups[at]?.respond(outcomeOf(items))
    leave()
  }
  return find(values, { lookups, nextRound })
}

/** If every item failed because of an outage, the lookup fails. */
function outcomeOf<Row>(items: Items<Row>): BatchOutcome<Row> {
  return failureOfAll(items) ?? items
}
