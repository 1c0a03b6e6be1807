// The connections to one server. Health checks choose the login; lookups follow, and never log in with a login
// that was refused. Checks try it again ever more rarely: servers lock accounts.

import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import { followAccess } from './access.ts'
import type { Access, Ask, Engine } from './driver.ts'
import { openPool, type Patience } from './pool.ts'

/** How often a check is repeated if its connection is lost, which says nothing about the server. */
const CHECKS_IF_LOST = 5
/** Milliseconds until a refused login is tried again: first, then twice as long, and so on up to the last. */
const RETRY = { first: 1000, last: 32_000 }

interface Refusal {
  readonly access: Access
  readonly error: unknown
  readonly until: number
  readonly pause: number
}

export function openConnections(
  engine: Engine,
  setting: DatabaseSetting,
  url: string,
  location: ServersLocation,
) {
  const { errors } = engine
  const readAccess = followAccess(engine, setting, url, location)
  const lookups = openPool(location.connections, errors)
  /** One connection of its own, since the others may all be busy. */
  const checks = openPool(1, errors)
  /** The login that worked last, until the server refuses it. */
  let worked: Access | null = null
  let refused: Refusal | null = null
  /** The refusal of a lookup's login that a check has taken into account. */
  let heeded: unknown = null

  /** Asks over the connection for checks. @param milliseconds to wait for each response */
  const askWithin =
    (milliseconds: number): Ask =>
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

  /** @throws the refusal of the login of the files, if it must not be tried yet and no other works */
  function chooseLogin(): Access {
    const refusal = lookups.refusal()
    if (refusal !== null && refusal !== heeded && worked !== null) {
      refuse(worked, refusal)
      // The check's own connection may have been made before the password was changed.
      checks.renew()
    }
    heeded = refusal
    const access = readAccess()
    if (refused?.access !== access || performance.now() >= refused.until) return access
    // The file may be ahead of the server.
    if (worked === null) throw refused.error
    return worked
  }

  function refuse(access: Access, error: unknown): void {
    if (access === worked) {
      // The server has another password now, perhaps that of the file.
      worked = null
      refused = null
      return
    }
    const pause = refused?.access === access ? Math.min(2 * refused.pause, RETRY.last) : RETRY.first
    refused = { access, error, until: performance.now() + pause, pause }
  }

  /**
   * Chooses the login, and examines the server by it.
   * @param milliseconds to wait for each response
   * @throws what `work` throws, or why there is no connection
   */
  async function examine(work: (ask: Ask) => Promise<void>, milliseconds: number): Promise<void> {
    for (let losses = 0; ; ) {
      const access = chooseLogin()
      checks.use(access)
      try {
        await work(askWithin(milliseconds))
        worked = access
        if (refused?.access === access) refused = null
        // A refusal during the check comes after what the check has found.
        if (lookups.refusal() === heeded) lookups.use(access)
        return
      } catch (error) {
        if (errors.isLoginRefused(error)) refuse(access, error)
        else if (!errors.isConnectionLost(error) || ++losses === CHECKS_IF_LOST) throw error
      }
    }
  }

  return {
    examine,
    query: lookups.query,
    askWithin,
    busy: lookups.busy,
    /** Whether queries can be sent over connections that are open. */
    hasOpen: () => lookups.size() > 0,
    /** Why no query can be sent; null if one can. */
    refusal: () => (lookups.size() === 0 ? lookups.refusal() : null),
    renew: lookups.renew,
    close: async (): Promise<void> => {
      await Promise.all([lookups.close(), checks.close()])
    },
  }
}
