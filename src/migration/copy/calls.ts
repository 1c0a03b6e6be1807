// The calls of a copy: one at a time, at a limited rate, and repeated while the old service is in trouble.

import type { Clock } from '../../clock.ts'
import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import { OldServiceError } from '../../stores/old-service/failure.ts'
import type { Answer, Lookup } from '../../stores/old-service/lookup.ts'
import { callInParts, type Remainder, type Value } from '../../stores/old-service/split.ts'
import { createPace, wait } from '../pace.ts'

export type Row = User | App

/** The results for a list of ids. */
export interface Outcome {
  /** Rows, and errors. An id without an outcome was not found. */
  readonly rows: ReadonlyMap<string, Row | Error>
  /** The length of the longest list that the service answered whole. */
  readonly longest: number
  readonly isSplit: boolean
}

interface CopyCallsOptions {
  readonly lookup: Lookup<Row>
  /** Calls per second. */
  readonly rate: number
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
  /** Other ids, to see whether the service is well before it has answered any. */
  readonly others: () => readonly string[]
}

/** Milliseconds before a failed call is repeated. */
const PAUSES = [1_000, 5_000, 15_000]
/** A copy is patient: it splits until each id has a call of its own. */
const UNLIMITED = { failed: Number.POSITIVE_INFINITY, refused: Number.POSITIVE_INFINITY }

/** @throws OldServiceError if the service is in trouble; the reason of the signal */
export function createCopyCalls({ lookup, rate, signal, clock, others }: CopyCallsOptions) {
  const pace = createPace(rate, clock)
  let known: string | null = null

  async function ask(ids: readonly string[]): Promise<Answer<Row> | OldServiceError> {
    await pace(signal)
    signal.throwIfAborted()
    try {
      const answer = await lookup.ask(new Set(ids))
      const [found] = answer.found.keys()
      known = found ?? known ?? ids[0] ?? null
      return answer
    } catch (error) {
      if (error instanceof OldServiceError) return error
      throw error
    }
  }

  /** Whether the service answers for other ids. */
  async function isWell(): Promise<boolean> {
    for (const other of known === null ? others() : [known])
      if (!((await ask([other])) instanceof OldServiceError)) return true
    return false
  }

  /** @returns the error of a call that fails because of its ids @throws that of a service in trouble */
  async function askPatiently(ids: readonly string[]): Promise<Answer<Row> | OldServiceError> {
    for (let attempt = 0; ; attempt++) {
      const answer = await ask(ids)
      if (!(answer instanceof OldServiceError)) return answer
      const isDenied = [401, 403].includes(answer.status ?? 0) && known === null
      if (answer.kind === 'unusable' && !isDenied) {
        if (ids.length > 1) return answer
        // One failure may be bad luck.
        if (attempt === 1 && (await isWell())) return answer
      }
      const pause = PAUSES[attempt]
      if (answer.kind === 'redirected' || pause === undefined) throw answer
      await wait(pause, signal, clock)
    }
  }

  return async (ids: readonly string[]): Promise<Outcome> => {
    const rows = new Map<string, Row | Error>()
    let longest = 0

    async function call(values: readonly Value[]): Promise<Remainder<Value>> {
      const answer = await askPatiently(values.map(({ text }) => text))
      if (answer instanceof OldServiceError) return { values, reason: answer }
      for (const [id, row] of answer.found) rows.set(id, row)
      if (answer.unclear.size === 0) longest = Math.max(longest, values.length)
      return { values: values.filter(({ text }) => answer.unclear.has(text)), reason: answer.reason }
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
