// The calls of one query. They use at most half of the connections at a time; the others wait for their turn.

import type { LookupError } from '../../errors.ts'
import { type Connections, lineUp, type Round } from './connections.ts'

interface Calls {
  /**
   * Makes a call when it is its turn.
   * @param patience milliseconds to wait for a connection, asked for when the waiting begins
   * @throws LookupError `Overloaded` if no connection was free for so long, or the error that stopped the
   * query
   */
  readonly run: <Result>(round: Round, patience: () => number, call: () => Promise<Result>) => Promise<Result>
  /** No further call is made. The first error counts. */
  readonly stop: (error: LookupError) => void
  /** The error that stopped the query. */
  readonly stopped: () => LookupError | null
}

interface Queued {
  readonly round: Round
  readonly start: () => void
}

export function createCalls(connections: Connections): Calls {
  const queue: Queued[] = []
  let underWay = 0
  let stopped: LookupError | null = null

  /**
   * One call of a query waits for a connection. A second one only takes a free connection, so that a query
   * with many calls does not lengthen the line for other queries.
   */
  const mayStart = (round: Round) =>
    stopped !== null || underWay === 0 || (underWay < connections.half && connections.isFree(round))

  function startNext(): void {
    for (let next = queue[0]; next !== undefined && mayStart(next.round); next = queue[0]) {
      queue.shift()
      underWay++
      next.start()
    }
  }

  async function runNow<Result>(
    round: Round,
    patience: number,
    call: () => Promise<Result>,
  ): Promise<Result> {
    try {
      if (stopped !== null) throw stopped
      await connections.take(round, patience)
      try {
        if (stopped !== null) throw stopped
        return await call()
      } finally {
        connections.giveBack(round)
      }
    } finally {
      underWay--
      startNext()
    }
  }

  return {
    run: (round, patience, call) =>
      new Promise((resolve, reject) => {
        lineUp(queue, { round, start: () => runNow(round, patience(), call).then(resolve, reject) })
        startNext()
      }),
    stop: (error) => {
      stopped ??= error
      startNext()
    },
    stopped: () => stopped,
  }
}
