// Several servers that hold the same data, queried as if they were one. A query that fails on a server, or
// has no response from it for 150 ms, goes to another server.
//
// 1. `run` takes the server that `choose` returns. If no server is usable, `untilUsable` waits for a
//    health check that finds one, up to 500 ms.
// 2. `patience` decides how long to wait for the response.
// 3. After an error, `suspect` moves the server to the end, and `run` retries if a retry may help.
//
// server.ts has the state of one server; group.ts decides whether its data is current. A change here may turn
// the loss of one server into failed requests (promises 1 and 2): run the faults tests of both.

import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { Observe } from '../../observe/events.ts'
import { UnusableDatabase } from '../store.ts'
import { SilentTable, UnusableRelation } from './check.ts'
import type { Engine, ServerRow, Statement } from './driver.ts'
import { createGroup, UnfitServer } from './group.ts'
import { isOut, openServer, type StoreServer } from './server.ts'

/** Milliseconds without a response after which another server is preferred. */
const SILENCE_MS = 150
/** Milliseconds for which queries wait after the last server went out. */
const REVIVAL_MS = 500
const REVIVAL_PAUSE_MS = 20
/** Milliseconds beyond the timeout, in which the server itself reports that a statement took too long. */
const GRACE_MS = 100
/**
 * Attempts of a query; more if its server is down, or refuses the login after a new password: several servers
 * may go down at once, and the last one still works.
 */
const ATTEMPTS = 2
const ATTEMPTS_IF_DOWN = 5

export type Servers = ReturnType<typeof openServers>

