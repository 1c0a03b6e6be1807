// What a new connection needs, read again for each of them: after passwords or certificates are replaced, the
// next connection has the new ones. Where the server does not know them yet, it has those that worked last.

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
import type { ErrorKinds } from './errors.ts'

/** Milliseconds to connect, if a query may not take less. */
const CONNECT_TIMEOUT_MS = 3000
/** Milliseconds for which a login that was refused is not tried again, where the one before still works. */
const REFUSED_MS = 5000

export interface Login<Config> {
  /** How to connect now. It does not throw. */
  readonly next: () => Config
  /** A connection was made, or its login refused. */
  readonly accepted: (config: Config) => void
  readonly refused: (config: Config) => void
  /** Whether the login that was refused last is the one that the files have now. */
  readonly isRefused: () => boolean
}

/** @param read how to connect, as the files have it now */
export function createLogin<Config>(read: () => Config): Login<Config> {
  let worked: Config | null = null
  let refused: Config | null = null
  let refusedUntil = 0
  const isRefused = () => isDeepStrictEqual(refused, read())

  return {
    next: () => (worked !== null && performance.now() < refusedUntil && isRefused() ? worked : read()),
    accepted: (config) => {
      worked = config
    },
    refused: (config) => {
      refused = config
      refusedUntil = performance.now() + REFUSED_MS
    },
    isRefused,
  }
}

/** What holds for every connection to a server. */
export interface ConnectionLimits {
  /** Milliseconds to connect. */
  readonly connectTimeout: number
  /** Milliseconds that the server gives a statement; 0 for no limit. */
  readonly statementTimeout: number
  /** Whether the server itself refuses to write. */
  readonly readOnly: boolean
}

/** How connections for lookups are limited, where a lookup has so many milliseconds. */
export function lookupLimits(timeout: number): ConnectionLimits {
  return {
    connectTimeout: Math.min(timeout, CONNECT_TIMEOUT_MS),
    statementTimeout: timeout,
    readOnly: true,
  }
}

/**
 * @param read throws where the URL, or a certificate that it names, cannot be read
 * @returns how to connect to a server, as its files have it now. One that cannot be read changes nothing.
 * @throws UnusableDatabase where it cannot be read at the start
 */
export function followConnection<Config>(
  setting: DatabaseSetting,
  url: string,
  { kind, files }: Pick<ServersLocation, 'kind' | 'files'>,
  { addressOf, unusable }: Pick<ErrorKinds, 'addressOf' | 'unusable'>,
  read: (url: string) => Config,
): () => Config {
  const address = addressOf(url)

  /** @returns the URL with its login as it is now; `null` where its file has nothing about this server */
  function urlNow({ url: urlFile, password }: SecretFiles = none): string | null {
    const isOurs = (each: string) => serverKindOf(each) === kind && addressOf(each) === address
    const now = urlFile === null ? url : splitUrls(readSecret(urlFile)).flatMap(splitHosts).find(isOurs)
    if (now === undefined) return null
    return password === null ? now : withPassword(now, readSecret(password))
  }

  let last: Config
  try {
    last = read(url)
  } catch (error) {
    throw unusable(setting, url, error)
  }
  return () => {
    try {
      const now = urlNow(files?.[setting])
      if (now !== null) last = read(now)
    } catch {} // a file is being written, say: the login that was is tried
    return last
  }
}

const none: SecretFiles = { url: null, password: null }
