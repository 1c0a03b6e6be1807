// The connections to one server: one pool with the login that the files have now, for at most a minute.
// Health checks choose the login, and open the pool; lookups never log in with a login that was refused.

import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import { type Connections, openConnections, type Patience } from './connections.ts'
import type { Access, Ask, Engine, Question, Row } from './driver.ts'
import { createLogin, followAccess } from './login.ts'

/** Milliseconds after which connections are replaced: the host name may have another address by then. */
const LIFETIME_MS = 60_000
/** How often a check is repeated if its connection is lost, which says nothing about the server. */
const CHECKS_IF_LOST = 5

interface Pool {
  readonly access: Access
  readonly lookups: Connections
  /** One connection of its own, since the others may all be busy. */
  readonly checks: Connections
  /** When the pool has to be replaced. */
  end: number
  /** Whether its login was refused: the connections that are open go on. */
  isRefused: boolean
}

export type Pools = ReturnType<typeof openPools>

/** @param isGone whether an error means that the connections are useless */
export function openPools(
  engine: Engine,
  setting: DatabaseSetting,
  url: string,
  location: ServersLocation,
  isGone: (error: unknown) => boolean,
) {
  const { errors } = engine
  const login = createLogin(followAccess(engine, setting, url, location))
  const all = new Set<Pool>()
  let pool: Pool | null = null
  /** Whether a proxy refuses parameters of a session. */
  let isPlain = false
  let isClosed = false

  function open(access: Access): Pool {
    if (isClosed) throw new Error('the store is closed')
    const connect = (max: number) => openConnections(access.open(max, isPlain), max, errors)
    // Not all at once: other processes have the same server.
    const end = performance.now() + LIFETIME_MS * (1 - Math.random() / 4)
    const opened = {
      access,
      end,
      lookups: connect(location.connections),
      checks: connect(1),
      isRefused: false,
    }
    all.add(opened)
    return opened
  }

  const end = ({ lookups, checks }: Pool, when: 'idle' | 'now') =>
    Promise.all([lookups.end(when), checks.end(when)])

  function retire(old: Pool): void {
    end(old, 'idle').finally(() => all.delete(old))
  }

  function adopt(next: Pool | null): void {
    if (pool !== null && pool !== next) retire(pool)
    pool = next
  }

  /** Asks over the connection for checks. @param milliseconds to wait for each response */
  const askOver =
    ({ checks, lookups }: Pool, milliseconds: number): Ask =>
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

  function refuse(refused: Pool, error: unknown): void {
    if (!refused.isRefused) login.refused(refused.access, error)
    refused.isRefused = true
  }

  /**
   * Chooses the login and the pool, and examines the server over it.
   * @param milliseconds to wait for each response
   * @throws what `work` throws, or why there is no connection
   */
  async function examine(work: (ask: Ask) => Promise<void>, milliseconds: number): Promise<void> {
    const refusal = pool?.lookups.refusal() ?? null
    if (pool !== null && refusal !== null) refuse(pool, refusal)
    for (let losses = 0; ; ) {
      const access = login.next()
      const isCurrent = pool?.access === access && !pool.isRefused
      const target = isCurrent && pool !== null && performance.now() < pool.end ? pool : open(access)
      try {
        await work(askOver(target, milliseconds))
        login.accepted(access)
        adopt(target)
        return
      } catch (error) {
        const isFull = errors.isServerFull(error)
        if (errors.isLoginRefused(error)) refuse(target, error)
        else if (errors.refusesParameters(error) && !isPlain) isPlain = true
        else if (errors.isConnectionLost(error) && ++losses < CHECKS_IF_LOST) continue
        // There is no connection to spare for another pool.
        else if (isFull && isCurrent && pool !== null && target !== pool) pool.end += LIFETIME_MS
        else {
          if (isGone(error)) adopt(null)
          else if (!isFull) adopt(target)
          throw error
        }
      } finally {
        if (target !== pool) retire(target)
      }
    }
  }

  return {
    examine,
    query: (question: Question, patience: Patience): Promise<readonly Row[]> =>
      pool === null ? Promise.reject(new Error('no connection')) : pool.lookups.query(question, patience),
    ask: (question: Question, milliseconds: number): Promise<readonly Row[]> =>
      pool === null ? Promise.reject(new Error('no connection')) : askOver(pool, milliseconds)(question),
    busy: () => pool?.lookups.busy() ?? 0,
    /** Whether queries can be sent over connections that are open. */
    hasOpen: () => (pool?.lookups.size() ?? 0) > 0,
    /** Why no query can be sent; null if one can. */
    refusal: () => (pool?.lookups.size() === 0 ? pool.lookups.refusal() : null),
    close: async (): Promise<void> => {
      isClosed = true
      await Promise.all([...all].map((each) => end(each, 'now')))
    },
  }
}
