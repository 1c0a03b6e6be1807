// How to log in to a server. URLs, passwords and certificates in files are read again, so that a replaced one
// is used at once.

import { isDeepStrictEqual } from 'node:util'
import {
  type DatabaseSetting,
  type SecretFiles,
  type ServersLocation,
  serverKindOf,
  splitHosts,
  splitUrls,
  withPassword,
} from '../../config/database.ts'
import { readSecret } from '../../config/files.ts'
import type { ConnectionLimits, Engine, ServerLogin } from './driver.ts'

/** Milliseconds to connect, if a query may not take less. */
const CONNECT_TIMEOUT_MS = 3000

/** The limits of the connections for lookups. */
function lookupLimits(location: ServersLocation): ConnectionLimits {
  const { timeout } = location
  return {
    connectTimeout: Math.min(timeout, CONNECT_TIMEOUT_MS),
    statementTimeout: timeout,
    readOnly: true,
    dirtyReads: location.kind === 'mysql' && location.dirtyReads,
  }
}

/**
 * @returns how to connect as the files say now. A file that cannot be read changes nothing
 * @throws UnusableDatabase if it cannot be read at the start
 */
export function followAccess(
  { errors, readAccess }: Pick<Engine, 'errors' | 'readAccess'>,
  setting: DatabaseSetting,
  url: string,
  location: ServersLocation,
): () => ServerLogin {
  const { kind, files } = location
  const { addressOf } = errors
  const limits = lookupLimits(location)
  const address = addressOf(url)

  /** Returns the URL with its login as it is now, or null if the file has no URL of this server. */
  function urlNow({ url: urlFile, password }: SecretFiles): string | null {
    const isOurs = (each: string) => serverKindOf(each) === kind && addressOf(each) === address
    const now = urlFile === null ? url : splitUrls(readSecret(urlFile)).flatMap(splitHosts).find(isOurs)
    if (now === undefined) return null
    return password === null ? now : withPassword(now, readSecret(password))
  }

  let last: ServerLogin
  try {
    last = readAccess(url, limits)
  } catch (error) {
    throw errors.unusable(setting, url, error)
  }
  return () => {
    try {
      const now = urlNow(files?.[setting] ?? { url: null, password: null })
      const access = now === null ? last : readAccess(now, limits)
      if (!isDeepStrictEqual(access.key, last.key)) last = access
    } catch {} // A file is being written, perhaps.
    return last
  }
}
