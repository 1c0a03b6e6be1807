// The connections to one server, and their login. Only health checks try a login that is new or refused;
// lookups use the login of the last check that succeeded. The pause before a refused login is tried again
// doubles, because servers lock accounts.

import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import { followAccess } from './access.ts'
import type { Engine, RunStatement, ServerLogin } from './driver.ts'
import { openPool, type Patience } from './pool.ts'

/**
 * Attempts of a check whose connection is lost: the loss of one connection does not mean that the server is
 * down.
 */
const ATTEMPTS_IF_LOST = 5
/** Milliseconds until a check tries a refused login again. Each refusal doubles them, up to the last. */
const RETRY_MS = { first: 1000, last: 32_000 }

/** A refused login, and when a check may try it again. */
interface LoginRefusal {
  readonly access: ServerLogin
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
  let working: ServerLogin | null = null
  let refused: LoginRefusal | null = null
  /** The last refusal of a lookup's login that a check has handled. */
  let handled: unknown = null

  /** Sends queries over the connection for checks. @param milliseconds to wait for each response */
  const runWithin =
    (milliseconds: number): RunStatement =>
    async (statement) => {
      const once: Patience = (waited) => (waited === 0 ? milliseconds : 0)
      try {
        return await checks.query(statement, once, 'connected')
      } catch (error) {
        // A role may have no connection to spare for checks.
        if (!errors.isServerFull(error) || lookups.size() === 0) throw error
        return lookups.query(statement, once)
      }
    }

  /**
   * Returns the login of the files; but if the server has just refused it, the login that worked last.
   * @throws the refusal, if no other login works
   */
  function chooseLogin(): ServerLogin {
    const refusal = lookups.refusal()
    if (refusal !== null && refusal !== handled && working !== null) {
      refuse(working, refusal)
      // The password may have changed after the connection for checks had logged in.
      checks.renew()
    }
    handled = refusal
    const access = readAccess()
    if (refused?.access !== access || performance.now() >= refused.until) return access
    // A password may change in the file before it changes on the server.
    if (working === null) throw refused.error
    return working
  }

  function refuse(access: ServerLogin, error: unknown): void {
    if (access === working) {
      // The password has changed on the server, perhaps to the password of the file: try that one at once.
      working = null
      refused = null
      return
    }
    const pause = refused?.access === access ? Math.min(2 * refused.pause, RETRY_MS.last) : RETRY_MS.first
    refused = { access, error, until: performance.now() + pause, pause }
  }

  /**
   * Chooses the login, and checks the server with it.
   * @param milliseconds to wait for each response
   * @throws the error of `work`, or of the connection
   */
  async function check(work: (run: RunStatement) => Promise<void>, milliseconds: number): Promise<void> {
    for (let losses = 0; ; ) {
      const access = chooseLogin()
      checks.use(access)
      try {
        await work(runWithin(milliseconds))
        working = access
        if (refused?.access === access) refused = null
        // If the server refused a lookup's login during this check, the next check handles the refusal first.
        if (lookups.refusal() === handled) lookups.use(access)
        return
      } catch (error) {
        if (errors.isLoginRefused(error)) refuse(access, error)
        else if (!errors.isConnectionLost(error) || ++losses === ATTEMPTS_IF_LOST) throw error
      }
    }
  }

  return {
    check,
    query: lookups.query,
    runWithin,
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
