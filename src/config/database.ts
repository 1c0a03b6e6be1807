// Where data may be, and the URLs that name databases.

import type { Dialect } from '../legacy/dialect.ts'
import { parseServiceUrl, type Service, type ServiceAddress } from './old-service.ts'

/** The settings that name databases. */
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_REPLICA_URLS'

export type DatabaseLocation = DatabaseOfOurs | OldServiceLocation

/** A database that this program can fill, and read as a whole. */
export type DatabaseOfOurs = SqliteLocation | ServersLocation

/** Enough for all of a file of some hundred thousand rows, and no more than the rest of the process takes. */
export const DEFAULT_MMAP_BYTES = 48 * 1024 * 1024

export interface SqliteLocation {
  readonly kind: 'sqlite'
  readonly path: string
  /** Bytes of the file that are memory-mapped; `DEFAULT_MMAP_BYTES` if left out. */
  readonly mmap?: number
}

/** The engines of database servers. */
export type ServerKind = 'postgres' | 'mysql'

export type ServersLocation = PostgresLocation | MysqlLocation

/** PostgreSQL, or what speaks its protocol. */
export type PostgresLocation = ServersOf<'postgres'>

/** MySQL or MariaDB. */
export interface MysqlLocation extends ServersOf<'mysql'> {
  /** Whether nodes of Galera without quorum are read if no other node is left. */
  readonly dirtyReads: boolean
}

interface ServersOf<Kind extends ServerKind> {
  readonly kind: Kind
  /** The URL of the primary, perhaps with a password. */
  readonly url: string
  /** The other nodes of a cluster: they get as many lookups as the primary. */
  readonly peers: readonly string[]
  readonly replicas: readonly string[]
  /** Concurrent queries of each process to each server. */
  readonly connections: number
  /** Milliseconds for a query, and for a connection. */
  readonly timeout: number
  /** Seconds that a replica may be behind. */
  readonly maxLag: number
  /** Left out if no secret is in a file. */
  readonly files?: Readonly<Record<DatabaseSetting, SecretFiles>>
}

/** Files with URLs and their password, read again for each new connection; `null` for none. */
export interface SecretFiles {
  readonly url: string | null
  readonly password: string | null
}

/** A service with the legacy interface, used as its clients use it. */
export interface OldServiceLocation extends Service {
  readonly kind: 'old-service'
  /** Concurrent calls of each process. */
  readonly connections: number
  /** Milliseconds for a call. */
  readonly timeout: number
  /** Values in a call. */
  readonly maxValues: number
  /** How the service writes its responses: as this gateway does. */
  readonly dialect: Dialect
}

type NamedDatabase =
  | SqliteLocation
  | { readonly kind: ServerKind; readonly url: string }
  | ({ readonly kind: 'old-service' } & ServiceAddress)

export function parseDatabaseUrl(text: string): NamedDatabase | undefined {
  const path = /^sqlite:(?!:memory:$)([^\0]+)$/.exec(text)?.[1]
  if (path !== undefined) return { kind: 'sqlite', path }
  const kind = serverKindOf(text)
  if (kind !== null) return { kind, url: text }
  const service = parseServiceUrl(text)
  return service && { kind: 'old-service', ...service }
}

const schemes: ReadonlyMap<string, ServerKind> = new Map([
  ['postgres', 'postgres'],
  ['postgresql', 'postgres'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
])
const scheme = `(${[...schemes.keys()].join('|')})://`

/**
 * An unescaped `/`, `?` or `#` in a password would turn the rest into another part, which is shown. So would
 * parameters without their `?`, as part of the name of the database.
 */
const serverUrl = new RegExp(String.raw`^${scheme}[^/?#]*(?:/[^@#?=&:,\s]*)?(?:\?[^@#]*)?$`)

/** @returns the engine that the URL of a database server names, or `null` for any other text */
export function serverKindOf(text: string): ServerKind | null {
  const [, name = ''] = serverUrl.exec(text) ?? []
  const urls = splitHosts(text)
  const isNamed = (url: string) => URL.canParse(url) && (urls.length === 1 || new URL(url).hostname !== '')
  return urls.every(isNamed) ? (schemes.get(name) ?? null) : null
}

const severalHosts = /^((?:mysql|mariadb):\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/s

/** Splits a URL of MySQL or MariaDB with several hosts into one for each host. */
export function splitHosts(url: string): string[] {
  const [, start = '', hosts, rest = ''] = severalHosts.exec(url) ?? []
  return hosts === undefined ? [url] : hosts.split(',').map((host) => start + host + rest)
}

/** Only before a scheme: a password may have commas, too. */
const betweenUrls = new RegExp(String.raw`\s*,\s*(?=(?:${[...schemes.keys()].join('|')})://)`)

export function splitUrls(text: string): string[] {
  return text.split(betweenUrls)
}

export function hasPassword(url: string): boolean {
  const { password, searchParams } = new URL(url)
  return password !== '' || searchParams.has('password')
}

/** The URL of a database server with this password, whatever it had. */
export function withPassword(url: string, password: string): string {
  const changed = new URL(url)
  // The URL of a socket has no place for a login before its host.
  if (changed.hostname === '') changed.searchParams.set('password', password)
  else changed.password = encodeURIComponent(password)
  return changed.href
}
