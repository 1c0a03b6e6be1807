// One server: its connections, and its state, which only the health check changes. A query that fails, or waits
// too long, makes the server suspect for a second: others are preferred, and it is checked at once.

import { AsyncResource } from 'node:async_hooks'
import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { Observe } from '../../observe/events.ts'
import { checkRelations, SilentTable, UnusableRelation } from './check.ts'
import { type Connections, openConnections, type Patience } from './connections.ts'
import type { Access, Ask, Engine, Place, Question, Row } from './driver.ts'
import { type Group, type Member, Unfit } from './group.ts'
import { createLogin, followAccess } from './login.ts'

/** Milliseconds between two checks of a server that is well, and of another one. */
const CHECK_PAUSE_MS = { well: 1000, unwell: 250 }
const SUSPECT_MS = 1000
/** Milliseconds between two checks that suspicions cause. */
const SUSPICION_PAUSE_MS = 100
/** Milliseconds that a check waits for each response, at least and at most. */
const CHECK_PATIENCE = { least: 500, most: 3000 }
/** How often a check is repeated if its connection is lost, which says nothing about the server. */
const CHECKS_IF_LOST = 5
/** Milliseconds after which connections are replaced: the host name may have another address by then. */
const LIFETIME_MS = 60_000

/** `last resort`: it responds, and lags, say; `no`: not used, unless it is stale and nothing else is left. */
export interface ServerState {
  readonly use: 'yes' | 'last resort' | 'no'
  readonly reason: unknown
  /** It gets no changes, or other ones than the others. */
  readonly isStale: boolean
}

export type Server = ReturnType<typeof openServer>

/** The connections with one login, and one connection for checks, since the others may all be busy. */
interface Pools {
  readonly access: Access
  readonly lookups: Connections
  readonly checks: Connections
  /** When they have to be replaced. */
  end: number
  /** Whether the login counts as refused. */
  isRefused: boolean
}

