// Where data may be, and the texts that name it.

import type { Dialect } from '../legacy/dialect.ts'
import { parseServiceUrl, type Service, type ServiceAddress } from './old-service.ts'

/** The settings that name databases. */
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_REPLICA_URLS'

/** Where the data is. */
export type DatabaseLocation = DatabaseOfOurs | OldServiceLocation

/** One that can be filled, and read whole. */
export type DatabaseOfOurs = SqliteLocation | ServersLocation

/** Of a file of some hundred thousand rows, all; and no more memory than the rest of the process takes. */
export const DEFAULT_MMAP_BYTES = 48 * 1024 * 1024

export interface SqliteLocation {
  readonly kind: 'sqlite'
  readonly path: string
  /** Bytes of the file that lookups read in place; `DEFAULT_MMAP_BYTES` where it is left out. */
  readonly mmap?: number
}

/** The engines whose servers hold the data, or copies of it. */
export type ServerKind = 'postgres' | 'mysql'

/** PostgreSQL, or what speaks its protocol. */
export type PostgresLocation = ServersOf<'postgres'>

/** MySQL or MariaDB. */
export interface MysqlLocation extends ServersOf<'mysql'> {
  /** Whether nodes of Galera that have no quorum are asked, where no other is left. */
  readonly dirtyReads: boolean
}

export type ServersLocation = PostgresLocation | MysqlLocation

interface ServersOf<Kind extends ServerKind> {
  readonly kind: Kind
  /** The primary's; holds a password, perhaps. */
  readonly url: string
  /** Servers that have as many lookups as the primary: the other nodes of a cluster. */
  readonly peers: readonly string[]
  readonly replicas: readonly string[]
  /** Queries under way at a time on each server, from each process. */
  readonly connections: number
  /** Milliseconds for a query, and for a connection. */
  readonly timeout: number
  /** Seconds that a replica may be behind. */
  readonly maxLag: number
  /** Left out where no secret stands in a file. */
  readonly files?: Readonly<Record<DatabaseSetting, SecretFiles>>
}

/**
 * The files that URLs, and the password for them, are read from again for each new connection; `null` for
 * none.
 */
export interface SecretFiles {
  readonly url: string | null
  readonly password: string | null
}

/** A service with the legacy interface, which is asked as its clients ask it. */
export interface OldServiceLocation extends Service {
  readonly kind: 'old-service'
  /** Calls under way at a time, from each process. */
  readonly connections: number
  /** Milliseconds for a call. */
  readonly timeout: number
  /** Values in a call. */
  readonly maxValues: number
  /** How the service writes its responses: as this gateway does. */
  readonly dialect: Dialect
}

/** What a URL alone tells of its database. */
type NamedDatabase =
  | SqliteLocation
  | Pick<PostgresLocation, 'kind' | 'url'>
  | Pick<MysqlLocation, 'kind' | 'url'>
  | ({ readonly kind: OldServiceLocation['kind'] } & ServiceAddress)

export function parseDatabaseUrl(text: string): NamedDatabase | undefined {
  const path = /^sqlite:(?!:memory:$)([^\0]+)$/.exec(text)?.[1]
  if (path !== undefined) return { kind: 'sqlite', path }
  const kind = serverKindOf(text)
  if (kind !== null) return { kind, url: text }
  const service = parseServiceUrl(text)
  return service && { kind: 'old-service', ...service }
}

const schemes = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
} as const satisfies Record<string, ServerKind>
const scheme = `(${Object.keys(schemes).join('|')})://`

/**
 * What is left of a password after an unescaped `/`, `?` or `#` would be taken for another part, and shown.
 * So would parameters without their `?`, as part of the database's name.
 */
const serverUrl = new RegExp(String.raw`^${scheme}[^/?#]*(?:/[^@#?=&:,\s]*)?(?:\?[^@#]*)?$`)

/** The engine that the URL of a database server names; `null` for any other text. */
export function serverKindOf(text: string): ServerKind | null {
  const name = serverUrl.exec(text)?.[1]
  const urls = splitHosts(text)
  const isNamed = (url: string) => URL.canParse(url) && (urls.length === 1 || new URL(url).hostname !== '')
  if (name === undefined || !urls.every(isNamed)) return null
  for (const [known, kind] of Object.entries(schemes)) if (known === name) return kind
  return null
}

const severalHosts = /^((?:mysql|mariadb):\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/s

/** A URL of MySQL or MariaDB that names several hosts, as one for each of them; any other as it is. */
export function splitHosts(url: string): string[] {
  const parts = severalHosts.exec(url)
  if (parts === null) return [url]
  const [, start = '', hosts = '', rest = ''] = parts
  return hosts.split(',').map((host) => start + host + rest)
}

const betweenUrls = new RegExp(String.raw`\s*,\s*(?=(?:${Object.keys(schemes).join('|')})://)`)

/** A password may hold commas, too. */
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
  // A URL of a socket has no place for a login before its host.
  if (changed.hostname === '') changed.searchParams.set('password', password)
  else changed.password = encodeURIComponent(password)
  return changed.href
}
