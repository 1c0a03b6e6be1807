// The connections to one server. Health checks choose the login; lookups follow, and never log in with a login
// that was refused.

import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { Access, Ask, Engine } from './driver.ts'
import { createLogin, followAccess } from './login.ts'
import { openPool, type Patience } from './pool.ts'

/** How often a check is repeated if its connection is lost, which says nothing about the server. */
const CHECKS_IF_LOST = 5

export function openConnections(
  engine: Engine,
  setting: DatabaseSetting,
  url: string,
  location: ServersLocation,
) {
  const { errors } = engine
  const login = createLogin(followAccess(engine, setting, url, location))
  const lookups = openPool(location.connections, errors)
  /** One connection of its own, since the others may all be busy. */
  const checks = openPool(1, errors)
  /** The refusal of a lookup's login that a check has heeded. */
  let heeded: unknown = null
  let current: Access | null = null

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

  /** @throws the refusal of the login if no other may be tried yet */
  function chooseLogin(): Access {
    const refusal = lookups.refusal()
    if (refusal !== null && refusal !== heeded && current !== null) {
      login.refused(current, refusal)
      // The check's own connection may have been made before the password was changed.
      checks.renew()
    }
    heeded = refusal
    return login.next()
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
        login.accepted(access)
        current = access
        // A refusal during the check comes after what the check has found.
        if (lookups.refusal() === heeded) lookups.use(access)
        return
      } catch (error) {
        if (errors.isLoginRefused(error)) login.refused(access, error)
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
