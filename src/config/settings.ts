// The table of settings: name, default, what is allowed, what it is for. The configuration, its type, the
// help, docs/settings.md and the reports of bad settings come from here.

import { DEFAULT_MMAP_BYTES, parseDatabaseUrl, serverKindOf, splitUrls } from './database.ts'
import { byName, type Group, type ValuesOf } from './groups.ts'
import {
  date,
  explained,
  headers,
  host,
  integer,
  isAddressRange,
  legacyPaths,
  list,
  oneOf,
  onOff,
  optional,
  parseCutoverBy,
  parseHealthPath,
  parseInteger,
  parseShare,
  pathOf,
  setting,
  shareOfAll,
} from './kinds.ts'
import {
  allowedToIgnore,
  allowedToTolerate,
  type NamedField,
  readIgnored,
  readTolerated,
  type Tolerance,
} from './noise.ts'
import { parseServiceUrl } from './old-service.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

const noFields: readonly NamedField[] = []
const nothingTolerated: readonly Tolerance[] = []

export const table = {
  /** `read-database.ts` makes a location of these. */
  database: {
    url: setting(
      'DATABASE_URL',
      'sqlite:lookup.db',
      'sqlite:PATH, postgres://USER:PASSWORD@HOST:PORT/NAME or mysql://USER:PASSWORD@HOST:PORT,…/NAME with special characters percent-encoded, or the address of an old service, https://HOST/PATH or https://USER:PASSWORD@HOST/PATH, without a query',
      'the database; every command reads it',
      parseDatabaseUrl,
    ),
    urlFile: pathOf(
      'DATABASE_URL_FILE',
      'file that contains DATABASE_URL; user and password are read again for each new connection',
    ),
    replicas: list(
      'DATABASE_REPLICA_URLS',
      'postgres://… or mysql://… URLs, comma-separated',
      'replicas of DATABASE_URL, from which lookups are read',
      (url) => serverKindOf(url) !== null && !url.endsWith(','),
      splitUrls,
    ),
    replicasFile: pathOf(
      'DATABASE_REPLICA_URLS_FILE',
      'file that contains DATABASE_REPLICA_URLS; users and passwords are read again for each new connection',
    ),
    passwordFile: pathOf(
      'DATABASE_PASSWORD_FILE',
      'file with the password for postgres:// and mysql:// URLs without one; read again for each new connection',
    ),
    headers: headers(
      'DATABASE_HEADERS',
      'headers to send with each request to the old service of DATABASE_URL',
    ),
    headersFile: pathOf('DATABASE_HEADERS_FILE', 'file that contains DATABASE_HEADERS'),
    connections: integer(
      'DATABASE_CONNECTIONS',
      '4',
      1,
      100,
      'concurrent queries of each process to each database server, or concurrent calls to an old service',
    ),
    timeout: integer(
      'DATABASE_TIMEOUT',
      '1000',
      100,
      60_000,
      'time limit in milliseconds for a query, or for a call to an old service',
    ),
    maxLag: integer(
      'DATABASE_MAX_LAG',
      '10',
      1,
      3600,
      'seconds that a replica or node may be behind; beyond that it is read only when no other server is fit',
    ),
    dirtyReads: onOff(
      'DATABASE_DIRTY_READS',
      'whether Galera nodes without quorum are read when no other node is left; their data is old',
      'off',
    ),
    mmap: integer(
      'DATABASE_MMAP',
      String(DEFAULT_MMAP_BYTES),
      0,
      // The most that SQLite takes.
      0x7fff0000,
      'maximum size in bytes of the part of a SQLite file that is memory-mapped (0 maps nothing)',
    ),
    maxValues: integer(
      'DATABASE_MAX_VALUES',
      '100',
      1,
      1000,
      'maximum number of values in one call to an old service',
    ),
  },
  port: integer('PORT', '4000', 0, 65535, 'port of the service; 0 chooses a free one'),
  host: host('HOST', '127.0.0.1', 'address to listen on; 0.0.0.0 for all'),
  adminPort: setting(
    'ADMIN_PORT',
    '4001',
    'an integer from 0 to 65535, or off',
    'port of the page for operators, /live, /ready and /metrics; 0 chooses a free one, off disables it',
    (text) => (text === 'off' ? 'off' : parseInteger(text, 0, 65535)),
  ),
  healthPath: optional(
    'HEALTH_PATH',
    'a path such as /healthz, other than /, /graphql, /explain and those below /schema/',
    'path on PORT that is 200 if lookups can be answered and 503 if not, for platforms that know one port only',
    parseHealthPath,
  ),
  adminHost: host('ADMIN_HOST', '127.0.0.1', 'address that the admin port listens on'),
  adminHosts: list(
    'ADMIN_HOSTS',
    'host names such as gateway.internal, comma-separated, without ports',
    "host names that the admin port accepts, besides IP addresses, localhost and the machine's own",
    (name) => /^[\w.-]{1,253}$/.test(name),
  ),
  workers: integer(
    'WORKERS',
    '1',
    1,
    64,
    'processes that answer requests; at most one for each core is useful',
  ),
  timeouts: {
    headers: integer(
      'HEADERS_TIMEOUT',
      '5000',
      1000,
      600_000,
      'time limit in milliseconds for a client to send the headers of a request',
    ),
    request: integer(
      'REQUEST_TIMEOUT',
      '10000',
      1000,
      600_000,
      'time limit in milliseconds for a client to send a whole request',
    ),
    idle: integer(
      'IDLE_TIMEOUT',
      '65000',
      1000,
      3_600_000,
      'milliseconds after which a connection without a request, or with an unread response, is closed',
    ),
  },
  maxConnections: integer(
    'MAX_CONNECTIONS',
    '10000',
    1,
    1_000_000,
    'maximum number of connections to each process; further ones are closed at once',
  ),
  maxInFlight: integer(
    'MAX_IN_FLIGHT',
    '2000',
    32,
    100_000,
    'maximum number of requests in flight in each process; further ones are 503 Overloaded',
  ),
  maxBody: integer('MAX_BODY', '65536', 1024, 16_777_216, 'maximum size of a request body in bytes'),
  compression: oneOf(
    'COMPRESSION',
    'new',
    ['off', 'new', 'all'],
    'which responses of 1 KiB or more are compressed for clients that accept it; new: all except legacy ones',
  ),
  rateLimit: optional(
    'RATE_LIMIT',
    'an integer from 1 to 1000000000',
    'values that each client address may request in a minute; each of WORKERS allows its share',
    (text) => parseInteger(text, 1, 1_000_000_000),
  ),
  trustedProxies: list(
    'TRUSTED_PROXIES',
    'addresses or ranges such as 10.0.0.0/8, comma-separated, or loopback',
    'proxies whose X-Forwarded-For header is trusted',
    isAddressRange,
  ),
  logLevel: oneOf('LOG_LEVEL', 'info', logLevels, 'lowest level that is logged, as JSON lines on stderr'),
  logSample: shareOfAll('LOG_SAMPLE', '0.01', 'share of the requests that are logged; every 500 is logged'),
  accessLog: optional(
    'ACCESS_LOG',
    'the path of a file, or - for standard output',
    'file that gets one JSON line for each legacy request; lookup census and lookup replay read it',
    (text) => (text.includes('\0') ? undefined : text),
  ),
  shadow: {
    url: optional(
      'SHADOW_URL',
      'https://HOST/PATH or https://USER:PASSWORD@HOST/PATH, or the same with http, without a query',
      'old service that legacy responses are compared with, after they were sent',
      parseServiceUrl,
    ),
    headers: headers('SHADOW_HEADERS', 'headers to send with each request to SHADOW_URL'),
    headersFile: pathOf('SHADOW_HEADERS_FILE', 'file that contains SHADOW_HEADERS'),
    sample: shareOfAll('SHADOW_SAMPLE', '0', 'share of the legacy responses that is compared'),
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
      'fields whose values may differ by that much',
      readTolerated,
    ),
    learn: onOff(
      'SHADOW_LEARN',
      'whether requests whose responses differ are sent to the old service again, to ignore values that it changes by itself',
      'off',
    ),
  },
  cutover: {
    url: optional(
      'CUTOVER_URL',
      'https://HOST/PATH or https://USER:PASSWORD@HOST/PATH, or the same with http, without a query',
      'old service that gets the legacy requests of all clients outside CUTOVER_SHARE',
      parseServiceUrl,
    ),
    headers: headers(
      'CUTOVER_HEADERS',
      'headers to send with each request passed to CUTOVER_URL; each replaces the header of the client',
    ),
    headersFile: pathOf('CUTOVER_HEADERS_FILE', 'file that contains CUTOVER_HEADERS'),
    share: shareOfAll(
      'CUTOVER_SHARE',
      '0',
      'share of the clients whose legacy requests the gateway answers itself',
    ),
    by: setting(
      'CUTOVER_BY',
      'address',
      'address, or header:NAME',
      'what identifies a client: the same client always gets the same side',
      parseCutoverBy,
    ),
    fallback: onOff(
      'CUTOVER_FALLBACK',
      'whether the other side answers a GET or HEAD request that one side cannot answer',
      'off',
    ),
    guard: setting(
      'CUTOVER_GUARD',
      '0.01',
      'off, or a number from 0 to 1',
      'share of compared responses that may differ or fail; above it, the old service gets all clients until the share is set again',
      (text) => (text === 'off' ? 'off' : parseShare(text)),
    ),
    guardWindow: integer(
      'CUTOVER_GUARD_WINDOW',
      '300',
      10,
      3600,
      'seconds of comparisons that CUTOVER_GUARD takes into account; fewer than 100 comparisons count as 100',
    ),
    timeout: integer(
      'CUTOVER_TIMEOUT',
      '5000',
      100,
      60_000,
      'milliseconds that the old service has for a whole response',
    ),
    connections: integer(
      'CUTOVER_CONNECTIONS',
      '32',
      1,
      1000,
      'concurrent requests that each process passes to the old service',
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
    'seconds for which caches may keep responses to GraphQL queries by GET',
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
      'maximum number of tokens in a GraphQL query; values in variables do not count',
    ),
    /** Introspection is exempt: GraphiQL's own query is deeper. */
    depth: integer('GRAPHQL_MAX_DEPTH', '6', 1, 100, 'maximum number of nested levels in a GraphQL query'),
    aliases: integer('GRAPHQL_MAX_ALIASES', '100', 0, 10_000, 'maximum number of aliases in a GraphQL query'),
    fields: integer(
      'GRAPHQL_MAX_FIELDS',
      '10000',
      10,
      1_000_000,
      'maximum number of fields in a GraphQL response; a query that would have more is refused before it runs',
    ),
  },
  legacy: {
    dialect: pathOf(
      'LEGACY_DIALECT',
      'JSON file that says how the old service differs from the contract; lookup probe writes it',
    ),
    paths: legacyPaths,
    maxValues: integer(
      'LEGACY_MAX_VALUES',
      '1000',
      1,
      10_000,
      'how many distinct values one request may ask for',
    ),
    maxAge: integer(
      'LEGACY_MAX_AGE',
      '0',
      0,
      31_536_000,
      'seconds for which caches may keep legacy responses',
    ),
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
export type QueryLimits = Values['queryLimits']
export type TrustedDocumentsSettings = Values['trustedDocuments']
export type Timeouts = Values['timeouts']
export type LogLevel = Values['logLevel']
export type Compression = Values['compression']

/** Answers that each process compares with the old service's, a second at most. */
export const MAX_SHADOW_RATE = 20
