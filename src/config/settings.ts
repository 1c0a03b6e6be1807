// The table of settings: name, default, allowed texts, purpose. `Config` and its type, the help,
// docs/settings.md and complaints about wrong settings are derived from this table.

import { allowedPins, allowedShares, readPins, readShares, type Shares } from './cutover.ts'
import { parseDatabaseUrl, serverKindOf, splitUrls } from './database.ts'
import {
  date,
  explained,
  file,
  headers,
  host,
  integer,
  isAddressRange,
  list,
  oneOf,
  onOff,
  optional,
  parseCutoverBy,
  parseHealthPath,
  parseInteger,
  parseShare,
  readLegacyPaths,
  type Setting,
  type SettingGroup,
  type SettingValues,
  serviceUrl,
  setting,
  settingsIn,
  share,
} from './kinds.ts'
import { allowedToIgnore, allowedToTolerate, readIgnored, readTolerated } from './noise.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

const noShare: Shares = { share: 0, events: {} }

export const table = {
  database: {
    url: setting(
      'DATABASE_URL',
      'sqlite:lookup.db',
      'sqlite:PATH, postgres://USER:PASSWORD@HOST:PORT/NAME or mysql://USER:PASSWORD@HOST:PORT,…/NAME with special characters percent-encoded, or the address of an old service, https://HOST/PATH or https://USER:PASSWORD@HOST/PATH, without a query',
      parseDatabaseUrl,
    ).describeSecret(
      'the database, for every command. From a file, user and password are read again for each new connection',
    ),
    replicas: list(
      'DATABASE_REPLICA_URLS',
      'postgres://… or mysql://… URLs, comma-separated',
      (url) => serverKindOf(url) !== null && !url.endsWith(','),
      splitUrls,
    ).describeSecret(
      'replicas of DATABASE_URL, which lookups read. From a file, users and passwords are read again for each new connection',
    ),
    passwordFile: file('DATABASE_PASSWORD_FILE').describe(
      'file with the password for postgres:// and mysql:// URLs without one; read again for each new connection',
    ),
    headers: headers('DATABASE_HEADERS').describeSecret(
      'headers for requests to the old service of DATABASE_URL',
    ),
    connections: integer('DATABASE_CONNECTIONS', 4, 1, 100).describe(
      'concurrent queries of each process to each database server, or concurrent calls to an old service',
    ),
    timeout: integer('DATABASE_TIMEOUT', 1000, 100, 60_000).describe(
      'time limit in milliseconds for a query, or for a call to an old service',
    ),
    maxLag: integer('DATABASE_MAX_LAG', 10, 1, 3600).describe(
      'seconds that a replica or node may be behind; further behind, it is read only if no other server is fit',
    ),
    allowScans: onOff('DATABASE_ALLOW_SCANS', 'off').describe(
      'whether a lookup in a SQLite file may read more than 1,000 rows of a table; all other requests wait meanwhile',
    ),
    maxValues: integer('DATABASE_MAX_VALUES', 100, 1, 1000).describe(
      'maximum number of values in one call to an old service',
    ),
  },
  port: integer('PORT', 4000, 0, 65535).describe('port of the service; 0 chooses a free one'),
  host: host('HOST', '127.0.0.1').describe('address to listen on; 0.0.0.0 for all'),
  adminPort: setting('ADMIN_PORT', '4001', 'an integer from 0 to 65535, or off', (text) =>
    text === 'off' ? 'off' : parseInteger(text, 0, 65535),
  ).describe(
    'port of the page for operators, /live, /ready and /metrics; 0 chooses a free one, off disables it',
  ),
  healthPath: optional(
    'HEALTH_PATH',
    'a path such as /healthz, other than /, /graphql, /explain and those below /schema/',
    parseHealthPath,
  ).describe(
    'path on PORT that is 200 if lookups can be answered and 503 if not, for platforms that know only one port',
  ),
  adminHost: host('ADMIN_HOST', '127.0.0.1').describe('address that the admin port listens on'),
  adminHosts: list(
    'ADMIN_HOSTS',
    'host names such as gateway.internal, comma-separated, without ports',
    (name) => /^[\w.-]{1,253}$/.test(name),
  ).describe("host names that the admin port accepts, besides IP addresses, localhost and the machine's own"),
  workers: integer('WORKERS', 1, 1, 64).describe('processes for requests; at most one per core is useful'),
  timeouts: {
    request: integer('REQUEST_TIMEOUT', 10_000, 1000, 600_000).describe(
      'milliseconds for a client to send a whole request; for its headers, 5000 at most',
    ),
    idle: integer('IDLE_TIMEOUT', 65_000, 1000, 3_600_000).describe(
      'milliseconds after which a connection without a request, or with an unread response, is closed',
    ),
  },
  maxConnections: integer('MAX_CONNECTIONS', 10_000, 1, 1_000_000).describe(
    'maximum number of connections to each process; further ones are closed at once',
  ),
  maxInFlight: integer('MAX_IN_FLIGHT', 2000, 32, 100_000).describe(
    'maximum number of requests in flight in each process; further ones are 503 Overloaded',
  ),
  maxBody: integer('MAX_BODY', 65_536, 1024, 16_777_216).describe('maximum size of a request body in bytes'),
  maxResponseBytes: integer('MAX_RESPONSE_BYTES', 8_388_608, 1024, 268_435_456).describe(
    'maximum size in bytes of the texts in a response; a request that would get more is refused',
  ),
  compression: oneOf('COMPRESSION', 'new', ['off', 'new', 'all']).describe(
    'which responses of 1 KiB or more are compressed for clients that accept it; new: all except legacy ones',
  ),
  rateLimit: optional('RATE_LIMIT', 'an integer from 1 to 1000000000', (text) =>
    parseInteger(text, 1, 1_000_000_000),
  ).describe('values that each client address may request in a minute, divided among WORKERS'),
  trustedProxies: list(
    'TRUSTED_PROXIES',
    'addresses or ranges such as 10.0.0.0/8, comma-separated, or loopback',
    isAddressRange,
  ).describe('proxies whose X-Forwarded-For header is trusted'),
  logLevel: oneOf('LOG_LEVEL', 'info', logLevels).describe('lowest level logged, as JSON lines on stderr'),
  logSample: share('LOG_SAMPLE', '0.01').describe('share of requests that are logged; every 500 is logged'),
  accessLog: file('ACCESS_LOG', 'the path of a file, or - for standard output').describe(
    'file that gets one JSON line for each legacy request; lookup census and lookup replay read it',
  ),
  shadow: {
    url: serviceUrl('SHADOW_URL').describeSecret(
      'old service that also gets legacy requests, after the client got its response; both responses are compared',
    ),
    headers: headers('SHADOW_HEADERS').describeSecret('headers for requests to SHADOW_URL'),
    sample: share('SHADOW_SAMPLE', '0').describe('share of the legacy responses that is compared'),
    ignore: explained('SHADOW_IGNORE', [], allowedToIgnore, readIgnored).describe(
      'fields whose values are not compared',
    ),
    tolerate: explained('SHADOW_TOLERATE', [], allowedToTolerate, readTolerated).describe(
      'numeric fields whose values may differ by an amount',
    ),
    learn: onOff('SHADOW_LEARN', 'off').describe(
      'whether a request whose responses differ is sent to the old service again, to ignore values that change at each request',
    ),
  },
  cutover: {
    url: serviceUrl('CUTOVER_URL').describeSecret('old service for legacy requests outside CUTOVER_SHARE'),
    headers: headers('CUTOVER_HEADERS').describeSecret(
      'headers for requests passed to CUTOVER_URL; they replace headers of the client',
    ),
    share: explained('CUTOVER_SHARE', noShare, allowedShares, readShares, '0').describe(
      'share of clients whose legacy requests the gateway answers',
    ),
    mirror: share('CUTOVER_MIRROR', '0').describe(
      'share of the requests answered by the old service that the gateway also answers, to compare the responses',
    ),
    by: setting('CUTOVER_BY', 'address', 'address, or header:NAME', parseCutoverBy).describe(
      'what identifies a client: the same client always gets the same side',
    ),
    pins: explained('CUTOVER_PINS', [], allowedPins, readPins).describe(
      'clients with a fixed side, whatever CUTOVER_SHARE is; the first match counts',
    ),
    testHeader: onOff('CUTOVER_TEST_HEADER', 'off').describe(
      'whether a request may choose its side by the header X-Lookup-Side (new or old)',
    ),
    fallback: onOff('CUTOVER_FALLBACK', 'off').describe(
      'whether the other side answers a GET or HEAD request that one side cannot answer',
    ),
    guard: setting('CUTOVER_GUARD', '0.01', 'off, or a number from 0 to 1', (text) =>
      text === 'off' ? 'off' : parseShare(text),
    ).describe(
      'share of compared responses that may differ or fail, as the mean over clients; above it, the old service answers all clients until the share is set again',
    ),
    guardWindow: integer('CUTOVER_GUARD_WINDOW', 300, 10, 3600).describe(
      'seconds of comparisons that CUTOVER_GUARD takes into account',
    ),
    state: file('CUTOVER_STATE').describe(
      'file that stores the share: a restart does not undo what an operator or the guard has set',
    ),
    timeout: integer('CUTOVER_TIMEOUT', 5000, 100, 60_000).describe(
      'milliseconds for a whole response of the old service',
    ),
    connections: integer('CUTOVER_CONNECTIONS', 32, 1, 1000).describe(
      'concurrent requests that each process passes to the old service',
    ),
  },
  graphiql: onOff('GRAPHIQL').describe('GraphiQL for browsers at /graphql'),
  explorer: onOff('EXPLORER').describe('the page for browsers at /, and /explain'),
  federation: onOff('FEDERATION', 'off').describe('whether the schema is a subgraph of Apollo Federation 2'),
  joinDateUnit: oneOf('JOIN_DATE_UNIT', 'none', ['none', 'seconds', 'milliseconds']).describe(
    'unit of joinDate since 1970; other than none, users in GraphQL also have joinedAt',
  ),
  graphqlMaxAge: integer('GRAPHQL_MAX_AGE', 0, 0, 31_536_000).describe(
    'seconds that caches keep responses to GraphQL queries by GET',
  ),
  trustedDocuments: {
    manifest: file('GRAPHQL_DOCUMENTS').describe(
      'manifest of trusted GraphQL documents, which clients may name by id or hash',
    ),
    only: onOff('GRAPHQL_ONLY_DOCUMENTS', 'off').describe('whether all other GraphQL documents are refused'),
  },
  queryLimits: {
    introspection: onOff('INTROSPECTION').describe(
      'whether clients may read the GraphQL schema, by introspection or at /schema/schema.graphql',
    ),
    tokens: integer('GRAPHQL_MAX_TOKENS', 1000, 10, 1_000_000).describe(
      'maximum number of tokens in a GraphQL query; values in variables do not count',
    ),
    // Introspection is exempt: the query that GraphiQL sends is deeper.
    depth: integer('GRAPHQL_MAX_DEPTH', 6, 1, 100).describe('maximum nesting of a GraphQL query, in levels'),
    aliases: integer('GRAPHQL_MAX_ALIASES', 100, 0, 10_000).describe('maximum number of aliases in a query'),
    fields: integer('GRAPHQL_MAX_FIELDS', 10_000, 10, 1_000_000).describe(
      'maximum number of fields in a GraphQL response; a query that would have more is refused before it runs',
    ),
  },
  legacy: {
    dialect: file('LEGACY_DIALECT').describe(
      'JSON file that says how the old service differs from the contract; lookup probe writes it',
    ),
    paths: explained(
      'LEGACY_PATHS',
      ['/'],
      'paths such as /,/index.php,/api/ (exact, comma-separated)',
      readLegacyPaths,
      '/',
    ).describe('paths of legacy requests'),
    maxValues: integer('LEGACY_MAX_VALUES', 1000, 1, 10_000).describe('maximum distinct values in a request'),
    maxAge: integer('LEGACY_MAX_AGE', 0, 0, 31_536_000).describe('seconds that caches keep legacy responses'),
    deprecation: date('LEGACY_DEPRECATION').describe(
      'since when the legacy interface is deprecated (Deprecation header)',
    ),
    sunset: date('LEGACY_SUNSET').describe('when the legacy interface stops answering (Sunset header)'),
    sunsetLink: optional('LEGACY_SUNSET_LINK', 'an absolute http(s) URL', (text) =>
      /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined,
    ).describe('a page about the sunset (Link header)'),
  },
} satisfies SettingGroup

/** The settings by their names, in the order of the table. */
export const settings: ReadonlyMap<string, Setting> = new Map(settingsIn(table).map((row) => [row.name, row]))

/** The names that an operator may set: a secret NAME may be in the file that NAME_FILE names. */
export const settingNames: ReadonlySet<string> = new Set(
  [...settings.values()].flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])),
)

export type ConfigValues = SettingValues<typeof table>
export type QueryLimits = ConfigValues['queryLimits']
export type Timeouts = ConfigValues['timeouts']
export type LogLevel = ConfigValues['logLevel']
export type JoinDateUnit = ConfigValues['joinDateUnit']
export type CompressionSetting = ConfigValues['compression']

/** Responses that each process compares with the old service in a second, at most. */
export const MAX_SHADOW_RATE = 20
