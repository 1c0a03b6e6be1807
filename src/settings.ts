// The table of settings: default, what is allowed, how it is read, what it is for. The help, the README's
// table and the reports of bad settings come from here.

import { isIP } from 'node:net'

export interface Setting<Value> {
  /** As one would write it; `null` where unset means none. */
  readonly default: string | null
  /** What `default` means. */
  readonly fallback: Value
  readonly allowed: string
  readonly purpose: string
  /** Reads the text; `undefined` where it is not allowed. */
  readonly parse: (text: string) => Value | undefined
}

/** The settings that name databases. */
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_REPLICA_URLS'

/** Where the data is. */
export type DatabaseLocation = DatabaseOfOurs | OldServiceLocation

/** One that can be filled, and read whole. */
export type DatabaseOfOurs = SqliteLocation | PostgresLocation

export interface SqliteLocation {
  readonly kind: 'sqlite'
  readonly path: string
}

export interface PostgresLocation extends PostgresLimits {
  readonly kind: 'postgres'
  /** The primary's; holds a password, perhaps. */
  readonly url: string
  readonly replicas: readonly string[]
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

/** What a URL alone tells of it. */
type Named<Location extends { kind: string; url: string }> = Pick<Location, 'kind' | 'url'>

/** A service with the legacy interface, which is asked as its clients ask it. */
export interface OldServiceLocation {
  readonly kind: 'old-service'
  /** Without a query. */
  readonly url: string
  /** Calls under way at a time, from each process. */
  readonly connections: number
  /** Milliseconds for a call. */
  readonly timeout: number
  /** Values in a call. */
  readonly maxValues: number
  /** How it calls itself in the last field of an app, and the chat platform: as this gateway does. */
  readonly serviceName: string
  readonly chatMethod: string
}

/** Answers that each process compares with the old service's, a second at most. */
export const MAX_SHADOW_RATE = 20

/** What answers are compared with. */
export interface Shadowing {
  readonly url: string
  /** From 0 to 1. */
  readonly sample: number
}

export interface PostgresLimits {
  /** Queries under way at a time on each server, from each process. */
  readonly connections: number
  /** Milliseconds for a query, and for a connection. */
  readonly timeout: number
  /** Seconds. */
  readonly maxLag: number
}

/** Milliseconds that clients have. */
export interface Timeouts {
  readonly headers: number
  /** For all of a request, its headers and its body. */
  readonly request: number
  /** For the next request of a connection, or for reading the first byte of an answer, and the next one. */
  readonly idle: number
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type Parse<Value> = (text: string) => Value | undefined

function setting<Value>(
  byDefault: string,
  allowed: string,
  purpose: string,
  parse: Parse<Value>,
): Setting<Value> {
  const fallback = parse(byDefault)
  if (fallback === undefined) throw new Error(`the default "${byDefault}" is not allowed itself`)
  return { default: byDefault, fallback, allowed, purpose, parse }
}

function optional<Value>(allowed: string, purpose: string, parse: Parse<Value>): Setting<Value | null> {
  return { default: null, fallback: null, allowed, purpose, parse }
}

function oneOf<const Choice extends string>(byDefault: Choice, choices: readonly Choice[], purpose: string) {
  return setting(byDefault, choices.join(', '), purpose, (text) => choices.find((choice) => choice === text))
}

function onOff(purpose: string) {
  return setting('on', 'on, off', purpose, (text) =>
    text === 'on' ? true : text === 'off' ? false : undefined,
  )
}

function integer(byDefault: string, min: number, max: number, purpose: string) {
  return setting(byDefault, `an integer from ${min} to ${max}`, purpose, (text) =>
    parseInteger(text, min, max),
  )
}

function shareOfAll(byDefault: string, purpose: string) {
  return setting(byDefault, 'a number from 0 to 1', purpose, (text) =>
    /^(?:0|1|[01]?\.\d{1,9}|1\.0+)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined,
  )
}

function parseInteger(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

function matching(byDefault: string, allowed: string, purpose: string, pattern: RegExp) {
  return setting(byDefault, allowed, purpose, (text) => (pattern.test(text) ? text : undefined))
}

function pathOf(purpose: string) {
  return optional('the path of a file', purpose, (text) => (text.includes('\0') ? undefined : text))
}

function date(purpose: string) {
  return optional('a date such as 2027-01-31 or 2027-01-31T12:00:00Z', purpose, (text) => {
    if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/.test(text)) return undefined
    const value = new Date(text)
    // 2027-02-30 would silently become a day in March.
    return !Number.isNaN(value.getTime()) && value.toISOString().startsWith(text.slice(0, 10))
      ? value
      : undefined
  })
}

function isAddressRange(text: string): boolean {
  if (text === 'loopback') return true
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  // A range of all addresses would believe what any client says of itself.
  return family !== 0 && Number(bits ?? 1) >= 1 && Number(bits ?? 1) <= (family === 4 ? 32 : 128)
}

/**
 * What is left of a password after an unescaped `/`, `?` or `#` would be taken for another part, and shown.
 */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\/[^/?#]*(?:[/?][^@#]*)?$/.test(text) && URL.canParse(text)
}

/** What it is asked comes behind it, and a login has no place in it. */
export function isServiceUrl(text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/.test(text) && URL.canParse(text)
}

/** A password may hold commas, too. */
export function splitUrls(text: string): string[] {
  return text.split(/\s*,\s*(?=postgres(?:ql)?:\/\/)/)
}

export const settings = {
  DATABASE_URL: setting(
    'sqlite:lookup.db',
    'sqlite:PATH, postgres://USER:PASSWORD@HOST:PORT/NAME with special characters percent-encoded, or the http(s)://… address of an old service, without a query',
    'where the data is; every command reads it',
    (text): SqliteLocation | Named<PostgresLocation> | Named<OldServiceLocation> | undefined => {
      const path = /^sqlite:(?!:memory:$)([^\0]+)$/.exec(text)?.[1]
      if (path !== undefined) return { kind: 'sqlite', path }
      if (isPostgresUrl(text)) return { kind: 'postgres', url: text }
      return isServiceUrl(text) ? { kind: 'old-service', url: text } : undefined
    },
  ),
  DATABASE_URL_FILE: pathOf(
    'file with the text of DATABASE_URL; user and password are read again for each new connection',
  ),
  DATABASE_REPLICA_URLS: optional(
    'postgres://… URLs, comma-separated',
    'replicas of it that lookups are read from, while they are fit',
    (text): readonly string[] | undefined => {
      const urls = splitUrls(text)
      return urls.every((url) => isPostgresUrl(url) && !url.endsWith(',')) ? urls : undefined
    },
  ),
  DATABASE_REPLICA_URLS_FILE: pathOf('the same for DATABASE_REPLICA_URLS'),
  DATABASE_PASSWORD_FILE: pathOf(
    'file with the password for PostgreSQL URLs that have none, which is read again likewise',
  ),
  DATABASE_CONNECTIONS: integer(
    '4',
    1,
    100,
    'queries at a time on each PostgreSQL server, or calls to an old service, from each process',
  ),
  DATABASE_TIMEOUT: integer(
    '1000',
    100,
    60_000,
    'milliseconds that PostgreSQL has for a query, or an old service for a call',
  ),
  DATABASE_MAX_LAG: integer('10', 1, 3600, 'seconds that a replica may be behind and still be read from'),
  DATABASE_MAX_VALUES: integer('100', 1, 1000, 'values in one call to an old service'),
  PORT: integer('4000', 0, 65535, 'port of the service; 0 takes a free one'),
  HOST: matching(
    '127.0.0.1',
    'an address or a host name',
    'address to listen on; 0.0.0.0 for all',
    /^[\w.:%-]+$/,
  ),
  ADMIN_PORT: setting(
    '4001',
    'an integer from 0 to 65535, or off',
    'port of /live, /ready and /metrics; 0 takes a free one, off opens none',
    (text) => (text === 'off' ? 'off' : parseInteger(text, 0, 65535)),
  ),
  ADMIN_HOST: matching('127.0.0.1', 'an address or a host name', 'address of the admin port', /^[\w.:%-]+$/),
  ADMIN_HOSTS: optional(
    'host names such as gateway.internal, comma-separated, without ports',
    "host names that /ready and /metrics answer to, besides IP addresses, localhost and the machine's own",
    (text): readonly string[] | undefined => {
      const names = text.split(',').map((name) => name.trim())
      return names.every((name) => /^[\w.-]{1,253}$/.test(name)) ? names : undefined
    },
  ),
  WORKERS: integer('1', 1, 64, 'processes that answer requests; one for each core is plenty'),
  HEADERS_TIMEOUT: integer(
    '5000',
    1000,
    600_000,
    'milliseconds that a client has for the headers of a request',
  ),
  REQUEST_TIMEOUT: integer('10000', 1000, 600_000, 'milliseconds that a client has for a whole request'),
  IDLE_TIMEOUT: integer(
    '65000',
    1000,
    3_600_000,
    'milliseconds that a connection is kept without a request, or with an answer that is not read',
  ),
  MAX_CONNECTIONS: integer(
    '10000',
    1,
    1_000_000,
    'connections at a time to each process; more are closed at once',
  ),
  MAX_IN_FLIGHT: integer('2000', 32, 100_000, 'requests that each process works on at a time'),
  MAX_BODY: integer('65536', 1024, 16_777_216, 'bytes of a request body'),
  RATE_LIMIT: optional(
    'an integer from 1 to 1000000000',
    'values that each client address may ask for in a minute',
    (text) => parseInteger(text, 1, 1_000_000_000),
  ),
  TRUSTED_PROXIES: optional(
    'addresses or ranges such as 10.0.0.0/8, comma-separated, or loopback',
    'proxies whose X-Forwarded-For header is believed',
    (text): readonly string[] | undefined => {
      const ranges = text.split(',').map((range) => range.trim())
      return ranges.every(isAddressRange) ? ranges : undefined
    },
  ),
  LOG_LEVEL: oneOf('info', logLevels, 'how much is logged, as JSON lines on stderr'),
  LOG_SAMPLE: shareOfAll(
    '0.01',
    'share of the requests that are logged; those that fail on our side all are',
  ),
  SHADOW_URL: optional(
    'the http(s)://… address of an old service, without a query',
    'the old service that answers are compared with, after they have been given',
    (text) => (isServiceUrl(text) ? text : undefined),
  ),
  SHADOW_SAMPLE: shareOfAll('0', 'share of the legacy answers that are compared'),
  GRAPHIQL: onOff('GraphiQL for browsers at /graphql'),
  EXPLORER: onOff('the page for browsers at /, and /explain'),
  INTROSPECTION: onOff(
    'whether clients may ask for the GraphQL schema, or read it at /schema/schema.graphql',
  ),
  GRAPHQL_MAX_TOKENS: integer(
    '1000',
    10,
    1_000_000,
    'tokens of a GraphQL query; values in variables do not count',
  ),
  GRAPHQL_MAX_DEPTH: integer('6', 1, 100, 'levels that a GraphQL query may be nested'),
  GRAPHQL_MAX_ALIASES: integer('15', 0, 10_000, 'aliases in a GraphQL query'),
  GRAPHQL_MAX_FIELDS: integer(
    '10000',
    10,
    1_000_000,
    'fields of a GraphQL response; a query that would have more is refused before it runs',
  ),
  LEGACY_SERVICE_NAME: matching(
    'Service',
    'a name of letters, digits and _',
    'the name in the XML root (ServiceAPI) and in the last app field (ServiceDownloadLink)',
    /^[A-Za-z_]\w{0,63}$/,
  ),
  LEGACY_CHAT_METHOD: matching(
    'chat',
    'a word other than id and username',
    'the method value that means the chat platform',
    /^(?!(?:id|username)$)[\w.-]{1,64}$/,
  ),
  LEGACY_UNKNOWN: oneOf('omit', ['omit', 'null'], 'what an identifier that matches nothing becomes'),
  LEGACY_MALFORMED: oneOf(
    'reject',
    ['reject', 'unknown'],
    'whether a malformed numeric identifier is an error, or matches nothing',
  ),
  LEGACY_ERROR_STATUS: oneOf('http', ['http', '200'], 'HTTP status of errors: their own, or always 200'),
  LEGACY_MAX_VALUES: integer('1000', 1, 10_000, 'how many distinct values one request may ask for'),
  LEGACY_MAX_AGE: integer('0', 0, 31_536_000, 'seconds that answers may be cached'),
  LEGACY_DEPRECATION: date('since when the legacy interface is deprecated (Deprecation header)'),
  LEGACY_SUNSET: date('when the legacy interface will stop answering (Sunset header)'),
  LEGACY_SUNSET_LINK: optional('an absolute http(s) URL', 'a page about it (Link header)', (text) =>
    /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined,
  ),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings
