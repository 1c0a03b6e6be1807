// The locations of data (a SQLite file, database servers, an old service), and the grammar of their URLs. A
// looser grammar may show a password in a message; a stricter one refuses the URL of a running gateway.
// test/config/database.test.ts and secrets.test.ts have the forms.

import type { Dialect } from '../legacy/dialect.ts'
import { type OldServiceTarget, parseServiceUrl, type ServiceAddress } from './old-service.ts'

/** The settings that name databases. */
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_REPLICA_URLS'

export type DatabaseLocation = OwnDatabase | OldServiceLocation

/** A database that this program can fill and export. */
export type OwnDatabase = SqliteLocation | ServersLocation

export interface SqliteLocation {
  readonly kind: 'sqlite'
  readonly path: string
  /** Whether a lookup may read a whole table. Default: false. */
  readonly allowScans?: boolean
}

/** The engines of database servers. */
export type ServerKind = 'postgres' | 'mysql'

export interface ServersLocation {
  readonly kind: ServerKind
  /** The URL of the primary, perhaps with a password. */
  readonly url: string
  /** The other nodes of a cluster, which get as many lookups as the primary. */
  readonly peers: readonly string[]
  readonly replicas: readonly string[]
  /** Concurrent queries of each process to each server. */
  readonly connections: number
  /** Milliseconds for a query, and for a connection. */
  readonly timeout: number
  /** Seconds that a replica may be behind. */
  readonly maxLag: number
  /** Absent if no secret is in a file. */
  readonly files?: Readonly<Record<DatabaseSetting, SecretFiles>>
}

/** Files with URLs and the password, read again for each new connection; `null` for none. */
interface SecretFiles {
  readonly url: string | null
  readonly password: string | null
}

/** An old service with the legacy interface, called as its clients call it. */
export interface OldServiceLocation extends OldServiceTarget {
  readonly kind: 'old-service'
  /** Concurrent calls of each process. */
  readonly connections: number
  /** Milliseconds for a call. */
  readonly timeout: number
  /** Values in a call. */
  readonly maxValues: number
  /** The dialect of the responses: the same as that of this gateway. */
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
 * The grammar is strict so that messages can show a URL without its password. An unescaped `/`, `?` or `#` in
 * a password would make the rest a path, a query or a fragment, which messages show. Parameters without `?`
 * would be part of the name of the database.
 */
const serverUrl = new RegExp(String.raw`^${scheme}[^/?#]*(?:/[^@#?=&:,\s]*)?(?:\?[^@#]*)?$`)

/** @returns the engine that the URL of a database server names, or `null` for any other text */
export function serverKindOf(text: string): ServerKind | null {
  const [, name = ''] = serverUrl.exec(text) ?? []
  const urls = splitHosts(text)
  const isNamed = (url: string) => URL.canParse(url) && (urls.length === 1 || new URL(url).hostname !== '')
  return urls.every(isNamed) ? (schemes.get(name) ?? null) : null
}

const severalHosts = new RegExp(`^(${scheme}(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$`, 's')
/** A login, and a socket or a host among the parameters, as libpq allows. */
const loginWithoutHost = new RegExp(
  String.raw`^(${scheme})([^/?#@:]*)(?::([^/?#@]*))?@/([^?#]*)(?:\?(.*))?$`,
  's',
)

/** Splits a URL with several hosts into one for each host, in a form that `URL` can parse. */
export function splitHosts(url: string): string[] {
  const [, start = '', , hosts, rest = ''] = severalHosts.exec(url) ?? []
  if (hosts !== undefined) return hosts.split(',').map((host) => start + host + rest)
  const [login, before, , user = '', password, database, parameters] = loginWithoutHost.exec(url) ?? []
  if (login === undefined) return [url]
  const given = [`user=${user}`, password === undefined ? '' : `password=${password}`, parameters ?? '']
  return [`${before}/${database}?${given.filter((each) => each !== '').join('&')}`]
}

/** A comma before a scheme: a password may have commas, too. */
const betweenUrls = new RegExp(String.raw`\s*,\s*(?=(?:${[...schemes.keys()].join('|')})://)`)

export function splitUrls(text: string): string[] {
  return text.split(betweenUrls)
}

export function hasPassword(url: string): boolean {
  return splitHosts(url).some((each) => {
    const { password, searchParams } = new URL(each)
    return password !== '' || searchParams.has('password')
  })
}

/** Sets or replaces the password in the URL of a database server. */
export function withPassword(url: string, password: string): string {
  const changed = new URL(url)
  // The URL of a socket has no host, so its login is in parameters.
  if (changed.hostname === '') changed.searchParams.set('password', password)
  else changed.password = encodeURIComponent(password)
  return changed.href
}