export function openServer(
  engine: Engine,
  setting: DatabaseSetting,
  url: string,
  location: ServersLocation,
  group: Group | null,
  observe: Observe,
) {
  const { connections, timeout } = location
  const { errors, questions } = engine
  const address = errors.addressOf(url)
  const login = createLogin(followAccess(engine, setting, url, location))
  const patience = Math.min(Math.max(timeout / 2, CHECK_PATIENCE.least), CHECK_PATIENCE.most)
  const all = new Set<Pools>()
  let pools: Pools | null = null
  let state: ServerState = { use: 'yes', reason: null, isStale: false }
  let loggedUse: ServerState['use'] = 'yes'
  let outSince = 0
  let suspectUntil = 0
  let checkedAt = 0
  let checking: Promise<void> | null = null
  let isClosed = false
  /** Whether a proxy refuses parameters of a session. */
  let isPlain = false
  const unknown = new Set<string>()

  function open(access: Access): Pools {
    const connect = (max: number) => openConnections(access.open(max, isPlain), max, errors)
    const end = performance.now() + LIFETIME_MS
    const opened = { access, lookups: connect(connections), checks: connect(1), end, isRefused: false }
    all.add(opened)
    return opened
  }

  function retire(old: Pools): void {
    Promise.all([old.lookups.end('idle'), old.checks.end('idle')]).finally(() => all.delete(old))
  }

  function adopt(opened: Pools | null): void {
    if (opened === pools) return
    if (pools !== null) retire(pools)
    pools = opened
  }

  function query(question: Question, wait: Patience): Promise<readonly Row[]> {
    if (pools === null) return Promise.reject(state.reason)
    return pools.lookups.query(question, wait)
  }

  const askOn =
    ({ checks, lookups }: Pools, milliseconds: number): Ask =>
    async (question) => {
      const once: Patience = (waited) => (waited === 0 ? milliseconds : 0)
      try {
        return await checks.query(question, once, 'connected')
      } catch (error) {
        // A role may have no connection to spare for checks.
        if (!errors.isServerFull(error) || lookups.size() === 0) throw error
        return lookups.query(question, once)
      }
    }

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
    isUp: () => state.use !== 'no' && pools !== null,
    ask: (question) => (pools === null ? Promise.reject(state.reason) : askOn(pools, patience)(question)),
    readPlace: () => readPlace(member.ask),
  }

  /** @param milliseconds to wait for each response @returns its place, or null if it does not say */
  async function readAll(target: Pools, milliseconds: number): Promise<Place | null> {
    const ask = askOn(target, milliseconds)
    const [located] = await Promise.allSettled([readPlace(ask)])
    const place = located.status === 'fulfilled' ? located.value : null
    group?.note(member, place)
    if (located.status === 'rejected' && isAboutServer(located.reason)) throw located.reason
    await checkRelations(ask, questions, errors).catch((error: unknown) => {
      // The reason why a node refuses lookups says more than that it does.
      throw errors.isUnready(error) && place?.unready
        ? new Unfit(place.unready.reason, { isRefusing: true })
        : error
    })
    if (located.status === 'rejected') reportUnknown('history-unknown', located.reason)
    return place
  }

  /** Otherwise it is about the statement. */
  function isAboutServer(error: unknown): boolean {
    return errors.codeOf(error) === null || errors.isPassing(error) || errors.isStatementTooSlow(error)
  }

  async function examine(target: Pools): Promise<void> {
    const place = await readAll(target, patience)
    if (place === null) return
    if (group !== null) await group.judge(member, place)
    else if (place.unready !== null) throw new Unfit(place.unready.reason, place.unready)
  }

  /** Chooses the login and the connections, and examines the server over them. @throws why it is not fit */
  async function connectAndExamine(examineOver = examine): Promise<void> {
    const refusal = pools?.lookups.refusal() ?? null
    if (pools !== null && refusal !== null) refuse(pools, refusal)
    for (let losses = 0; ; ) {
      const access = login.next()
      const isKept = pools?.access === access && !pools.isRefused && performance.now() < pools.end
      const target = isKept && pools !== null ? pools : open(access)
      try {
        await examineOver(target)
        login.accepted(access)
        adopt(target)
        return
      } catch (error) {
        if (errors.isLoginRefused(error)) refuse(target, error)
        else if (errors.refusesParameters(error) && !isPlain) isPlain = true
        else if (errors.isConnectionLost(error) && ++losses < CHECKS_IF_LOST) continue
        else if (
          errors.isServerFull(error) &&
          target !== pools &&
          pools?.access === access &&
          !pools.isRefused
        )
          pools.end += LIFETIME_MS
        else {
          if (useAfter(error) === 'no' && !(error instanceof Unfit)) adopt(null)
          else if (!errors.isServerFull(error)) adopt(target)
          throw error
        }
      } finally {
        if (target !== pools) retire(target)
      }
    }
  }

  function refuse(refused: Pools, error: unknown): void {
    if (refused.isRefused) return
    refused.isRefused = true
    login.refused(refused.access, error)
  }

  function useAfter(error: unknown): ServerState['use'] {
    if (error instanceof Unfit)
      return error.verdict.isStale || error.verdict.isRefusing ? 'no' : 'last resort'
    if (error instanceof SilentTable || error instanceof UnusableRelation) return 'last resort'
    // The open connections of a server that is full, or refuses the login, go on.
    if (errors.isServerFull(error) || errors.isLoginRefused(error))
      return (pools?.lookups.size() ?? 0) > 0 ? 'last resort' : 'no'
    return errors.codeOf(error) === null || errors.isPassing(error) ? 'no' : 'last resort'
  }

  // A check is no part of the request whose query was slow: neither of its trace nor of its memory.
  const check = AsyncResource.bind((): Promise<void> => {
    checkedAt = performance.now()
    checking ??= connectAndExamine()
      .then(
        () => settle({ use: 'yes', reason: null, isStale: false }),
        (error: unknown) => {
          const isStale = error instanceof Unfit && error.verdict.isStale === true
          settle({ use: useAfter(error), reason: error, isStale })
        },
      )
      .finally(() => {
        checking = null
        clearTimeout(next)
        if (!isClosed) next = setTimeout(check, pauseMs()).unref()
      })
    return checking
  })
  let next: NodeJS.Timeout | undefined
  const pauseMs = () => (state.use === 'yes' ? CHECK_PAUSE_MS.well : CHECK_PAUSE_MS.unwell)

  function settle(to: ServerState): void {
    if (isClosed) return
    if (to.use === 'no' && state.use !== 'no') outSince = performance.now()
    if (to.use === 'no') group?.forget(member)
    state = to
    const isCertain = !(to.reason instanceof Unfit) || to.reason.verdict.isCertain !== false
    if (to.use === loggedUse || !isCertain) return
    loggedUse = to.use
    observe(
      to.use === 'yes'
        ? { type: 'server-back', server: address }
        : { type: 'server-out', server: address, reason: errors.describeError(to.reason) },
    )
  }

  return {
    setting,
    url,
    address,
    isReplica: setting === 'DATABASE_REPLICA_URLS',
    connections,
    member,
    /** No query can be sent once the login of new connections is refused and no other is left. */
    state: (): ServerState =>
      state.use !== 'no' && pools?.lookups.size() === 0 && pools.lookups.refusal() !== null
        ? { use: 'no', reason: pools.lookups.refusal(), isStale: false }
        : state,
    isSuspect: () => performance.now() < suspectUntil,
    /** When it was last used, on the clock of `performance`. */
    lastUsed: () => (state.use === 'no' ? outSince : performance.now()),
    busy: () => pools?.lookups.busy() ?? 0,
    query,
    check,
    suspect(): void {
      suspectUntil = performance.now() + SUSPECT_MS
    },
    checkSoon(): void {
      if (performance.now() - checkedAt > SUSPICION_PAUSE_MS) void check()
    },
    /** The first check. @throws why the server cannot be used, whatever the others say */
    inspect: async (): Promise<void> => {
      try {
        await connectAndExamine(async (target) => {
          await readAll(target, timeout)
          for (const reason of await engine.inspect(askOn(target, timeout), location))
            observe({ type: 'server-warning', server: address, reason })
        })
      } finally {
        next = setTimeout(check, pauseMs()).unref()
      }
    },
    close: async (): Promise<void> => {
      isClosed = true
      clearTimeout(next)
      outSince = Number.NEGATIVE_INFINITY
      state = { use: 'no', reason: new Error('the store is closed'), isStale: false }
      await Promise.all(
        [...all].map(({ lookups, checks }) => Promise.all([lookups.end('now'), checks.end('now')])),
      )
    },
  }
}
