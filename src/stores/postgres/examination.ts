// What a probe asks a server, and what its answer means for whether the server is used.

import type { Observe } from '../../observation.ts'
import { describeError, isConnectionLost, isPassing, isServerFull, QueryTimeout, sqlState } from './errors.ts'
import { createHistoryProbe, createWalPositionReader, Diverged, type WalPosition } from './history.ts'
import { createLagProbe, Lag, type LagMeter } from './lag.ts'
import type { Pool } from './pool.ts'
import { askById, type Question, statements } from './statements.ts'

/** Milliseconds that a probe waits for an answer. */
export const PROBE_TIMEOUT_MS = 500
/** How often a server is probed until it goes well; and where connections are lost. */
const MAX_PROBES = 2
const MAX_PROBES_IF_LOST = 5

/** `faulty` is what can be reached, and lags or does not answer as it should: used where nothing else is. */
export type ServerState = 'fit' | 'faulty' | 'out'

/** What the servers know of each other, where there are several. */
export interface Replication {
  readonly lag: LagMeter
  readonly isPrimaryOut: () => boolean
  /** Where the primary is; `null` where it cannot be asked. */
  readonly readPrimary: () => Promise<WalPosition | null>
}

export interface Examination {
  /** @throws where the server is not fit to be used */
  readonly examine: () => Promise<void>
  /**
   * The part of it that compares its history with the primary's. @throws Diverged, or where it cannot be
   * asked
   */
  readonly compare: () => Promise<void>
  /** @throws where it cannot be asked */
  readonly readWalPosition: () => Promise<WalPosition | null>
}

/** @param replication `null` for a lone server */
export function createExamination(
  pool: Pool,
  server: { readonly address: string; readonly isReplica: boolean },
  replication: Replication | null,
  observe: Observe,
): Examination {
  const ask = (question: Question) => pool.ask(question, PROBE_TIMEOUT_MS)
  const { address, isReplica } = server
  const probeLag = createLagProbe(ask, replication?.lag ?? null, isReplica, (error) =>
    observe({ type: 'lag-unknown', server: address, reason: describeError(error) }),
  )
  const readWalPosition = createWalPositionReader(ask, (error) =>
    observe({ type: 'history-unknown', server: address, reason: describeError(error) }),
  )
  const compare =
    replication === null || !isReplica
      ? async () => {}
      : createHistoryProbe(readWalPosition, replication.readPrimary)

  /** The very lookups that requests make, and how far it is. */
  async function examineOnce(): Promise<void> {
    await ask(askById(statements.usersById, ['0']))
    await ask(askById(statements.appsById, ['0']))
    await probeLag()
    await compare()
  }

  /** Again where it fails. A connection that is lost says nothing about the server. */
  async function examine(): Promise<void> {
    for (let time = 1; ; time++) {
      try {
        await examineOnce()
        return
      } catch (error) {
        const most = isConnectionLost(error) ? MAX_PROBES_IF_LOST : MAX_PROBES
        if (time >= most || error instanceof QueryTimeout || isJudged(error)) throw error
      }
    }
  }

  return { examine, compare, readWalPosition }
}

export function stateAfter(error: unknown): ServerState {
  // Of a full server, the connections that there are go on: they must not be cut.
  if (isJudged(error) || isServerFull(error)) return 'faulty'
  return sqlState(error) === null || isPassing(error) ? 'out' : 'faulty'
}

/** Whether the server answered well, and what it said is the trouble. */
function isJudged(error: unknown): boolean {
  return error instanceof Lag || error instanceof Diverged
}
