// The texts that name databases and services.

import type {
  MysqlLocation,
  OldServiceLocation,
  PostgresLocation,
  ServerKind,
  SqliteLocation,
} from './database-location.ts'
import { readLogin } from './service-headers.ts'

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

/** The address of an old service, apart from its login: what shows the address never shows that. */
export interface ServiceAddress {
  /** Without a query, since what it is asked comes behind it. */
  readonly url: string
  /** The Authorization that the login stands for; `null` where there is none. */
  readonly authorization: string | null
}

const serviceUrl = /^(https?:\/\/)(?:([^/?#@\s]*)@)?([^/?#@\s]+(?:\/[^?#@\s]*)?)$/

export function parseServiceUrl(text: string): ServiceAddress | undefined {
  const [, scheme = '', login, rest = ''] = serviceUrl.exec(text) ?? []
  const url = scheme + rest
  const authorization = login === undefined ? null : readLogin(login)
  return authorization !== undefined && URL.canParse(url) ? { url, authorization } : undefined
}

const betweenUrls = new RegExp(String.raw`\s*,\s*(?=(?:${Object.keys(schemes).join('|')})://)`)

/** A password may hold commas, too. */
export function splitUrls(text: string): string[] {
  return text.split(betweenUrls)
}
