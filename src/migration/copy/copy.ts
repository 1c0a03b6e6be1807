// Copies rows of an old service into a file: one call at a time, at a limited rate. A call is repeated while
// the service is down. A list that fails is split by the store's splitter, until the ids that cannot be
// copied are alone.

import type { Clock } from '../../clock.ts'
import type { App } from '../../data/apps.ts'
import type { Relation } from '../../data/relation.ts'
import type { User } from '../../data/users.ts'
import { OldServiceError } from '../../stores/old-service/failure.ts'
import type { CallResult, OldServiceLookup } from '../../stores/old-service/lookup.ts'
import { type ClientValue, callInParts, type Remainder } from '../../stores/old-service/split.ts'
import { createPace, wait } from '../pace.ts'
import { type IdRanges, idsFrom, sizeOf } from './id-ranges.ts'
import { type CopyJob, type CopyPosition, save } from './position.ts'
import { type CopyRow, type InvalidRow, readRow } from './rows.ts'

interface CopyOptions {
  readonly relation: Relation
  readonly ids: IdRanges
  readonly lookup: OldServiceLookup<User | App>
  /** Ids in a call. */
  readonly perCall: number
  /** Calls per second. */
  readonly rate: number
  /** Whether ids that cannot be copied are skipped, and go into the file of skipped ids. */
  readonly skipsInvalid: boolean
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
  readonly onProgress: (done: number, rows: number) => void
}

/** The results for a list of ids. */
interface ListResult {
  /** An id that is missing was not found. */
  readonly rows: ReadonlyMap<string, CopyRow>
  /** The length of the longest list that the service answered whole. */
  readonly longest: number
  readonly isSplit: boolean
}

/** The old service truncates lists. The message is for the operator. */
export class TruncatedLists extends Error {}

export class InvalidRows extends Error {
  readonly rows: readonly InvalidRow[]

  constructor(rows: readonly InvalidRow[]) {
    super('some ids cannot be copied')
    this.rows = rows
  }
}

/** Milliseconds before a failed call is repeated. */
const RETRY_DELAYS_MS = [1_000, 5_000, 15_000]
/** Until a call has succeeded, the health check looks up the ids at these distances. */
const CHECK_DISTANCES = [1, 2, 4, 8, 16, 32, 64, 128]
/** A copy is patient: it splits until each id has a call of its own. */
const UNLIMITED = { failed: Number.POSITIVE_INFINITY, refused: Number.POSITIVE_INFINITY }

/**
 * Copies the ids that are not done. Rows that were copied stay, whatever happens.
 * @throws OldServiceError if the old service stays down; the reason of the signal; TruncatedLists;
 * InvalidRows
 */
export async function copyRows(copy: CopyJob, options: CopyOptions): Promise<CopyPosition> {
  const { relation, ids, perCall, skipsInvalid, onProgress } = options
  let position = copy.position
  const lookUp = createLookUp(options, () =>
    CHECK_DISTANCES.flatMap((distance) => idsFrom(ids, position.done + distance, 1)),
  )
  const total = sizeOf(ids)
  let size = perCall
  let maxSize = perCall
  /** The number of rows from which on a response may be a truncated one. */
  let suspicious = 0

  /** Looks up the ids that are missing at the end: a service that truncates lists finds them alone. */
  async function refuseTruncation(list: readonly string[], { rows, isSplit }: ListResult): Promise<void> {
    const missing = list.slice(list.findLastIndex((id) => rows.has(id)) + 1)
    if (isSplit || rows.size === 0 || missing.length === 0 || rows.size < suspicious) return
    if ((await lookUp(missing)).rows.size > 0)
      throw new TruncatedLists(
        `the old service truncates lists: it returned ${rows.size} of ${list.length} ids. Set DATABASE_MAX_VALUES=${rows.size}, or lower.`,
      )
    suspicious = rows.size + 1
  }

  /**
   * If ids fail, the next list is so short that it has about one of them. If only long lists fail, it is no
   * longer than one that was answered. Lists grow again.
   */
  function adaptSize(list: readonly string[], { rows, longest, isSplit }: ListResult): void {
    const isBad = (row: CopyRow | undefined) => row === undefined || row instanceof Error
    const bad = list.filter((id) => isBad(rows.get(id))).length
    if (!isSplit) maxSize = Math.min(perCall, maxSize + 1)
    else if (bad === 0) maxSize = Math.max(1, longest)
    const isEasy = !isSplit && (list.length > 1 || bad === 0)
    const next = isEasy ? size * 2 : Math.floor(list.length / Math.max(1, bad))
    size = Math.max(1, Math.min(maxSize, next))
  }

  function saveRows(list: readonly string[], { rows }: ListResult): void {
    const read = list.flatMap((id) => {
      const row = rows.get(id)
      return row === undefined ? [] : [readRow(relation, id, row)]
    })
    const lines = read.filter((one) => typeof one === 'string')
    const invalid = read.filter((one) => typeof one !== 'string')
    if (invalid.length > 0 && !skipsInvalid) throw new InvalidRows(invalid)
    const skipped = invalid.map((one) => `${JSON.stringify(one)}\n`)
    const done = position.done + list.length
    const highest = Number(list.findLast((id) => rows.has(id)) ?? position.highest)
    position = save(copy, { ...position, done, highest }, lines, skipped)
    onProgress(position.done, position.rows)
  }

  while (position.done < total) {
    const list = idsFrom(ids, position.done, size)
    const outcome = await lookUp(list)
    await refuseTruncation(list, outcome)
    saveRows(list, outcome)
    adaptSize(list, outcome)
  }
  return position
}

