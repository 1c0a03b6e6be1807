// The connections to one server, and their login. Only health checks try a login that is new or refused;
// lookups use the login of the last check that succeeded. The pause before a refused login is tried again
// doubles, because servers lock accounts.

import {
  type DatabaseSetting,
  type ServersLocation,
  serverKindOf,
  splitHosts,
  splitUrls,
  withPassword,
} from '../../config/database.ts'
import { readSecret } from '../../config/files.ts'
import type { Engine, RunStatement, ServerLogin } from './driver.ts'
import { openPool, type Patience } from './pool.ts'

/**
 * Attempts of a check whose connection is lost: the loss of one connection does not mean that the server is
 * down.
 */
const ATTEMPTS_IF_LOST = 5
/** Milliseconds until a check tries a refused login again. Each refusal doubles them, up to the last. */
const RETRY_MS = { first: 1000, last: 32_000 }
/** Milliseconds to connect, if a query may not take less. */
const CONNECT_TIMEOUT_MS = 3000

/** A refused login, and when a check may try it again. */
interface LoginRefusal {
  readonly login: ServerLogin
  readonly error: unknown
  readonly until: number
  readonly pause: number
}

/** @throws CommandError if the URL cannot be used */
export function openConnections(
  engine: Engine,
  setting: DatabaseSetting,
  url: string,
  location: ServersLocation,
) {
  const { errors } = engine
  const latestLogin = followFiles(engine, setting, url, location)
  const lookups = openPool(location.connections, errors)
  /** One connection of its own, since the others may all be busy. */
  const checks = openPool(1, errors)
  /** The login that worked last, until the server refuses it. */
  let working: ServerLogin | null = null
  let refused: LoginRefusal | null = null

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

  /** Returns the login of the files; but if the server has just refused it, the login that worked last. */
  function chooseLogin(): ServerLogin {
    const latest = latestLogin()
    if (refused?.login !== latest || performance.now() >= refused.until) return latest
    // A password may change in the file before it changes on the server.
    if (working === null) throw refused.error
    return working
  }

  function refuse(login: ServerLogin, error: unknown): void {
    if (login === working) {
      // The password has changed on the server, perhaps to the password of the file: try that one at once.
      working = null
      refused = null
    } else {
      const pause = refused?.login === login ? Math.min(2 * refused.pause, RETRY_MS.last) : RETRY_MS.first
      refused = { login, error, until: performance.now() + pause, pause }
    }
  }

  /**
   * Chooses the login, and checks the server with it.
   * @param milliseconds to wait for each response
   * @throws the error of `work`, or of the connection
   */
  async function check(work: (run: RunStatement) => Promise<void>, milliseconds: number): Promise<void> {
    const refusal = lookups.refusal()
    if (refusal !== null && working !== null) {
      refuse(working, refusal)
      // The connection for checks may have logged in before the password changed.
      checks.renew()
    }
    for (let losses = 0; ; ) {
      const login = chooseLogin()
      checks.use(login)
      try {
        await work(runWithin(milliseconds))
        working = login
        if (refused?.login === login) refused = null
        lookups.use(login)
        return
      } catch (error) {
        if (errors.isLoginRefused(error)) refuse(login, error)
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

/**
 * @returns how to log in by the URL and the files as they are now. A file that cannot be read, which perhaps
 * is being written, changes nothing
 */
function followFiles(
  { errors, readLogin }: Engine,
  setting: DatabaseSetting,
  url: string,
  { kind, timeout, files }: ServersLocation,
): () => ServerLogin {
  const address = errors.addressOf(url)
  const { url: urlFile, password } = files?.[setting] ?? { url: null, password: null }
  const connectTimeout = Math.min(timeout, CONNECT_TIMEOUT_MS)
  const limits = { connectTimeout, statementTimeout: timeout, readOnly: true }

  /** Returns the URL with its current login, or undefined if the file has no URL of this server. */
  function urlNow(): string | undefined {
    const isOurs = (each: string) => serverKindOf(each) === kind && errors.addressOf(each) === address
    const now = urlFile === null ? url : splitUrls(readSecret(urlFile)).flatMap(splitHosts).find(isOurs)
    return now === undefined || password === null ? now : withPassword(now, readSecret(password))
  }

  let last: ServerLogin
  try {
    last = readLogin(url, limits)
  } catch (error) {
    throw errors.unusable(setting, url, error)
  }
  return () => {
    try {
      const now = urlNow()
      const login = now === undefined ? last : readLogin(now, limits)
      if (login.key !== last.key) last = login
    } catch {}
    return last
  }
}
