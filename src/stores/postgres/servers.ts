// Several servers that hold the same data, asked as if they were one: the least busy replica that is fit, the
// primary last. A query that fails on one goes once to another, as long as few do. Where servers cannot be
// reached, it is asked again until there is no time left.

import { setTimeout as pause } from 'node:timers/promises'
import type { Observe } from '../../observation.ts'
import type { PostgresLocation } from '../../settings.ts'
import { UnusableDatabase } from '../store.ts'
import { choose as chooseFrom } from './choice.ts'
import { describeError, isConnectionLost, isPassing, isWorthRetrying, unusable } from './errors.ts'
import type { Replication } from './examination.ts'
import type { WalPosition } from './history.ts'
import { createLagMeter } from './lag.ts'
import type { Row } from './pool.ts'
import { createRevival } from './revival.ts'
import { openServer, type Server } from './server.ts'
import type { Question } from './statements.ts'

/** How many second attempts there may be at once, */
const MAX_RETRIES = 20
/** and for each query that goes well, how much of another one. */
const RETRIES_EARNED_PER_QUERY = 0.1
/** Milliseconds before a query that has failed twice is asked again; then twice as long, and so on. */
const RETRY_PAUSE_MS = 10
/** Milliseconds that a replica's probe waits for the primary to say where it is. */
const PRIMARY_PATIENCE_MS = 150
/** Milliseconds that a server has beyond the time-out, to say itself that it was too slow. */
const GRACE_MS = 100

export interface Servers {
  /**
   * Looks at all of them before the first request. One that cannot be reached is left out until it can be.
   * @throws UnusableDatabase where none can be reached, or one needs mending
   */
  readonly check: () => Promise<void>
  readonly ask: (question: Question) => Promise<readonly Row[]>
  /** How many queries may be under way at a time. */
  readonly capacity: () => number
  readonly close: () => Promise<void>
}

export function openServers(location: PostgresLocation, observe: Observe): Servers {
  const { url, replicas, timeout, maxLag } = location
  const isPrimaryOut = () => primary.state() === 'out'
  const replication: Replication | null =
    replicas.length === 0 ? null : { lag: createLagMeter(maxLag * 1000), isPrimaryOut, readPrimary }
  const primary: Server = openServer('DATABASE_URL', url, location, replication, observe)
  const all = [
    primary,
    ...replicas.map((replica) =>
      openServer('DATABASE_REPLICA_URLS', replica, location, replication, observe),
    ),
  ]
  for (const { address } of all) observe({ type: 'server-known', server: address })
  const revival = createRevival(all)
  let budget = MAX_RETRIES
  let lastCapacity = all.length * location.connections

  const choose = (except: Server | null) => chooseFrom(all, except)

  async function readPrimary(): Promise<WalPosition | null> {
    // A primary that says nothing keeps no replica from being found well.
    if (isPrimaryOut() || primary.isSuspect()) return null
    const late = pause(PRIMARY_PATIENCE_MS, null, { ref: false })
    return Promise.race([primary.readWalPosition().catch(() => null), late])
  }

  async function ask(question: Question): Promise<readonly Row[]> {
    const deadline = performance.now() + timeout
    const first = choose(null) ?? (await untilOneIsFit(deadline))
    if (first === null) throw new Error('no database server is fit to be used')
    // Slow is better than nothing: only another that is known to be well is worth leaving for.
    let reserved = false
    const mayLeave = () => {
      if (budget < 1 || !all.some((server) => server !== first && isWell(server))) return false
      budget--
      reserved = true
      return true
    }
    try {
      const rows = await first.ask(question, timeout + GRACE_MS, mayLeave)
      budget = Math.min(MAX_RETRIES, budget + RETRIES_EARNED_PER_QUERY)
      return rows
    } catch (error) {
      // That a session was ended says nothing about the server, so that it costs nothing of the budget.
      const isFree = reserved || isConnectionLost(error)
      if (!isWorthRetrying(error) || !(isFree || budget >= 1)) throw error
      const second = choose(first) ?? (await lastChance(error, first, deadline))
      if (second === null) throw error
      if (!isFree) budget--
      retried(first, error)
      return askOn(question, second, deadline)
    }
  }

  /** Asks until there is an answer, an error that is not about reaching the server, or no time. */
  async function askOn(question: Question, first: Server, deadline: number): Promise<readonly Row[]> {
    let server = first
    for (let wait = RETRY_PAUSE_MS; ; wait *= 2) {
      try {
        return await server.ask(question, timeout + GRACE_MS)
      } catch (error) {
        if (!isPassing(error) || performance.now() + wait > deadline) throw error
        await pause(wait)
        const next = choose(server) ?? choose(null) ?? (await untilOneIsFit(deadline))
        if (next === null) throw error
        retried(server, error)
        server = next
      }
    }
  }

  function retried({ address }: Server, error: unknown): void {
    observe({ type: 'store-retried', server: address, reason: describeError(error) })
  }

  /**
   * Where there is no other server: this one over a new connection if only the old one was lost, or the first
   * to be fit.
   */
  async function lastChance(error: unknown, first: Server, deadline: number): Promise<Server | null> {
    if (!isPassing(error)) return null
    return isConnectionLost(error) && first.state() !== 'out' ? first : untilOneIsFit(deadline)
  }

  async function untilOneIsFit(deadline: number): Promise<Server | null> {
    await revival.wait(deadline)
    return choose(null)
  }

  function capacity(): number {
    const well = all.filter(isWell)
    const used = well.length > 0 ? well : all.filter((server) => server.state() !== 'out')
    // Queries that wait for a server are let in as if it were there.
    if (used.length > 0 || !revival.isUnderWay())
      lastCapacity = used.reduce((sum, server) => sum + server.connections, 0)
    return lastCapacity
  }

  async function check(): Promise<void> {
    const failed = new Map<Server, unknown>()
    await Promise.all(
      all.map((server) => server.check().catch((error: unknown) => failed.set(server, error))),
    )
    const hopeless = failed.size === all.length
    const problems = [...failed].filter(([, error]) => hopeless || !isPassing(error))
    if (problems.length > 0)
      throw new UnusableDatabase(
        problems.map(([{ setting, url }, error]) => unusable(setting, url, error).message).join('\n'),
      )
    // Which of several has other data than the primary is known before the first request, too.
    const look = (server: Server) => (failed.has(server) ? server.probe().catch(() => {}) : server.compare())
    await Promise.all(all.map(look))
  }

  return {
    check,
    ask,
    capacity,
    close: async () => {
      await Promise.all(all.map((server) => server.close()))
    },
  }
}

function isWell(server: Server): boolean {
  return server.state() === 'fit' && !server.isSuspect()
}
