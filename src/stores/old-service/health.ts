// Whether an old service answers lookups of one kind. It tells a service in trouble from a value that makes a
// call fail.

import { type Clock, systemClock } from '../../clock.ts'
import { OldServiceError } from './failure.ts'

export interface Health {
  /** Notes an answer, and a value that it found. */
  readonly noteAnswer: (found?: string) => void
  /** Whether any call was answered after this time (of the clock). */
  readonly hasAnsweredSince: (time: number) => boolean
  /** Asks for a value that the service found before. Queries that ask at the same time share the call. */
  readonly check: () => Promise<boolean>
}

/** @param ask rejects with an OldServiceError where the service does not answer */
export function createHealth(ask: (value: string) => Promise<unknown>, clock: Clock = systemClock): Health {
  // Until a value was found. A service that answers "not found" to this one is well.
  let known = '1'
  let answered = Number.NEGATIVE_INFINITY
  let checking: Promise<boolean> | null = null

  async function askForKnown(): Promise<boolean> {
    try {
      await ask(known)
      answered = clock.now()
      return true
    } catch (error) {
      if (error instanceof OldServiceError) return false
      throw error
    } finally {
      checking = null
    }
  }

  return {
    noteAnswer: (found = known) => {
      known = found
      answered = clock.now()
    },
    hasAnsweredSince: (time) => answered > time,
    check: () => (checking ??= askForKnown()),
  }
}
