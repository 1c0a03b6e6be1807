// Asks for a list of ids, by halves where the service refuses it or fails: for an id that it does not have,
// for an entry that it cannot write, or since the list is too long.
//
// A list of n ids takes one call where all are answered. Where u of them are not, it takes at most 2 u log₂ n
// calls, and never more than 2 n; where the refusal names the unknown id, it takes u + 1 calls.

import { OldServiceError } from '../../stores/old-service/failure.ts'
import type { AskForRows, Row } from './calls.ts'

/** Ids that follow one another, and what became of them. */
export interface Stretch {
  readonly ids: readonly string[]
  /** Rows, and errors; an id that is in neither was not found. */
  readonly outcomes: ReadonlyMap<string, Row | Error>
}

/** Gives stretches in the order of the ids, each as soon as it is settled. */
export function askByHalves(ids: readonly string[], ask: AskForRows): AsyncGenerator<Stretch> {
  /** What refusals have named. */
  const missing = new Set<string>()

  /**
   * @param isRefused whether a call for these was refused, in effect: their neighbours were not the reason
   * @returns whether they were answered in one call
   */
  async function* settle(some: readonly string[], isRefused: boolean): AsyncGenerator<Stretch, boolean> {
    let wasRefused = isRefused
    for (;;) {
      const open = some.filter((id) => !missing.has(id))
      if (open.length === 0) {
        yield { ids: some, outcomes: new Map() }
        return false
      }
      // What stands alone is asked for in any case: nothing is taken for unknown that was not said to be.
      if (wasRefused && open.length > 1) break
      const answer = await ask(open)
      const failure = answer instanceof OldServiceError ? answer : answer.reason
      if (!(answer instanceof OldServiceError) && answer.unclear.size === 0 && failure?.kind !== 'refused') {
        yield { ids: some, outcomes: answer.found }
        return open.length === some.length
      }
      const named =
        answer instanceof OldServiceError || failure?.kind !== 'refused'
          ? []
          : open.filter((id) => !answer.unclear.has(id))
      for (const id of named) missing.add(id)
      if (named.length > 0) continue
      const [only = ''] = open
      if (open.length === 1 && failure !== null) {
        yield { ids: some, outcomes: new Map([[only, failure]]) }
        return false
      }
      wasRefused = failure?.kind === 'refused'
      break
    }
    const half = Math.ceil(some.length / 2)
    const isFirstFine = yield* settle(some.slice(0, half), false)
    yield* settle(some.slice(half), isFirstFine && wasRefused)
    return false
  }

  return settle(ids, false)
}