/**
 * @param idsToCheck ids for the health check before any call has succeeded
 * @returns a function that looks up ids; it throws an OldServiceError if the service stays down
 */
function createLookUp({ lookup, rate, signal, clock }: CopyOptions, idsToCheck: () => readonly string[]) {
  const pace = createPace(rate, clock)
  /** An id of a call that succeeded. */
  let knownId: string | null = null

  async function tryCall(ids: readonly string[]): Promise<CallResult<User | App> | OldServiceError> {
    await pace(signal)
    signal.throwIfAborted()
    try {
      const result = await lookup.call(new Set(ids))
      const [found] = result.found.keys()
      knownId = found ?? knownId ?? ids[0] ?? null
      return result
    } catch (error) {
      if (error instanceof OldServiceError) return error
      throw error
    }
  }

  async function isHealthy(): Promise<boolean> {
    for (const id of knownId === null ? idsToCheck() : [knownId])
      if (!((await tryCall([id])) instanceof OldServiceError)) return true
    return false
  }

  /**
   * @returns an error if the ids are the reason of the failure @throws OldServiceError if the service is down
   */
  async function callWithRetries(ids: readonly string[]): Promise<CallResult<User | App> | OldServiceError> {
    for (let attempt = 0; ; attempt++) {
      const result = await tryCall(ids)
      if (!(result instanceof OldServiceError)) return result
      const isDenied = [401, 403].includes(result.status ?? 0) && knownId === null
      if (result.kind === 'unusable' && !isDenied) {
        if (ids.length > 1) return result
        // The first failure may be chance.
        if (attempt === 1 && (await isHealthy())) return result
      }
      const delay = RETRY_DELAYS_MS[attempt]
      if (result.kind === 'redirected' || delay === undefined) throw result
      await wait(delay, signal, clock)
    }
  }

  return async (ids: readonly string[]): Promise<ListResult> => {
    const rows = new Map<string, CopyRow>()
    let longest = 0

    async function call(values: readonly ClientValue[]): Promise<Remainder<ClientValue>> {
      const result = await callWithRetries(values.map(({ text }) => text))
      if (result instanceof OldServiceError) return { values, reason: result }
      for (const [id, row] of result.found) rows.set(id, row)
      if (result.unclear.size === 0) longest = Math.max(longest, values.length)
      return { values: values.filter(({ text }) => result.unclear.has(text)), reason: result.reason }
    }

    const { stopReason, splitFor } = await callInParts([ids.map((text) => ({ text, client: null }))], {
      ...{ width: 1, maxSplits: UNLIMITED, begin: async () => () => {}, call },
      fail: (values, reason) => {
        for (const { text } of values) rows.set(text, reason)
      },
    })
    if (stopReason !== null) throw stopReason
    return { rows, longest, isSplit: splitFor !== null }
  }
}
