// The table of settings: name, default, what is allowed, what it is for. The configuration, its type, the
// help, docs/settings.md and the reports of bad settings come from here.

import { parseDatabaseUrl, parseServiceUrl, serverKindOf, splitUrls } from './database-urls.ts'
import { habitSettings } from './gateway/legacy/habits/index.ts'
import {
  allowedToIgnore,
  allowedToTolerate,
  type NamedField,
  readIgnored,
  readTolerated,
  type Tolerance,
} from './noise.ts'
import {
  date,
  explained,
  headers,
  host,
  integer,
  isAddressRange,
  list,
  oneOf,
  onOff,
  optional,
  parseCutoverBy,
  parseInteger,
  parseShare,
  pathOf,
  setting,
  shareOfAll,
} from './setting-kinds.ts'
import { byName, type Group, type ValuesOf } from './setting-table.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

const noFields: readonly NamedField[] = []
const nothingTolerated: readonly Tolerance[] = []

export const table = {
  /** `config-database.ts` makes a location of these. */
  database: {
    url: setting(
      'DATABASE_URL',
      'sqlite:lookup.db',
      'sqlite:PATH, postgres://USER:PASSWORD@HOST:PORT/NAME or mysql://USER:PASSWORD@HOST:PORT,…/NAME with special characters percent-encoded, or the address of an old service, https://HOST/PATH or https://USER:PASSWORD@HOST/PATH, without a query',
      'where the data is; every command reads it',
      parseDatabaseUrl,
    ),
    urlFile: pathOf(
      'DATABASE_URL_FILE',
      'file with the text of DATABASE_URL; user and password are read again for each new connection',
    ),
    replicas: list(
      'DATABASE_REPLICA_URLS',
      'postgres://… or mysql://… URLs, comma-separated',
      'replicas of it that lookups are read from, while they are fit',
      (url) => serverKindOf(url) !== null && !url.endsWith(','),
      splitUrls,
    ),
    replicasFile: pathOf('DATABASE_REPLICA_URLS_FILE', 'the same for DATABASE_REPLICA_URLS'),
    passwordFile: pathOf(
      'DATABASE_PASSWORD_FILE',
      'file with the password for postgres:// and mysql:// URLs that have none, which is read again likewise',
    ),
    headers: headers('DATABASE_HEADERS', 'headers of each request to the old service of DATABASE_URL'),
    headersFile: pathOf('DATABASE_HEADERS_FILE', 'file with the text of DATABASE_HEADERS'),
    connections: integer(
      'DATABASE_CONNECTIONS',
      '4',
      1,
      100,
      'queries at a time on each database server, or calls to an old service, from each process',
    ),
    timeout: integer(
      'DATABASE_TIMEOUT',
      '1000',
      100,
      60_000,
      'milliseconds that a database server has for a query, or an old service for a call',
    ),
    maxLag: integer(
      'DATABASE_MAX_LAG',
      '10',
      1,
      3600,
      'seconds that a replica or node may be behind and still be read from',
    ),
    dirtyReads: onOff(
      'DATABASE_DIRTY_READS',
      'whether nodes of Galera without quorum are read from, where no other is left: their data are old',
      'off',
    ),
    maxValues: integer('DATABASE_MAX_VALUES', '100', 1, 1000, 'values in one call to an old service'),
  },
  port: integer('PORT', '4000', 0, 65535, 'port of the service; 0 takes a free one'),
  host: host('HOST', '127.0.0.1', 'address to listen on; 0.0.0.0 for all'),
  adminPort: setting(
    'ADMIN_PORT',
    '4001',
    'an integer from 0 to 65535, or off',
    'port of the page for operators, /live, /ready and /metrics; 0 takes a free one, off opens none',
    (text) => (text === 'off' ? 'off' : parseInteger(text, 0, 65535)),
  ),
  adminHost: host('ADMIN_HOST', '127.0.0.1', 'address of the admin port'),
  adminHosts: list(
    'ADMIN_HOSTS',
    'host names such as gateway.internal, comma-separated, without ports',
    "host names that /ready and /metrics answer to, besides IP addresses, localhost and the machine's own",
    (name) => /^[\w.-]{1,253}$/.test(name),
  ),
  workers: integer('WORKERS', '1', 1, 64, 'processes that answer requests; one for each core is plenty'),
  timeouts: {
    headers: integer(
      'HEADERS_TIMEOUT',
      '5000',
      1000,
      600_000,
      'milliseconds that a client has for the headers of a request',
    ),
    request: integer(
      'REQUEST_TIMEOUT',
      '10000',
      1000,
      600_000,
      'milliseconds that a client has for a whole request',
    ),
    idle: integer(
      'IDLE_TIMEOUT',
      '65000',
      1000,
      3_600_000,
      'milliseconds that a connection is kept without a request, or with an answer that is not read',
    ),
  },
  maxConnections: integer(
    'MAX_CONNECTIONS',
    '10000',
    1,
    1_000_000,
    'connections at a time to each process; more are closed at once',
  ),
  maxInFlight: integer('MAX_IN_FLIGHT', '2000', 32, 100_000, 'requests that each process works on at a time'),
  maxBody: integer('MAX_BODY', '65536', 1024, 16_777_216, 'bytes of a request body'),
  compression: oneOf(
    'COMPRESSION',
    'new',
    ['off', 'new', 'all'],
    'which answers of 1 KiB or more are compressed for clients that ask for it; new: all but legacy ones',
  ),
  rateLimit: optional(
    'RATE_LIMIT',
    'an integer from 1 to 1000000000',
    'values that each client address may ask for in a minute',
    (text) => parseInteger(text, 1, 1_000_000_000),
  ),
  trustedProxies: list(
    'TRUSTED_PROXIES',
    'addresses or ranges such as 10.0.0.0/8, comma-separated, or loopback',
    'proxies whose X-Forwarded-For header is believed',
    isAddressRange,
  ),
  logLevel: oneOf('LOG_LEVEL', 'info', logLevels, 'how much is logged, as JSON lines on stderr'),
  logSample: shareOfAll(
    'LOG_SAMPLE',
    '0.01',
    'share of the requests that are logged; those that fail on our side all are',
  ),
  shadow: {
    url: optional(
      'SHADOW_URL',
      'https://HOST/PATH or https://USER:PASSWORD@HOST/PATH, or the same with http, without a query',
      'the old service that answers are compared with, after they have been given',
      parseServiceUrl,
    ),
    headers: headers('SHADOW_HEADERS', 'headers of each request to the old service of SHADOW_URL'),
    headersFile: pathOf('SHADOW_HEADERS_FILE', 'file with the text of SHADOW_HEADERS'),
    sample: shareOfAll('SHADOW_SAMPLE', '0', 'share of the legacy answers that are compared'),
    ignore: explained(
      'SHADOW_IGNORE',
      noFields,
      allowedToIgnore,
      'fields whose values are not compared',
      readIgnored,
    ),
    tolerate: explained(
      'SHADOW_TOLERATE',
      nothingTolerated,
      allowedToTolerate,
      'fields whose values may differ by so much',
      readTolerated,
    ),
    learn: onOff(
      'SHADOW_LEARN',
      'whether requests whose answers differ are sent to the old service again, and what it changes by itself is ignored',
      'off',
    ),
  },
  census: {
    file: pathOf('CENSUS_FILE', 'file in which the clients of legacy lookups are counted, for lookup census'),
    keyFile: pathOf(
      'CENSUS_KEY_FILE',
      'file with the key that hashes their addresses, for several gateways; by default CENSUS_FILE.key, made at first use',
    ),
  },
  cutover: {
    url: optional(
      'CUTOVER_URL',
      'https://HOST/PATH or https://USER:PASSWORD@HOST/PATH, or the same with http, without a query',
      'the old service that legacy requests are passed to, but for CUTOVER_SHARE of the clients',
      parseServiceUrl,
    ),
    headers: headers('CUTOVER_HEADERS', 'headers that requests passed to CUTOVER_URL get'),
    headersFile: pathOf('CUTOVER_HEADERS_FILE', 'file with the text of CUTOVER_HEADERS'),
    share: shareOfAll('CUTOVER_SHARE', '0', 'share of the clients whose legacy requests the gateway answers'),
    by: setting(
      'CUTOVER_BY',
      'address',
      'address, or header:NAME',
      'what tells clients apart: each one always gets the same side',
      parseCutoverBy,
    ),
    fallback: onOff(
      'CUTOVER_FALLBACK',
      'whether a GET or HEAD request that one side cannot answer goes to the other side',
      'off',
    ),
    guard: setting(
      'CUTOVER_GUARD',
      '0.01',
      'off, or a number from 0 to 1',
      'share of compared answers that may differ or fail; above it, CUTOVER_SHARE becomes 0 until it is set again',
      (text) => (text === 'off' ? 'off' : parseShare(text)),
    ),
    guardWindow: integer(
      'CUTOVER_GUARD_WINDOW',
      '300',
      10,
      3600,
      'seconds of comparisons that CUTOVER_GUARD is about; fewer than 100 comparisons count as 100',
    ),
    timeout: integer(
      'CUTOVER_TIMEOUT',
      '5000',
      100,
      60_000,
      'milliseconds that the old service of CUTOVER_URL has for a whole answer',
    ),
    connections: integer(
      'CUTOVER_CONNECTIONS',
      '32',
      1,
      1000,
      'requests at a time that each process passes to the old service',
    ),
  },
  graphiql: onOff('GRAPHIQL', 'GraphiQL for browsers at /graphql'),
  explorer: onOff('EXPLORER', 'the page for browsers at /, and /explain'),
  federation: onOff(
    'FEDERATION',
    'whether the GraphQL schema is a subgraph of Apollo Federation 2, for routers',
    'off',
  ),
  graphqlMaxAge: integer(
    'GRAPHQL_MAX_AGE',
    '0',
    0,
    31_536_000,
    'seconds that the answers to GraphQL queries by GET may be cached',
  ),
  trustedDocuments: {
    manifest: pathOf(
      'GRAPHQL_DOCUMENTS',
      'manifest of trusted documents, which GraphQL clients may name by id or hash',
    ),
    only: onOff('GRAPHQL_ONLY_DOCUMENTS', 'whether all other GraphQL documents are refused', 'off'),
  },
  queryLimits: {
    introspection: onOff(
      'INTROSPECTION',
      'whether clients may ask for the GraphQL schema, or read it at /schema/schema.graphql',
    ),
    tokens: integer(
      'GRAPHQL_MAX_TOKENS',
      '1000',
      10,
      1_000_000,
      'tokens of a GraphQL query; values in variables do not count',
    ),
    /** Introspection is exempt: GraphiQL's own query is deeper. */
    depth: integer('GRAPHQL_MAX_DEPTH', '6', 1, 100, 'levels that a GraphQL query may be nested'),
    aliases: integer('GRAPHQL_MAX_ALIASES', '100', 0, 10_000, 'aliases in a GraphQL query'),
    fields: integer(
      'GRAPHQL_MAX_FIELDS',
      '10000',
      10,
      1_000_000,
      'fields of a GraphQL response; a query that would have more is refused before it runs',
    ),
  },
  /**
   * The legacy interface: the habits in which one old service may differ from another, and its retirement.
   */
  dialect: {
    ...habitSettings,
    deprecation: date(
      'LEGACY_DEPRECATION',
      'since when the legacy interface is deprecated (Deprecation header)',
    ),
    sunset: date('LEGACY_SUNSET', 'when the legacy interface will stop answering (Sunset header)'),
    sunsetLink: optional(
      'LEGACY_SUNSET_LINK',
      'an absolute http(s) URL',
      'a page about it (Link header)',
      (text) => (/^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined),
    ),
  },
} satisfies Group

export const settings = byName(table)
export type SettingName = keyof typeof settings

export type Values = ValuesOf<typeof table>
export type Dialect = Values['dialect']
export type QueryLimits = Values['queryLimits']
export type TrustedDocumentsSettings = Values['trustedDocuments']
export type Timeouts = Values['timeouts']
export type LogLevel = Values['logLevel']
export type Compression = Values['compression']

/** Answers that each process compares with the old service's, a second at most. */
export const MAX_SHADOW_RATE = 20
