// What a probe asks a server, and what its answer means for whether the server is used.

import type { Observe } from '../../observe/events.ts'
import type { Ask, Engine, Place } from './engine.ts'
import { type ErrorKinds, QueryTimeout } from './errors.ts'
import { Lag } from './lag.ts'
import { judgeNode, Unfit } from './node.ts'
import { createReplicaJudge, Diverged, type Replication } from './replication.ts'
import { askTables, SilentTable } from './table-probe.ts'

/** Milliseconds that a probe waits for each answer, at least and at most. */
const PATIENCE = { least: 500, most: 3000 }
/** How often a server is probed until it goes well; and where connections are lost. */
const MAX_PROBES = 2
const MAX_PROBES_IF_LOST = 5

/**
 * `faulty` is what can be reached, and lags or does not answer as it should: used where nothing else is.
 * `stale` is what gets no changes any more: used where not even that is.
 */
export type ServerState = 'fit' | 'faulty' | 'stale' | 'out'

/**
 * Half of what a lookup has: a server that takes longer is of no use to lookups. One that hangs is found out
 * soon, however long a lookup may take.
 * @param timeout milliseconds that a lookup has
 */
export function probePatience(timeout: number): number {
  return Math.min(Math.max(timeout / 2, PATIENCE.least), PATIENCE.most)
}

interface Examination {
  /** @throws where the server is not fit to be used */
  readonly examine: () => Promise<void>
  /** Where it is; `null` where that is unknown. @throws where it cannot be asked */
  readonly readPosition: () => Promise<Place | null>
}

/** @param replication `null` for a lone server */
export function createExamination(
  engine: Engine,
  ask: Ask,
  server: { readonly address: string; readonly isPrimary: boolean },
  replication: Replication | null,
  observe: Observe,
): Examination {
  const { errors, questions } = engine
  const { address, isPrimary } = server
  const read = engine.createPlaceReader(ask, replication !== null, (type, error) =>
    observe({ type, server: address, reason: errors.describeError(error) }),
  )
  const judge =
    replication === null || isPrimary
      ? async () => {}
      : createReplicaJudge(engine.compare, address, replication, observe)

  async function readPosition(): Promise<Place | null> {
    let place: Place | null = null
    try {
      place = await read()
    } finally {
      replication?.nodes.nodeIsAt(address, place?.node ?? null)
    }
    if (isPrimary && place?.acceptsWrites && place.position !== null)
      replication?.lag.primaryIsAt(place.position)
    return place
  }

  /** How far it is, and the very lookups that requests make. */
  async function examineOnce(): Promise<void> {
    const place = await readPosition()
    const node = place?.node ?? null
    await askTables(ask, questions, errors).catch((error: unknown) => {
      // Why it refuses them says more than that it does.
      throw errors.isUnready(error) && node?.trouble ? new Unfit(node.trouble.reason, 'out') : error
    })
    // A replica of the nodes may be named beside them: it accepts no writes.
    if (node !== null || isPrimary || place?.acceptsWrites) replication?.nodes.judgeMembership(address, node)
    if (place !== null) await judge(place)
    if (node !== null) judgeNode(address, node, replication?.nodes ?? null)
  }

  /** Again where it fails. A connection that is lost says nothing about the server. */
  async function examine(): Promise<void> {
    for (let time = 1; ; time++) {
      try {
        await examineOnce()
        return
      } catch (error) {
        const most = errors.isConnectionLost(error) ? MAX_PROBES_IF_LOST : MAX_PROBES
        if (time >= most || isTimeout(error, errors) || isJudged(error)) throw error
      }
    }
  }

  return { examine, readPosition }
}

export function stateAfter(error: unknown, errors: ErrorKinds): ServerState {
  if (error instanceof Unfit) return error.state
  // Of a full server, the connections that there are go on: they must not be cut.
  if (isJudged(error) || errors.isServerFull(error)) return 'faulty'
  return errors.codeOf(error) === null || errors.isPassing(error) ? 'out' : 'faulty'
}

function isTimeout(error: unknown, errors: ErrorKinds): boolean {
  return error instanceof QueryTimeout || errors.isConnectTimeout(error)
}

/** Whether the server answered well, and what it said is the trouble. */
function isJudged(error: unknown): boolean {
  return [Lag, Diverged, SilentTable, Unfit].some((kind) => error instanceof kind)
}
