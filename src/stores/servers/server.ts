// One server, its health checks, and the state that they set: servers.ts chooses servers by this state. A
// query that fails, or waits too long, makes the server suspect for a second: lookups prefer other servers.

import { AsyncResource } from 'node:async_hooks'
import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { Observe } from '../../observe/events.ts'
import { checkRelations, SilentTable, UnusableRelation } from './check.ts'
import { openConnections } from './connections.ts'
import type { Engine, ReplicationState, RunStatement } from './driver.ts'
import { type Member, type ServerGroup, UnfitServer } from './group.ts'

/** Milliseconds between two checks of a server that is fit, and of one that is not. */
const CHECK_PAUSE_MS = { fit: 1000, unfit: 250 }
const SUSPECT_MS = 1000
/** Milliseconds between two checks that failed queries cause. */
const SUSPICION_PAUSE_MS = 100
/** Milliseconds that a check waits for each response: half the timeout of queries, within these limits. */
const CHECK_TIMEOUT_MS = { least: 500, most: 3000 }

/** `last resort`: it responds, but may lag; `stale`: used only if all others are `stale` or `no`. */
interface ServerState {
  readonly use: 'yes' | UnfitServer['use']
  readonly reason: unknown
}

export type StoreServer = ReturnType<typeof openServer>

export function openServer(
  engine: Engine,
  setting: DatabaseSetting,
  url: string,
  location: ServersLocation,
  group: ServerGroup | null,
  observe: Observe,
) {
  const { timeout } = location
  const { errors } = engine
  const address = errors.addressOf(url)
  const checkTimeout = Math.min(Math.max(timeout / 2, CHECK_TIMEOUT_MS.least), CHECK_TIMEOUT_MS.most)
  const connections = openConnections(engine, setting, url, location)
  let state: ServerState = { use: 'yes', reason: null }
  let loggedState = state
  let outSince = 0
  let suspectUntil = 0
  let checkedAt = 0
  let checking: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const reportedTypes = new Set<string>()

  /** Logs once that the engine, or a missing right, hides the lag. A lone server has no lag. */
  function reportUnknown(type: 'lag-unknown' | 'history-unknown', error: unknown): void {
    if (group === null || reportedTypes.has(type)) return
    reportedTypes.add(type)
    observe({ type, server: address, reason: errors.describeError(error) })
  }

  const readReplicationState = (run: RunStatement) =>
    engine.readReplicationState(run, (error) => reportUnknown('lag-unknown', error))

  const member: Member = {
    address,
    isReplica: setting === 'DATABASE_REPLICA_URLS',
    isUp: () => !isOut(state),
    run: connections.runWithin(checkTimeout),
    readReplicationState: () => readReplicationState(member.run),
  }

  /**
   * Reads the replication state, and then both tables. The tables may be readable though the state is not.
   * @returns null if the state is not readable
   * @throws why the tables cannot be read
   */
  async function readServer(run: RunStatement): Promise<ReplicationState | null> {
    let replication: ReplicationState | null = null
    let unsupported: unknown = null
    try {
      replication = await readReplicationState(run)
    } catch (error) {
      // Any other error means that the engine, or the role, lacks what the statement needs.
      if (errors.codeOf(error) === null || errors.isPassing(error) || errors.isStatementTooSlow(error))
        throw error
      unsupported = error
    } finally {
      group?.record(member, replication)
    }
    // The error of a node that refuses lookups has no reason; its replication state has.
    if (replication?.unready?.use === 'no') throw new UnfitServer(replication.unready.reason, 'no')
    await checkRelations(run, engine)
    if (unsupported !== null) reportUnknown('history-unknown', unsupported)
    return replication
  }

  /** @throws why the server is not fit */
  async function checkServer(run: RunStatement): Promise<void> {
    const replication = await readServer(run)
    if (replication === null) return
    const { unready } = replication
    if (unready !== null) throw new UnfitServer(unready.reason, unready.use)
    await group?.requireFit(member, replication)
  }

  function useAfter(error: unknown): ServerState['use'] {
    if (error instanceof UnfitServer) return error.use
    if (error instanceof SilentTable || error instanceof UnusableRelation) return 'last resort'
    // If the server is full, or refuses the login, its open connections still work.
    if (errors.isServerFull(error) || errors.isLoginRefused(error))
      return connections.hasOpen() ? 'last resort' : 'no'
    return errors.codeOf(error) === null || errors.isPassing(error) ? 'no' : 'last resort'
  }

  function setState(to: ServerState): void {
    if (isClosed) return
    if (isOut(to) && !isOut(state)) outSince = performance.now()
    if (isOut(to)) group?.resetTarget(member)
    state = to
    schedule()
    if (to.use === loggedState.use || (to.reason instanceof UnfitServer && !to.reason.isCertain)) return
    // A refused login, or a full server, is first a last resort: its open connections still work.
    if (to.use !== 'yes' && errors.describeError(to.reason) === errors.describeError(loggedState.reason))
      return
    loggedState = to
    observe(
      to.use === 'yes'
        ? { type: 'server-back', server: address }
        : { type: 'server-out', server: address, reason: errors.describeError(to.reason) },
    )
  }

  function schedule(): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(check, CHECK_PAUSE_MS[state.use === 'yes' ? 'fit' : 'unfit']).unref()
  }

  /** Checks the server, and never fails. Calls during a check share this check. */
  function checkNow(): Promise<void> {
    checkedAt = performance.now()
    checking ??= connections
      .check(checkServer, checkTimeout)
      .then(
        () => setState({ use: 'yes', reason: null }),
        (reason: unknown) => {
          const use = useAfter(reason)
          // A server that does not respond will not respond over its open connections either.
          if (use === 'no' && !(reason instanceof UnfitServer)) connections.renew()
          setState({ use, reason })
        },
      )
      .finally(() => {
        checking = null
      })
    return checking
  }
  // A slow query may cause a check, which must not be in the trace of its request, nor keep it in memory.
  const check = AsyncResource.bind(checkNow)

  return {
    setting,
    url,
    address,
    isReplica: member.isReplica,
    connections: location.connections,
    member,
    state(): ServerState {
      const refusal = connections.refusal()
      return refusal === null || isOut(state) ? state : { use: 'no', reason: refusal }
    },
    isSuspect: () => performance.now() < suspectUntil,
    /** Until when lookups could use the server, on the clock of `performance`. */
    lastUsed: () => (isOut(state) ? outSince : performance.now()),
    busy: connections.busy,
    query: connections.query,
    check,
    suspect(): void {
      suspectUntil = performance.now() + SUSPECT_MS
    },
    checkSoon(): void {
      if (performance.now() - checkedAt > SUSPICION_PAUSE_MS) void check()
    },
    /** The first check, without a comparison with other servers. @throws why the server cannot be used */
    inspect: async (): Promise<void> => {
      const inspectAll = async (run: RunStatement) => {
        await readServer(run)
        for (const reason of await engine.inspect(run, url))
          observe({ type: 'server-warning', server: address, reason })
      }
      await connections.check(inspectAll, timeout).finally(schedule)
    },
    close: async (): Promise<void> => {
      isClosed = true
      clearTimeout(timer)
      outSince = Number.NEGATIVE_INFINITY
      state = { use: 'no', reason: new Error('the store is closed') }
      await connections.close()
    },
  }
}

/** Whether lookups use the server only if no other server is fit. */
export function isOut({ use }: ServerState): boolean {
  return use === 'no' || use === 'stale'
}