export function openServers(engine: Engine, location: ServersLocation, observe: Observe) {
  const { errors } = engine
  const { url, peers, replicas, timeout, maxLag } = location
  const isAlone = peers.length + replicas.length === 0
  const group = isAlone ? null : createGroup(engine, maxLag, () => primary.member, observe)
  const open = (setting: DatabaseSetting, one: string): StoreServer =>
    openServer(engine, setting, one, location, group, observe)
  const primary = open('DATABASE_URL', url)
  const all = [
    primary,
    ...peers.map((peer) => open('DATABASE_URL', peer)),
    ...replicas.map((replica) => open('DATABASE_REPLICA_URLS', replica)),
  ]
  for (const { address } of all) observe({ type: 'server-known', server: address })
  let reviving: Promise<void> | null = null
  let lastCapacity = all.length * location.connections

  async function run(statement: Statement): Promise<readonly ServerRow[]> {
    const deadline = performance.now() + timeout + GRACE_MS
    let failed: StoreServer | null = null
    let failure: unknown = null
    for (let attempt = 1; ; attempt++) {
      const server: StoreServer | null = choose(failed, statement) ?? (await untilUsable(statement, deadline))
      if (server === null) throw failure ?? noServer()
      if (failed !== null)
        observe({ type: 'store-retried', server: failed.address, reason: errors.describeError(failure) })
      try {
        return await server.query(statement, (waited) => patience(server, waited, attempt, deadline))
      } catch (error) {
        if (errors.isAboutData(error)) throw error
        suspect(server)
        const isDown = errors.isLoginRefused(error) || errors.isPassing(error)
        const isLast = attempt >= (isDown ? ATTEMPTS_IF_DOWN : ATTEMPTS)
        if (isLast || !errors.isWorthRetrying(error) || performance.now() >= deadline) throw error
        // The same server would fail again.
        if (!isDown && choose(server, statement) === null) throw error
        failed = server
        failure = error
      }
    }
  }

  /** Contains the current reason of each server, because the log has only the first reason. */
  function noServer(): Error {
    const reasons = all.flatMap(({ address, state }) => {
      const { reason } = state()
      return reason === null ? [] : [` ${address}: ${errors.describeError(reason)}`]
    })
    return new Error(`No database server is fit to be used.${reasons.join('')}`)
  }

  /**
   * Prefers other servers for a second. Checks all servers, since they may have failed for the same reason.
   */
  function suspect(server: StoreServer): void {
    server.suspect()
    for (const each of all) each.checkSoon()
  }

  /**
   * Returns how many more milliseconds to wait for a response; 0 gives the server up. A slow server is given
   * up only if another server is healthy, because a late response is better than none.
   * @param waited milliseconds so far
   */
  function patience(server: StoreServer, waited: number, attempt: number, deadline: number): number {
    if (waited > 0) {
      suspect(server)
      if (server.state().use === 'no') return 0
      if (attempt === 1 && all.some((other) => other !== server && isHealthy(other))) return 0
    }
    return Math.max(0, Math.min(SILENCE_MS, Math.ceil(deadline - performance.now())))
  }

  /**
   * Returns the server to query next: the server with the lowest penalty, and the first of equal servers.
   * @param except the server that has just failed
   * @throws SilentTable if the table of the statement gives no response on any server
   */
  function choose(except: StoreServer | null, { table }: Statement): StoreServer | null {
    const fresh = all.filter((server) => !isOut(server.state()))
    let best: StoreServer | null = null
    let silence: SilentTable | null = null
    // Old data is better than none.
    for (const server of fresh.length > 0 ? fresh : all.filter(isUsable)) {
      const { reason } = server.state()
      if (reason instanceof SilentTable && reason.table === table) silence = reason
      else if (server !== except && (best === null || penaltyOf(server) < penaltyOf(best))) best = server
    }
    // Queries of a locked table would occupy all connections, and the other table would fail, too.
    if (best === null && silence !== null) throw silence
    return best
  }

  /**
   * Waits until a check finds a server that can be used, but only in the half second after the last server
   * went out: it may be restarting.
   */
  async function untilUsable(statement: Statement, deadline: number): Promise<StoreServer | null> {
    const end = Math.min(deadline, REVIVAL_MS + Math.max(...all.map((server) => server.lastUsed())))
    for (let left = end - performance.now(); left > 0; left = end - performance.now()) {
      reviving ??= Promise.race(all.map((server) => server.check())).finally(() => {
        reviving = null
      })
      await Promise.race([reviving, pause(left, undefined, { ref: false })])
      const server = choose(null, statement)
      if (server !== null) return server
      await pause(REVIVAL_PAUSE_MS, undefined, { ref: false })
    }
    return null
  }

  function capacity(): number {
    const healthy = all.filter(isHealthy)
    const used = healthy.length > 0 ? healthy : all.filter(isUsable)
    // While queries wait for a server to come back, the gate keeps admitting as many as before.
    const isOver = performance.now() > REVIVAL_MS + Math.max(...all.map((server) => server.lastUsed()))
    if (used.length > 0 || isOver) lastCapacity = used.reduce((sum, server) => sum + server.connections, 0)
    return lastCapacity
  }

  /**
   * Checks all servers before the first request. A server that cannot be reached does not stop the start.
   * @throws UnusableDatabase if no server can be reached, or the operator has to fix one
   */
  async function check(): Promise<void> {
    const failures = new Map<StoreServer, unknown>()
    await Promise.all(
      all.map((server) => server.inspect().catch((error: unknown) => failures.set(server, error))),
    )
    // In the order of the URLs, whichever failed first.
    const problems = all.flatMap((server) => {
      const error = failures.get(server)
      const mayReturn = error instanceof UnfitServer || errors.isPassing(error)
      if (!failures.has(server) || (failures.size < all.length && mayReturn)) return []
      return [errors.unusable(server.setting, server.url, error).message]
    })
    if (problems.length > 0) throw new UnusableDatabase(problems.join('\n'))
    if (isAlone) return
    // The first request must know which servers have other data than the primary.
    await primary.check()
    await Promise.all(all.map((server) => (server === primary ? null : server.check())))
  }

  return {
    check,
    run,
    capacity,
    /** @throws if lookups would be refused because of their columns */
    requireColumns(): void {
      const reasons = all.filter(isUsable).map((server) => server.state().reason)
      const [first] = reasons
      if (reasons.every((reason) => reason instanceof UnusableRelation) && first !== undefined) throw first
    },
    close: async (): Promise<void> => {
      await Promise.all(all.map((server) => server.close()))
    },
  }
}

/**
 * A server with a higher penalty is chosen later. From the highest: a server of last resort, a suspect, a
 * server without a free connection, the primary (if there are replicas), a busy server.
 */
function penaltyOf(server: StoreServer): number {
  const busy = server.busy()
  return (
    (server.state().use === 'yes' ? 0 : 1_000_000) +
    (server.isSuspect() ? 100_000 : 0) +
    (busy >= server.connections ? 10_000 : 0) +
    (server.isReplica ? 0 : 1000) +
    busy
  )
}

function isHealthy(server: StoreServer): boolean {
  return server.state().use === 'yes' && !server.isSuspect()
}

function isUsable(server: StoreServer): boolean {
  return server.state().use !== 'no'
}
