// The calls of a copy: one at a time, no more than so many a second, and again where the service is in
// trouble.

import type { Clock } from '../../clock.ts'
import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import { OldServiceError, StatusError } from '../../stores/old-service/failure.ts'
import type { Answer, Lookup } from '../../stores/old-service/lookup.ts'
import { createPace, wait } from '../pace.ts'

export type Row = User | App

interface CopyCallsOptions {
  readonly lookup: Lookup<Row>
  /** Calls a second. */
  readonly rate: number
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
  /** Ids that are asked for where none was answered yet, to see whether the service is well. */
  readonly others: () => readonly string[]
}

/**
 * Asks for ids. @returns the failure of a call that one of its ids may be the reason of: the service answers
 * others
 * @throws OldServiceError where the service is in trouble; the signal's reason
 */
export type AskForRows = (ids: readonly string[]) => Promise<Answer<Row> | OldServiceError>

/** Milliseconds before a call that failed is made again. */
const PAUSES = [1_000, 5_000, 15_000]

export function createCopyCalls({ lookup, rate, signal, clock, others }: CopyCallsOptions): AskForRows {
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

  /** Whether it answers for other ids. */
  async function isWell(): Promise<boolean> {
    for (const other of known === null ? others() : [known])
      if (!((await ask([other])) instanceof OldServiceError)) return true
    return false
  }

  return async (ids) => {
    for (let attempt = 0; ; attempt++) {
      const answer = await ask(ids)
      if (!(answer instanceof OldServiceError)) return answer
      if (answer.kind === 'unusable' && !(isDenial(answer) && known === null)) {
        if (ids.length > 1) return answer
        // Once may be bad luck.
        if (attempt === 1 && (await isWell())) return answer
      }
      const pause = PAUSES[attempt]
      // It is redirected again and again.
      if (answer.kind === 'redirected' || pause === undefined) throw answer
      await wait(pause, signal, clock)
    }
  }
}

function isDenial(error: OldServiceError): boolean {
  return error instanceof StatusError && [401, 403].includes(error.reply.status)
}
