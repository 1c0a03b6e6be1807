// What a new connection needs, read again for each of them: after passwords or certificates are replaced, the
// next connection has the new ones.

import type pg from 'pg'
import { readSecret, withPassword } from '../../secret-files.ts'
import {
  type DatabaseSetting,
  isPostgresUrl,
  type PostgresLocation,
  type SecretFiles,
  splitUrls,
} from '../../settings.ts'
import { connectionTo } from './connection.ts'
import { addressOf, unusable } from './errors.ts'

/** Milliseconds to connect, if a query may not take less. */
const CONNECT_TIMEOUT_MS = 3000

/**
 * @returns how to connect to a server, as its files have it now. One that cannot be read changes nothing.
 * @throws UnusableDatabase where the URL, or a certificate that it names, cannot be read at the start
 */
export function followConnection(
  setting: DatabaseSetting,
  url: string,
  { timeout, files }: PostgresLocation,
): () => pg.PoolConfig {
  const limits = {
    connectTimeout: Math.min(timeout, CONNECT_TIMEOUT_MS),
    statementTimeout: timeout,
    readOnly: true,
  }
  let last: pg.PoolConfig
  try {
    last = connectionTo(url, limits)
  } catch (error) {
    throw unusable(setting, url, error)
  }
  return () => {
    try {
      const now = urlNow(url, files?.[setting])
      if (now !== null) last = connectionTo(now, limits)
    } catch {} // a file is being written, say: the login that was is tried
    return last
  }
}

/** @returns the URL with its login as it is now; `null` where its file has nothing about this server */
function urlNow(url: string, files: SecretFiles = none): string | null {
  const address = addressOf(url)
  const now = files.url === null ? url : splitUrls(readSecret(files.url)).find((each) => isOf(each, address))
  if (now === undefined) return null
  return files.password === null ? now : withPassword(now, readSecret(files.password))
}

const none: SecretFiles = { url: null, password: null }

function isOf(url: string, address: string): boolean {
  return isPostgresUrl(url) && addressOf(url) === address
}
