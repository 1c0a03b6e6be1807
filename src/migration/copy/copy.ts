// Copies rows of an old service into a state file: one call at a time, at a limited rate. A call is repeated
// while the service is down. A list that fails is halved until the ids that cannot be copied are alone.

import type { Clock } from '../../clock.ts'
import type { App } from '../../data/apps.ts'
import type { Relation } from '../../data/relation.ts'
import type { User } from '../../data/users.ts'
import { OldServiceError } from '../../stores/old-service/failure.ts'
import type { CallResult, OldServiceLookup } from '../../stores/old-service/lookup.ts'
import { createPace, wait } from '../pace.ts'
import { type IdRanges, idsFrom, sizeOf } from './id-ranges.ts'
import { type CopyRow, describeInvalid, readRow } from './rows.ts'
import type { CopyPosition, CopyState } from './state.ts'

interface CopyOptions {
  readonly relation: Relation
  readonly ids: IdRanges
  readonly lookup: OldServiceLookup<User | App>
  /** Ids in a call. */
  readonly perCall: number
  /** Calls per second. */
  readonly rate: number
  /** Whether ids that cannot be copied are skipped, and listed for the operator. */
  readonly skipsInvalid: boolean
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
  readonly onProgress: (done: number, rows: number) => void
}

/** The results for a list of ids. */
interface ListResult {
  /** An id that is missing was not found. */
  readonly rows: ReadonlyMap<string, CopyRow>
  readonly isSplit: boolean
}

/** The responses cannot be imported. The message is for the operator. */
export class CopyFailure extends Error {}

/** Milliseconds before a failed call is repeated. */
const RETRY_DELAYS_MS = [1_000, 5_000, 15_000]

/**
 * Copies the ids that are not done. Rows that were copied stay, whatever happens.
 * @throws OldServiceError if the old service stays down; CopyFailure; the reason of the signal
 */
export async function copyRows(state: CopyState, options: CopyOptions): Promise<CopyPosition> {
  const { relation, ids, perCall, skipsInvalid, onProgress } = options
  const lookUp = createLookUp(options)
  const total = sizeOf(ids)
  let { position } = state
  /** The number of rows from which on a response may be a truncated one. */
  let suspicious = 0

  /** Looks up the ids that are missing at the end: a service that truncates lists finds them alone. */
  async function refuseTruncation(list: readonly string[], { rows, isSplit }: ListResult): Promise<void> {
    const missing = list.slice(list.findLastIndex((id) => rows.has(id)) + 1)
    if (isSplit || rows.size === 0 || missing.length === 0 || rows.size < suspicious) return
    if ((await lookUp(missing)).rows.size > 0)
      throw new CopyFailure(
        `the old service truncates lists: it returned ${rows.size} of ${list.length} ids. Set DATABASE_MAX_VALUES=${rows.size}, or lower. Nothing was changed.`,
      )
    suspicious = rows.size + 1
  }

  function saveRows(list: readonly string[], { rows }: ListResult): void {
    const read = list.flatMap((id) => {
      const row = rows.get(id)
      return row === undefined ? [] : [readRow(relation, id, row)]
    })
    const lines = read.filter((one) => typeof one === 'string')
    const invalid = read.filter((one) => typeof one !== 'string')
    if (invalid.length > 0 && !skipsInvalid) throw new CopyFailure(describeInvalid(invalid))
    const next = {
      done: position.done + list.length,
      rows: position.rows + lines.length,
      skipped: position.skipped + invalid.length,
      highest: Number(list.findLast((id) => rows.has(id)) ?? position.highest),
    }
    state.save(next, lines.join(''), invalid.map((one) => `${JSON.stringify(one)}\n`).join(''))
    position = next
    onProgress(position.done, position.rows)
  }

  while (position.done < total) {
    const list = idsFrom(ids, position.done, perCall)
    const result = await lookUp(list)
    await refuseTruncation(list, result)
    saveRows(list, result)
  }
  return position
}

/** @returns a function that looks up ids; it throws an OldServiceError if the service stays down */
function createLookUp({ lookup, rate, signal, clock }: CopyOptions) {
  const pace = createPace(rate, clock)
  /** An id of a call that succeeded, for the health check. */
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
        const isHealthy = attempt === 1 && knownId !== null && !((await tryCall([knownId])) instanceof Error)
        if (isHealthy) return result
      }
      const delay = RETRY_DELAYS_MS[attempt]
      if (result.kind === 'redirected' || delay === undefined) throw result
      await wait(delay, signal, clock)
    }
  }

  return async (ids: readonly string[]): Promise<ListResult> => {
    const rows = new Map<string, CopyRow>()
    const lists = [ids]
    let isSplit = false
    for (let list = lists.shift(); list !== undefined; list = lists.shift()) {
      const result = await callWithRetries(list)
      const { found, unclear, reason } =
        result instanceof OldServiceError
          ? { found: new Map(), unclear: new Set(list), reason: result }
          : result
      for (const [id, row] of found) rows.set(id, row)
      const open = list.filter((id) => unclear.has(id))
      const [first = ''] = open
      if (reason === null) continue
      if (open.length < list.length) lists.push(open)
      else if (open.length === 1) rows.set(first, reason)
      else {
        isSplit = true
        const half = Math.ceil(open.length / 2)
        lists.push(open.slice(0, half), open.slice(half))
      }
    }
    return { rows, isSplit }
  }
}
