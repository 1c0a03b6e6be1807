// Several servers that hold the same data, asked as if they were one: the least busy that is fit, the primary
// of replicas last. A query that fails on one goes once to another, as long as few do. Where servers cannot
// be reached, it is asked again until there is no time left.

import { setTimeout as pause } from 'node:timers/promises'
import type { Callers } from '../../caller.ts'
import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { Observe } from '../../observe/events.ts'
import { UnusableDatabase } from '../store.ts'
import { createRetryBudget } from './budget.ts'
import { choose as chooseFrom } from './choice.ts'
import type { Engine, Question, Row } from './engine.ts'
import { createLagMeter } from './lag.ts'
import { createNodeLag } from './node.ts'
import { createPrimaryReader, type Replication } from './replication.ts'
import { createRevival } from './revival.ts'
import { type Attempt, openServer, type Server } from './server.ts'

/** Milliseconds before a query that has failed twice is asked again; then twice as long, and so on. */
const RETRY_PAUSE_MS = 10
/** Milliseconds that a server has beyond the time-out, to say itself that it was too slow. */
const GRACE_MS = 100

interface Servers {
  /**
   * Looks at all of them before the first request. One that cannot be reached is left out until it can be.
   * @throws UnusableDatabase where none can be reached, or one needs mending
   */
  readonly check: () => Promise<void>
  /** @param callers the clients that wait for it; it may be cancelled once all have left */
  readonly ask: (question: Question, callers?: Callers) => Promise<readonly Row[]>
  /** How many queries may be under way at a time. */
  readonly capacity: () => number
  readonly close: () => Promise<void>
}

export function openServers(engine: Engine, location: ServersLocation, observe: Observe): Servers {
  const { addressOf, describeError, isConnectionLost, isPassing, isWorthRetrying, unusable } = engine.errors
  const { url, peers, replicas, timeout, maxLag } = location
  const isPrimaryOut = () => primary.state() === 'out'
  const readPrimary = createPrimaryReader(
    {
      address: addressOf(url),
      describeError,
      isOut: isPrimaryOut,
      readPosition: () => primary.readPosition(),
    },
    observe,
  )
  const createMeter = () => createLagMeter(maxLag * 1000)
  const hosts = [url, ...peers].map(addressOf)
  const isAlone = peers.length + replicas.length === 0
  const replication: Replication | null = isAlone
    ? null
    : { lag: createMeter(), nodes: createNodeLag(createMeter(), hosts), isPrimaryOut, readPrimary }
  const open = (setting: DatabaseSetting, one: string): Server =>
    openServer(engine, setting, one, location, replication, observe)
  const primary = open('DATABASE_URL', url)
  const all = [
    primary,
    ...peers.map((peer) => open('DATABASE_URL', peer)),
    ...replicas.map((replica) => open('DATABASE_REPLICA_URLS', replica)),
  ]
  for (const { address } of all) observe({ type: 'server-known', server: address })
  const revival = createRevival(all)
  const budget = createRetryBudget()
  const patience = timeout + GRACE_MS
  let lastCapacity = all.length * location.connections

  const choose = (except: Server | null) => chooseFrom(all, except)

  async function ask(question: Question, callers: Callers = []): Promise<readonly Row[]> {
    const deadline = performance.now() + timeout
    refuseIfSilent(question)
    const first = choose(null) ?? (await untilOneIsFit(deadline))
    if (first === null) throw new Error('no database server is fit to be used')
    let isPaid = false
    // Slow is better than nothing: only another that is known to be well is worth leaving for.
    const mayLeave = () => {
      isPaid = all.some((server) => server !== first && isWell(server)) && budget.take()
      return isPaid
    }
    try {
      const rows = await first.ask({ question, callers, patience, mayLeave })
      budget.earn()
      return rows
    } catch (error) {
      // That a session was ended says nothing about the server, so that it costs nothing of the budget.
      const isFree = isPaid || isConnectionLost(error)
      if (!isWorthRetrying(error) || !(isFree || budget.hasAny())) throw error
      const second = choose(first) ?? (await lastChance(error, first, deadline))
      if (second === null) throw error
      if (!isFree) budget.take()
      retried(first, error)
      return askOn({ question, callers, patience, mayLeave: () => false }, second, deadline)
    }
  }

  /** Queries that wait for a locked table would take the connections from those of the other. */
  function refuseIfSilent(question: Question): void {
    const used = all.filter((server) => server.state() !== 'out')
    const silences = used.map((server) => server.silenceAbout(question))
    if (silences[0] && !silences.includes(null)) throw silences[0]
  }

  /** Asks until there is an answer, an error that is not about reaching the server, or no time. */
  async function askOn(attempt: Attempt, first: Server, deadline: number): Promise<readonly Row[]> {
    let server = first
    for (let wait = RETRY_PAUSE_MS; ; wait *= 2) {
      try {
        return await server.ask(attempt)
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
    // In the order of the URLs, whichever failed first.
    const problems = all.flatMap((server) => {
      const error = failed.get(server)
      if (!failed.has(server) || (!hopeless && isPassing(error))) return []
      return [unusable(server.setting, server.url, error).message]
    })
    if (problems.length > 0) throw new UnusableDatabase(problems.join('\n'))
    if (all.length === 1) return
    // Which cluster most hosts are in has to be known before the first of them is judged by it.
    const named = all.slice(0, 1 + peers.length)
    if (peers.length > 0) await Promise.all(named.map((host) => host.readPosition().catch(() => null)))
    // Which of several has other data than the primary, or old ones, is known before the first request, too.
    const probe = (server: Server) => server.probe().catch(() => {})
    await probe(primary)
    await Promise.all(all.map((server) => server === primary || probe(server)))
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
