// One server and its state, which only the health check changes. A query that fails, or waits too long, makes
// the server suspect for a second: others are preferred.

import { AsyncResource } from 'node:async_hooks'
import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { Observe } from '../../observe/events.ts'
import { checkRelations, SilentTable, UnusableRelation } from './check.ts'
import { openConnections } from './connections.ts'
import type { Ask, Engine, Place } from './driver.ts'
import { type Group, type Member, refuseUnready, Unfit } from './group.ts'

/** Milliseconds between two checks of a server that is well, and of another one. */
const CHECK_PAUSE_MS = { well: 1000, unwell: 250 }
const SUSPECT_MS = 1000
/** Milliseconds between two checks that suspicions cause. */
const SUSPICION_PAUSE_MS = 100
/** Milliseconds that a check waits for each response, at least and at most. */
const CHECK_PATIENCE = { least: 500, most: 3000 }

/** `last resort`: it responds, and lags, say; `stale`: only used if all others are stale or `no`. */
interface ServerState {
  readonly use: 'yes' | Unfit['use']
  readonly reason: unknown
}

export type Server = ReturnType<typeof openServer>

export function openServer(
  engine: Engine,
  setting: DatabaseSetting,
  url: string,
  location: ServersLocation,
  group: Group | null,
  observe: Observe,
) {
  const { timeout } = location
  const { errors, questions } = engine
  const address = errors.addressOf(url)
  const patience = Math.min(Math.max(timeout / 2, CHECK_PATIENCE.least), CHECK_PATIENCE.most)
  const connections = openConnections(engine, setting, url, location)
  let state: ServerState = { use: 'yes', reason: null }
  let logged = state
  let outSince = 0
  let suspectUntil = 0
  let checkedAt = 0
  let checking: Promise<void> | null = null
  let next: NodeJS.Timeout | undefined
  let isClosed = false
  const unknown = new Set<string>()

  /** What an engine, or a role on it, does not say is logged once. It matters only beside other servers. */
  function reportUnknown(type: 'lag-unknown' | 'history-unknown', error: unknown): void {
    if (group === null || unknown.has(type)) return
    unknown.add(type)
    observe({ type, server: address, reason: errors.describeError(error) })
  }

  const readPlace = (ask: Ask) => engine.readPlace(ask, (error) => reportUnknown('lag-unknown', error))

  const member: Member = {
    address,
    isHost: setting === 'DATABASE_URL',
    isUp: () => !isOut(state),
    ask: connections.askWithin(patience),
    readPlace: () => readPlace(member.ask),
  }

  /** Reads where the server is, and both tables. @throws why it cannot be read */
  async function read(ask: Ask): Promise<Place | null> {
    let place: Place | null = null
    let unsupported: unknown = null
    try {
      place = await readPlace(ask)
    } catch (error) {
      // Otherwise the engine, or the role, lacks what the statement needs.
      if (errors.codeOf(error) === null || errors.isPassing(error) || errors.isStatementTooSlow(error))
        throw error
      unsupported = error
    } finally {
      group?.note(member, place)
    }
    await checkRelations(ask, questions, errors).catch((error: unknown) => {
      // The reason why a node refuses lookups says more than that it does.
      throw errors.isUnready(error) && place?.unready ? new Unfit(place.unready.reason, 'no') : error
    })
    if (unsupported !== null) reportUnknown('history-unknown', unsupported)
    return place
  }

  /** @throws why the server is not fit */
  async function examine(ask: Ask): Promise<void> {
    const place = await read(ask)
    if (place === null) return
    if (group === null) refuseUnready(place)
    else await group.judge(member, place)
  }

  function useAfter(error: unknown): ServerState['use'] {
    if (error instanceof Unfit) return error.use
    if (error instanceof SilentTable || error instanceof UnusableRelation) return 'last resort'
    // The open connections of a server that is full, or refuses the login, go on.
    if (errors.isServerFull(error) || errors.isLoginRefused(error))
      return connections.hasOpen() ? 'last resort' : 'no'
    return errors.codeOf(error) === null || errors.isPassing(error) ? 'no' : 'last resort'
  }

  function setState(to: ServerState): void {
    if (isClosed) return
    if (isOut(to) && !isOut(state)) outSince = performance.now()
    if (isOut(to)) group?.forget(member)
    state = to
    schedule()
    if (to.use === logged.use || (to.reason instanceof Unfit && !to.reason.isCertain)) return
    logged = to
    observe(
      to.use === 'yes'
        ? { type: 'server-back', server: address }
        : { type: 'server-out', server: address, reason: errors.describeError(to.reason) },
    )
  }

  function schedule(): void {
    clearTimeout(next)
    if (!isClosed) next = setTimeout(check, CHECK_PAUSE_MS[state.use === 'yes' ? 'well' : 'unwell']).unref()
  }

  /** Checks the server; calls while a check is under way share it. It does not fail. */
  function checkNow(): Promise<void> {
    checkedAt = performance.now()
    checking ??= connections
      .examine(examine, patience)
      .then(
        () => setState({ use: 'yes', reason: null }),
        (reason: unknown) => {
          const use = useAfter(reason)
          // Its connections are useless.
          if (use === 'no' && !(reason instanceof Unfit)) connections.renew()
          setState({ use, reason })
        },
      )
      .finally(() => {
        checking = null
      })
    return checking
  }
  // A check is no part of the request whose query was slow: neither of its trace nor of its memory.
  const check = AsyncResource.bind(checkNow)

  return {
    setting,
    url,
    address,
    isReplica: setting === 'DATABASE_REPLICA_URLS',
    connections: location.connections,
    member,
    state(): ServerState {
      const refusal = connections.refusal()
      return refusal === null || isOut(state) ? state : { use: 'no', reason: refusal }
    },
    isSuspect: () => performance.now() < suspectUntil,
    /** When it was last used, on the clock of `performance`. */
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
    /** The first check. @throws why the server cannot be used, whatever the others say */
    inspect: async (): Promise<void> => {
      const inspectAll = async (ask: Ask) => {
        await read(ask)
        for (const reason of await engine.inspect(ask, location))
          observe({ type: 'server-warning', server: address, reason })
      }
      await connections.examine(inspectAll, timeout).finally(schedule)
    },
    close: async (): Promise<void> => {
      isClosed = true
      clearTimeout(next)
      outSince = Number.NEGATIVE_INFINITY
      state = { use: 'no', reason: new Error('the store is closed') }
      await connections.close()
    },
  }
}

/** Whether lookups go to other servers, if any is fit. */
export function isOut({ use }: ServerState): boolean {
  return use === 'no' || use === 'stale'
}
