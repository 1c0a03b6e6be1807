import type { Config } from '../src/config.ts'
import { readConfig } from '../src/config.ts'
import type { SettingName } from '../src/settings.ts'

const sqlite = (path: string) => ({ kind: 'sqlite', path, mmap: 48 * 1024 * 1024 })

interface Case {
  readonly read: (config: Config) => unknown
  readonly byDefault: unknown
  readonly good: readonly (readonly [text: string, value: unknown])[]
  /** With what a complaint shows of it, where that is not all. */
  readonly bad: readonly string[]
  /** Another setting without which it may not be given. */
  readonly beside?: Readonly<Record<string, string>>
}

/** A file with a secret. */
const fileOf = (name: string) => new URL(`secrets/${name}.txt`, import.meta.url).pathname
const filesOf = ({
  primary = null,
  replicas = null,
  password = null,
}: Partial<Record<string, string | null>>) => ({
  DATABASE_URL: { url: primary, password },
  DATABASE_REPLICA_URLS: { url: replicas, password },
})

const primary = { DATABASE_URL: 'postgres://primary/x' }
const postgres = (url: string) => ({
  kind: 'postgres',
  url,
  peers: [],
  replicas: [],
  connections: 4,
  timeout: 1000,
  maxLag: 10,
})
const mysql = (url: string) => ({ ...postgres(url), kind: 'mysql', dirtyReads: false })
const oldService = (url: string) => ({
  kind: 'old-service',
  url,
  headers: {},
  connections: 4,
  timeout: 1000,
  maxValues: 100,
  serviceName: 'Service',
  chatMethod: 'chat',
  habits: readConfig({}).dialect,
})
const limit = (name: 'connections' | 'timeout' | 'maxLag', byDefault: number) => ({
  read: ({ database }: Config) => (database.kind === 'postgres' ? database[name] : byDefault),
  byDefault,
  beside: primary,
})

const port = {
  good: [
    ['0', 0],
    ['1', 1],
    ['65535', 65535],
  ],
  bad: ['-1', '65536', '4000.5', '1e3', '0x10', ' 80', '80 ', 'http', '99999999999999999999', '٤'],
} as const
const host = {
  good: ['0.0.0.0', '::', '::1', 'fe80::1%eth0', 'localhost', 'gateway-1.example'].map(
    (text) => [text, text] as const,
  ),
  bad: ['a b', 'http://localhost', 'localhost/', '[::1]', 'a,b'],
}
const headers: Pick<Case, 'good' | 'bad'> = {
  good: [
    ['X-Api-Key: abc', { 'X-Api-Key': 'abc' }],
    ['A:1\nB: \t2 \r\n\n', { A: '1', B: '2' }],
    ['Cookie: a="b"; c=d\\nX-Tenant: e, f:g', { Cookie: 'a="b"; c=d', 'X-Tenant': 'e, f:g' }],
    // Only before a name and a colon, and only where there is no line break, `\n` is one.
    ['X-User: CORP\\nina', { 'X-User': 'CORP\\nina' }],
    ['X-User: CORP\\nina:x\n', { 'X-User': 'CORP\\nina:x' }],
    ['host: old.example', { host: 'old.example' }],
    ['User-Agent: Caf\u00e9/1', { 'User-Agent': 'Caf\u00e9/1' }],
  ],
  bad: ['secret', 'A: b\nsecret', 'Connection: close', 'A: b\na: c', 'A:', 'A: \u20ac', 'A: b\0', 'A b: c'],
}
const onOff = {
  byDefault: true,
  good: [
    ['on', true],
    ['off', false],
  ],
  bad: ['ON', 'true', 'false', '1', '0', 'yes'],
} as const
const date = {
  byDefault: null,
  good: [
    ['2027-01-31', new Date('2027-01-31T00:00:00Z')],
    ['2028-02-29T12:00:00Z', new Date('2028-02-29T12:00:00Z')],
    ['2027-01-31T23:59Z', new Date('2027-01-31T23:59:00Z')],
  ],
  bad: [
    '2027',
    '2027-1-31',
    '2027-02-29',
    '2027-13-01',
    '2027-01-31T12:00:00',
    '2027-01-31T25:00:00Z',
    'tomorrow',
    '1700000000',
  ],
} as const

/** An integer from `min` to `max`. */
function integer(byDefault: number | null, min: number, max: number) {
  return {
    byDefault,
    good: [
      [String(min), min],
      [String(max), max],
    ] as const,
    bad: [String(min - 1), String(max + 1), '1.5', 'all'],
  }
}

const shareOfAll = {
  good: [
    ['0', 0],
    ['1', 1],
    ['0.5', 0.5],
    ['.001', 0.001],
    ['1.0', 1],
  ],
  bad: ['-1', '1.1', '2', '1%', 'all', '1e-3', '.'],
} as const

/** For every setting: its default, texts that it may be and what they mean, and texts that it cannot be. */
export const cases: Record<SettingName, Case> = {
  DATABASE_URL: {
    read: ({ database }) => database,
    byDefault: sqlite('lookup.db'),
    good: [
      ['sqlite:/var/lib/lookup.db', sqlite('/var/lib/lookup.db')],
      ['sqlite:some folder/ü?.db', sqlite('some folder/ü?.db')],
      ['postgres://u:p@db.example/forum', postgres('postgres://u:p@db.example/forum')],
      [
        'postgresql://[::1]:6000/x?sslmode=no-verify',
        postgres('postgresql://[::1]:6000/x?sslmode=no-verify'),
      ],
      ['postgres:///forum?host=/run/postgresql', postgres('postgres:///forum?host=/run/postgresql')],
      ['mysql://u:p@db.example/forum', mysql('mysql://u:p@db.example/forum')],
      ['mariadb://db/x?ssl-mode=verify-full', mysql('mariadb://db/x?ssl-mode=verify-full')],
      [
        'mariadb://u:p,q@a:3307,b,[::1]:3308/x?ssl-mode=REQUIRED',
        {
          ...mysql('mariadb://u:p,q@a:3307/x?ssl-mode=REQUIRED'),
          peers: ['mariadb://u:p,q@b/x?ssl-mode=REQUIRED', 'mariadb://u:p,q@[::1]:3308/x?ssl-mode=REQUIRED'],
        },
      ],
      ['https://old.example/lookup.php', oldService('https://old.example/lookup.php')],
      ['http://127.0.0.1:8080', oldService('http://127.0.0.1:8080')],
    ],
    bad: [
      'sqlite:',
      'lookup.db',
      'SQLITE:x.db',
      'oracle://db/x',
      'mysql://a:b:c/x',
      'mysql://u:p@a,b:c/x',
      'mysql://a,,b/x',
      'mysql://a,/x',
      'mysql://,a/x',
      'postgres://a:1,b:2/x',
      'sqlite:a\0b',
      'postgres://a:b:c/x',
      'postgres://db/x#y',
      'db.example',
      'http://',
      'http://old.example/?Event=',
      'http://old.example/#top',
      'ftp://old.example/',
    ],
  },
  DATABASE_URL_FILE: {
    read: ({ database }) => database,
    byDefault: sqlite('lookup.db'),
    good: [
      [fileOf('sqlite'), sqlite('some.db')],
      [
        fileOf('primary'),
        { ...postgres('postgres://u:p@db.example/forum'), files: filesOf({ primary: fileOf('primary') }) },
      ],
    ],
    bad: ['a\0b'],
  },
  DATABASE_REPLICA_URLS: {
    read: ({ database }) => (database.kind === 'postgres' ? database.replicas : []),
    byDefault: [],
    beside: primary,
    good: [
      ['postgres://r@a/x', ['postgres://r@a/x']],
      ['postgres://r@a/x, postgresql://r:p,q@b/x', ['postgres://r@a/x', 'postgresql://r:p,q@b/x']],
    ],
    bad: ['a,b', 'postgres://a/x,,', 'sqlite:x.db', 'postgres://a/x,postgres://:x:y/'],
  },
  DATABASE_REPLICA_URLS_FILE: {
    read: ({ database }) => (database.kind === 'postgres' ? [database.replicas, database.files] : [[]]),
    byDefault: [[]],
    beside: primary,
    good: [
      [
        fileOf('replicas'),
        [['postgres://r@a/x', 'postgres://r@b/x'], filesOf({ replicas: fileOf('replicas') })],
      ],
    ],
    bad: ['a\0b'],
  },
  DATABASE_PASSWORD_FILE: {
    read: ({ database }) => (database.kind === 'postgres' ? [database.url, database.files] : []),
    byDefault: [],
    beside: primary,
    good: [
      [
        fileOf('password'),
        ['postgres://:p%40ss%2Fw%C3%B6rd%25@primary/x', filesOf({ password: fileOf('password') })],
      ],
    ],
    bad: ['a\0b'],
  },
  DATABASE_HEADERS: {
    read: ({ database }) => (database.kind === 'old-service' ? database.headers : {}),
    byDefault: {},
    beside: { DATABASE_URL: 'https://old.example/' },
    ...headers,
  },
  DATABASE_HEADERS_FILE: {
    read: ({ database }) => (database.kind === 'old-service' ? database.headers : {}),
    byDefault: {},
    beside: { DATABASE_URL: 'https://old.example/' },
    good: [[fileOf('headers'), { Authorization: 'Bearer abc:def', 'X-Tenant': 'a, "b"; c' }]],
    bad: ['a\0b'],
  },
  DATABASE_CONNECTIONS: {
    ...limit('connections', 4),
    good: [
      ['1', 1],
      ['100', 100],
    ],
    bad: ['0', '101', 'few'],
  },
  DATABASE_TIMEOUT: {
    ...limit('timeout', 1000),
    good: [
      ['100', 100],
      ['60000', 60_000],
    ],
    bad: ['99', '60001', '1s'],
  },
  DATABASE_MAX_LAG: {
    ...limit('maxLag', 10),
    good: [
      ['1', 1],
      ['3600', 3600],
    ],
    bad: ['0', '3601', '-1'],
  },
  DATABASE_DIRTY_READS: {
    read: ({ database }) => database.kind === 'mysql' && database.dirtyReads,
    byDefault: false,
    beside: { DATABASE_URL: 'mysql://a/x' },
    good: [
      ['on', true],
      ['off', false],
    ],
    bad: ['ON', '1', 'yes'],
  },
  DATABASE_MMAP: {
    read: ({ database }) => (database.kind === 'sqlite' ? database.mmap : null),
    ...integer(50331648, 0, 2147418112),
  },
  DATABASE_MAX_VALUES: {
    read: ({ database }) => (database.kind === 'old-service' ? database.maxValues : 100),
    beside: { DATABASE_URL: 'http://old.example/' },
    ...integer(100, 1, 1000),
  },
  PORT: { read: (config) => config.port, byDefault: 4000, ...port },
  HOST: { read: (config) => config.host, byDefault: '127.0.0.1', ...host },
  ADMIN_PORT: {
    read: ({ adminPort }) => adminPort,
    byDefault: 4001,
    good: [...port.good, ['off', 'off']],
    bad: [...port.bad, 'OFF', 'on', 'none'],
  },
  ADMIN_HOST: { read: (config) => config.adminHost, byDefault: '127.0.0.1', ...host },
  ADMIN_HOSTS: {
    read: ({ adminHosts }) => adminHosts,
    byDefault: [],
    good: [
      ['gateway', ['gateway']],
      ['gateway, Gateway.internal.,my_host', ['gateway', 'Gateway.internal.', 'my_host']],
    ],
    bad: ['gateway:4001', 'gateway,', ',', '*', '[::1]', 'http://gateway', 'a b', 'a'.repeat(254)],
  },
  WORKERS: {
    read: (config) => config.workers,
    byDefault: 1,
    good: [
      ['1', 1],
      ['64', 64],
    ],
    bad: ['0', '65', '-1', '1.5', 'two'],
  },
  HEADERS_TIMEOUT: { read: ({ timeouts }) => timeouts.headers, ...integer(5000, 1000, 600_000) },
  REQUEST_TIMEOUT: { read: ({ timeouts }) => timeouts.request, ...integer(10_000, 1000, 600_000) },
  IDLE_TIMEOUT: { read: ({ timeouts }) => timeouts.idle, ...integer(65_000, 1000, 3_600_000) },
  MAX_CONNECTIONS: { read: ({ maxConnections }) => maxConnections, ...integer(10_000, 1, 1_000_000) },
  MAX_IN_FLIGHT: { read: ({ maxInFlight }) => maxInFlight, ...integer(2000, 32, 100_000) },
  MAX_BODY: { read: ({ maxBody }) => maxBody, ...integer(65_536, 1024, 16_777_216) },
  COMPRESSION: {
    read: ({ compression }) => compression,
    byDefault: 'new',
    good: ['off', 'new', 'all'].map((choice) => [choice, choice]),
    bad: ['on', 'ALL', 'gzip', 'legacy'],
  },
  RATE_LIMIT: { read: ({ rateLimit }) => rateLimit, ...integer(null, 1, 1_000_000_000) },
  TRUSTED_PROXIES: {
    read: ({ trustedProxies }) => trustedProxies,
    byDefault: [],
    good: [
      ['10.0.0.1', ['10.0.0.1']],
      ['loopback, 10.0.0.0/8,fd00::/8', ['loopback', '10.0.0.0/8', 'fd00::/8']],
      ['0.0.0.0/1, 128.0.0.0/1', ['0.0.0.0/1', '128.0.0.0/1']],
      ['10.0.0.1/32, fd00::1/128', ['10.0.0.1/32', 'fd00::1/128']],
    ],
    bad: [
      'proxy.example',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0',
      '10.0.0.1,',
      '10.0.0.1 10.0.0.2',
      '*',
    ],
  },
  LOG_LEVEL: {
    read: ({ logLevel }) => logLevel,
    byDefault: 'info',
    good: ['debug', 'info', 'warn', 'error', 'silent'].map((level) => [level, level]),
    bad: ['INFO', 'trace', 'loud', '0'],
  },
  LOG_SAMPLE: { read: ({ logSample }) => logSample, byDefault: 0.01, ...shareOfAll },
  ACCESS_LOG: {
    read: ({ accessLog }) => accessLog,
    byDefault: null,
    good: ['access.log', '/var/log/lookup/access.log', '-'].map((path) => [path, path]),
    bad: ['a\0b'],
  },
  SHADOW_URL: {
    read: ({ shadow }) => shadow?.url ?? null,
    byDefault: null,
    good: ['https://old.example/lookup.php', 'http://127.0.0.1:8080/'].map((url) => [url, url]),
    bad: ['old.example', 'ftp://old.example/', 'https://old.example/?Event=', 'https:///'],
  },
  SHADOW_HEADERS: {
    read: ({ shadow }) => shadow.headers,
    byDefault: {},
    beside: { SHADOW_URL: 'https://old.example/' },
    ...headers,
  },
  SHADOW_HEADERS_FILE: {
    read: ({ shadow }) => shadow.headers,
    byDefault: {},
    beside: { SHADOW_URL: 'https://old.example/' },
    good: [[fileOf('headers'), { Authorization: 'Bearer abc:def', 'X-Tenant': 'a, "b"; c' }]],
    bad: ['a\0b'],
  },
  SHADOW_SAMPLE: {
    read: ({ shadow }) => shadow?.sample ?? 0,
    byDefault: 0,
    beside: { SHADOW_URL: 'https://old.example/' },
    ...shareOfAll,
  },
  SHADOW_IGNORE: {
    read: ({ shadow }) => shadow.noise.ignore,
    byDefault: [],
    beside: { SHADOW_URL: 'https://old.example/' },
    good: [
      ['Rank', [{ event: null, field: 'Rank' }]],
      [
        'JoinDate, AppLookup.Version',
        [
          { event: null, field: 'JoinDate' },
          { event: 'AppLookup', field: 'Version' },
        ],
      ],
      ['AcmeDownloadLink', [{ event: null, field: 'DownloadLink' }]],
    ],
    bad: [
      'Rnak',
      'rank',
      'Rank,',
      ',',
      'Users.Rank',
      'ProfileLookup.Version',
      'Rank=1',
      '.Rank',
      'x'.repeat(99),
    ],
  },
  SHADOW_TOLERATE: {
    read: ({ shadow }) => shadow.noise.tolerate,
    byDefault: [],
    beside: { SHADOW_URL: 'https://old.example/' },
    good: [
      ...['JoinDate=60', 'JoinDate=±60', 'JoinDate=+-60', 'JoinDate = 60'].map(
        (text) => [text, [{ event: null, field: 'JoinDate', by: '60' }]] as const,
      ),
      [
        'ProfileLookup.Rank=0.5,Category=1',
        [
          { event: 'ProfileLookup', field: 'Rank', by: '0.5' },
          { event: null, field: 'Category', by: '1' },
        ],
      ],
    ],
    bad: [
      'JoinDate',
      'JoinDate=',
      'JoinDate=0',
      'JoinDate=-60',
      'JoinDate=1e3',
      'Username=1',
      'Rank=1,Rank=x',
    ],
  },
  SHADOW_LEARN: {
    read: ({ shadow }) => shadow.noise.learn,
    ...onOff,
    byDefault: false,
    beside: { SHADOW_URL: 'https://old.example/' },
  },
  CUTOVER_URL: {
    read: ({ cutover }) => cutover.url,
    byDefault: null,
    good: ['https://old.example/lookup.php', 'http://127.0.0.1:8080/'].map((url) => [url, url]),
    bad: ['old.example', 'ftp://old.example/', 'https://old.example/?Event=', 'https:///'],
  },
  CUTOVER_HEADERS: {
    read: ({ cutover }) => cutover.headers,
    byDefault: {},
    beside: { CUTOVER_URL: 'https://old.example/' },
    ...headers,
  },
  CUTOVER_HEADERS_FILE: {
    read: ({ cutover }) => cutover.headers,
    byDefault: {},
    beside: { CUTOVER_URL: 'https://old.example/' },
    good: [[fileOf('headers'), { Authorization: 'Bearer abc:def', 'X-Tenant': 'a, "b"; c' }]],
    bad: ['a\0b'],
  },
  CUTOVER_SHARE: {
    read: ({ cutover }) => cutover.share,
    byDefault: 0,
    beside: { CUTOVER_URL: 'https://old.example/' },
    ...shareOfAll,
  },
  CUTOVER_BY: {
    read: ({ cutover }) => cutover.by.header ?? 'address',
    byDefault: 'address',
    good: [
      ['address', 'address'],
      ['header:X-Api-Key', 'x-api-key'],
    ],
    bad: ['Address', 'header:', 'header: X-Api-Key', 'header:a b', `header:${'a'.repeat(65)}`, 'cookie'],
  },
  CUTOVER_FALLBACK: {
    read: ({ cutover }) => cutover.fallback,
    ...onOff,
    byDefault: false,
    beside: { CUTOVER_URL: 'https://old.example/' },
  },
  CUTOVER_GUARD: {
    read: ({ cutover }) => cutover.guard,
    byDefault: 0.01,
    good: [
      ['off', 'off'],
      ['0', 0],
      ['0.05', 0.05],
      ['1', 1],
    ],
    bad: ['on', '1%', '-0.1', '1.1', '1e-3'],
  },
  CUTOVER_GUARD_WINDOW: { read: ({ cutover }) => cutover.guardWindow, ...integer(300, 10, 3600) },
  CUTOVER_TIMEOUT: { read: ({ cutover }) => cutover.timeout, ...integer(5000, 100, 60_000) },
  CUTOVER_CONNECTIONS: { read: ({ cutover }) => cutover.connections, ...integer(32, 1, 1000) },
  GRAPHIQL: { read: ({ graphiql }) => graphiql, ...onOff },
  EXPLORER: { read: ({ explorer }) => explorer, ...onOff },
  FEDERATION: { read: ({ federation }) => federation, ...onOff, byDefault: false },
  GRAPHQL_MAX_AGE: { read: ({ graphqlMaxAge }) => graphqlMaxAge, ...integer(0, 0, 31_536_000) },
  GRAPHQL_DOCUMENTS: {
    read: ({ trustedDocuments }) => trustedDocuments.manifest,
    byDefault: null,
    good: [['persisted-documents.json', 'persisted-documents.json']],
    bad: ['a\0b'],
  },
  GRAPHQL_ONLY_DOCUMENTS: {
    read: ({ trustedDocuments }) => trustedDocuments.only,
    ...onOff,
    byDefault: false,
    beside: { GRAPHQL_DOCUMENTS: 'persisted-documents.json' },
  },
  INTROSPECTION: { read: ({ queryLimits }) => queryLimits.introspection, ...onOff },
  GRAPHQL_MAX_TOKENS: { read: ({ queryLimits }) => queryLimits.tokens, ...integer(1000, 10, 1_000_000) },
  GRAPHQL_MAX_DEPTH: { read: ({ queryLimits }) => queryLimits.depth, ...integer(6, 1, 100) },
  GRAPHQL_MAX_ALIASES: { read: ({ queryLimits }) => queryLimits.aliases, ...integer(100, 0, 10_000) },
  GRAPHQL_MAX_FIELDS: { read: ({ queryLimits }) => queryLimits.fields, ...integer(10_000, 10, 1_000_000) },
  LEGACY_PATHS: {
    read: ({ dialect }) => dialect.paths,
    byDefault: ['/'],
    good: [
      ['/index.php', ['/index.php']],
      ['/,/api/, /old/lookup.php,/', ['/', '/api/', '/old/lookup.php']],
      ['/a%20b;c.php', ['/a%20b;c.php']],
      ['/graphql/,/schema', ['/graphql/', '/schema']],
    ],
    bad: [
      'index.php',
      '/a b',
      '/a,',
      '/a?b',
      '/a#b',
      '/a%2',
      '/é',
      '/graphql',
      '/,/explain',
      '/schema/legacy.xsd',
      '/live',
      '/ready',
      '/metrics',
      `/${'x'.repeat(256)}`,
    ],
  },
  LEGACY_SERVICE_NAME: {
    read: ({ dialect }) => dialect.serviceName,
    byDefault: 'Service',
    good: ['Acme', '_', 'a1', 'X'.repeat(64)].map((name) => [name, name]),
    bad: ['1st', 'two words', 'a-b', 'a:b', 'Éclair', 'X'.repeat(65), '<x>'],
  },
  LEGACY_CHAT_METHOD: {
    read: ({ dialect }) => dialect.chatMethod,
    byDefault: 'chat',
    good: ['irc', 'ID', 'x-1.2', 'idx', '7'].map((name) => [name, name]),
    bad: ['id', 'username', 'two words', 'a:b', 'a&b', 'x'.repeat(65)],
  },
  LEGACY_ANY_CASE: {
    read: ({ dialect }) => dialect.anyCase,
    byDefault: [],
    good: [
      ['none', []],
      ['methods', ['methods']],
      ['formats, parameters,methods,events', ['parameters', 'events', 'methods', 'formats']],
    ],
    bad: ['all', 'Events', 'events,', 'none,events', 'events,events'],
  },
  LEGACY_REPEATED: {
    read: ({ dialect }) => dialect.repeated,
    byDefault: 'refuse',
    good: ['refuse', 'last', 'first'].map((choice) => [choice, choice]),
    bad: ['Last', 'join'],
  },
  LEGACY_OTHER_EVENT: {
    read: ({ dialect }) => dialect.otherEvent,
    byDefault: 'refuse',
    good: ['refuse', 'ProfileLookup', 'AppLookup', 'ProfileLookup-if-missing', 'ProfileLookup-if-empty'].map(
      (choice) => [choice, choice],
    ),
    bad: ['profilelookup', 'Refuse', 'AppLookup-if-missing'],
  },
  LEGACY_OTHER_FORMAT: {
    read: ({ dialect }) => dialect.otherFormat,
    byDefault: 'refuse',
    good: ['refuse', 'json', 'xml'].map((choice) => [choice, choice]),
    bad: ['JSON', 'any'],
  },
  LEGACY_OTHER_METHOD: {
    read: ({ dialect }) => dialect.otherMethod,
    byDefault: 'refuse',
    good: ['refuse', 'refuse-empty', 'id', 'username', 'unknown'].map((choice) => [choice, choice]),
    bad: ['chat', 'ID'],
  },
  LEGACY_LIST: {
    read: ({ dialect }) => dialect.list,
    byDefault: 'colon',
    good: ['colon', 'colon-trimmed', 'colon-comma', 'colon-comma-trimmed'].map((choice) => [choice, choice]),
    bad: [':', 'comma', 'colon,comma'],
  },
  LEGACY_NO_VALUES: {
    read: ({ dialect }) => dialect.noValues,
    byDefault: 'refuse',
    good: ['refuse', 'refuse-empty', 'refuse-missing', 'empty'].map((choice) => [choice, choice]),
    bad: ['omit', 'Empty'],
  },
  LEGACY_EMPTY_VALUES: {
    read: ({ dialect }) => dialect.emptyValues,
    byDefault: 'drop',
    good: ['drop', 'keep'].map((choice) => [choice, choice]),
    bad: ['omit', 'Keep'],
  },
  LEGACY_LOOSE_IDS: {
    read: ({ dialect }) => dialect.looseIds,
    byDefault: 'digits',
    good: ['digits', 'exact', 'canonical', 'php', 'numeric'].map((choice) => [choice, choice]),
    bad: ['PHP', 'int', 'off'],
  },
  LEGACY_MALFORMED: {
    read: ({ dialect }) => dialect.malformed,
    byDefault: 'reject',
    good: ['reject', 'unknown', 'drop'].map((choice) => [choice, choice]),
    bad: ['Reject', 'omit'],
  },
  LEGACY_USERNAMES: {
    read: ({ dialect }) => dialect.usernames,
    byDefault: 'fold',
    good: ['fold', 'exact', 'trailing-blanks'].map((choice) => [choice, choice]),
    bad: ['Exact', 'mysql'],
  },
  LEGACY_DUPLICATES: {
    read: ({ dialect }) => dialect.duplicates,
    byDefault: 'once',
    good: ['once', 'each'].map((choice) => [choice, choice]),
    bad: ['twice', 'on'],
  },
  LEGACY_MAX_VALUES: {
    read: ({ dialect }) => dialect.maxValues,
    byDefault: 1000,
    good: [
      ['1', 1],
      ['10000', 10_000],
    ],
    bad: ['0', '10001', '-1', '1.5', 'all'],
  },
  LEGACY_TOO_MANY: {
    read: ({ dialect }) => dialect.tooMany,
    byDefault: 'refuse',
    good: ['refuse', 'cut'].map((choice) => [choice, choice]),
    bad: ['error', 'reject'],
  },
  LEGACY_KEYS: {
    read: ({ dialect }) => dialect.keys,
    byDefault: 'asked',
    good: [
      'asked',
      'lower',
      'read',
      'stored',
      'id',
      'username',
      'read,chat=id',
      'stored,id=asked,chat=username',
    ].map((choice) => [choice, choice]),
    bad: [
      'ID',
      'Username',
      'chat=id',
      'read,id',
      'read,chat=ID',
      'read,chat=id,chat=id',
      'read,chat=id=id',
      'read,',
    ],
  },
  LEGACY_KEYS_XML: {
    read: ({ dialect }) => dialect.keysXml,
    byDefault: null,
    good: ['asked', 'stored', 'id,chat=asked'].map((choice) => [choice, choice]),
    bad: ['ID', 'chat=id', 'read,'],
  },
  LEGACY_ORDER: {
    read: ({ dialect }) => dialect.order,
    byDefault: 'asked',
    good: ['asked', 'id', 'id desc', 'name', 'ksort', 'Username', 'DisplayName nocase', 'JoinDate desc'].map(
      (choice) => [choice, choice],
    ),
    bad: ['desc', 'username', 'Title', 'Rank nocase', 'Username desc nocase', 'JoinDate DESC', 'asked desc'],
  },
  LEGACY_APPS_ORDER: {
    read: ({ dialect }) => dialect.appsOrder,
    byDefault: null,
    good: ['asked', 'id desc', 'name', 'Title general_ci desc', 'Category'].map((choice) => [choice, choice]),
    bad: ['ksort', 'title', 'Username', 'ID'],
  },
  LEGACY_FIELDS: {
    read: ({ dialect }) => dialect.fields,
    byDefault: [],
    good: [
      ['Username, Id', ['Username', 'Id']],
      ['Title,Acme_2DownloadLink,Banned', ['Title', 'Acme_2DownloadLink', 'Banned']],
    ],
    bad: ['id', 'Id,Id', 'Id,', 'none', 'AcmeDownloadLink,DownloadLink', 'Value', 'toString'],
  },
  LEGACY_UNKNOWN: {
    read: ({ dialect }) => dialect.unknown,
    byDefault: 'omit',
    good: [
      ...['omit', 'null', 'false', '{}', '[]', 'nulls', 'error', 'refuse'],
      ...['nulls+0', 'nulls+false', 'nulls+0+false', 'zeros'],
      ...['{"error":"{message}"}', '{"Error":{"Code":404,"Message":"{message}"}}', '{"found":false}'],
    ].map((choice) => [choice, choice]),
    bad: [
      ...[
        'NULL',
        'keep',
        '{ }',
        'error,null',
        'nulls+false+0',
        'toString',
        '{"error":"{message}"',
        '["{message}"]',
      ],
      ...[
        '{"a":"{message}","b":"{message}"}',
        '{"a":[]}',
        '{"a b":1}',
        '{"a":{}}',
        '{"a":{"b":{"c":{"d":1}}}}',
      ],
      `{"a":"${'x'.repeat(500)}"}`,
    ],
  },
  LEGACY_UNKNOWN_XML: {
    read: ({ dialect }) => dialect.unknownXml,
    byDefault: null,
    good: ['omit', 'empty', 'empty-fields', 'unconfirmed', 'zeros', 'error'].map((choice) => [
      choice,
      choice,
    ]),
    bad: ['null', 'Empty', 'refuse'],
  },
  LEGACY_UNKNOWN_TEXT: {
    read: ({ dialect }) => dialect.unknownText,
    byDefault: 'Not found',
    good: [
      'No such user',
      '{value} ≠ {Value}',
      '{}',
      'x'.repeat(200),
      'No user {value} | No app {value}',
    ].map((text) => [text, text]),
    bad: ['a\tb', 'x'.repeat(201), '{value}{value}', 'a {value} b {value} c', 'a | b | c', 'a | '],
  },
  LEGACY_UNKNOWN_STATUS: {
    read: ({ dialect }) => dialect.unknownStatus,
    byDefault: null,
    good: [200, 400, 404, 599].map((status) => [String(status), status]),
    bad: ['http', '204', '304', '399', '600', '4e2', '40x'],
  },
  LEGACY_EMPTY: {
    read: ({ dialect }) => dialect.empty,
    byDefault: '{}',
    good: ['{}', '[]', 'null', 'none', 'refuse'].map((choice) => [choice, choice]),
    bad: ['[ ]', 'NULL', 'None', '{},[]'],
  },
  LEGACY_NUMBERS: {
    read: ({ dialect }) => dialect.numbers,
    byDefault: 'number',
    good: ['number', 'string', 'string,Id=number', 'number,Rank=string,JoinDate=string,Category=string'].map(
      (choice) => [choice, choice],
    ),
    bad: [
      ...['strings', 'Number', '1', 'Id=number', 'string,Id', 'string,id=number', 'string,Title=number'],
      ...['string,Id=number,Id=number', 'string,Id=number=string', 'string,', 'string, Id=number'],
    ],
  },
  LEGACY_BOOLEANS: {
    read: ({ dialect }) => dialect.booleans,
    byDefault: 'boolean',
    good: ['boolean', 'integer', 'string', 'strval', 'string,strval', 'integer,boolean'].map((choice) => [
      choice,
      choice,
    ]),
    bad: ['number', 'true', 'String', 'string,', 'string,number', 'string,string,string'],
  },
  LEGACY_TEXT_ESCAPES: {
    read: ({ dialect }) => dialect.textEscapes,
    byDefault: 'none',
    good: ['none', 'html', 'html-json', 'compat', 'compat-json'].map((choice) => [choice, choice]),
    bad: ['htmlspecialchars', 'HTML', 'json', 'html,json'],
  },
  LEGACY_JSON_FLAGS: {
    read: ({ dialect }) => dialect.jsonFlags,
    byDefault: [],
    good: [
      ['none', []],
      ['pretty', ['pretty']],
      ['sorted,spaced-colons,indent-3', ['indent-3', 'spaced-colons', 'sorted']],
      ['indent-tab,hex-tag-lower', ['hex-tag-lower', 'indent-tab']],
      ['hex-quot,hex-tag,hex-amp,hex-apos', ['hex-tag', 'hex-amp', 'hex-apos', 'hex-quot']],
      ['newline, unescaped-slashes', ['unescaped-slashes', 'newline']],
      ['pretty,numeric-check', ['numeric-check', 'pretty']],
      [
        'unescaped-unicode,unescaped-slashes,pretty,newline,spaced',
        ['unescaped-unicode', 'unescaped-slashes', 'pretty', 'newline', 'spaced'],
      ],
    ],
    bad: [
      ...['none,pretty', 'pretty,pretty', 'pretty,', 'JSON_NUMERIC_CHECK', ',', 'a,'.repeat(100)],
      ...['pretty,indent-2', 'hex-tag,hex-tag-lower', 'indent-4'],
    ],
  },
  LEGACY_JSON_TYPE: {
    read: ({ dialect }) => dialect.jsonType,
    byDefault: 'application/json; charset=utf-8',
    good: ['text/html', 'text/html;charset=UTF-8', 'application/vnd.a+json; charset="utf-8"; v=1'].map(
      (type) => [type, type],
    ),
    bad: [
      'json',
      'text/',
      'text/html\tX: y',
      'a b/c',
      'text/html; charset',
      `text/${'a'.repeat(65)}`,
      'a/b;c=d;c=d;c=d',
    ],
  },
  LEGACY_XML_STYLE: {
    read: ({ dialect }) => dialect.xmlStyle,
    byDefault: 'simplexml',
    good: ['simplexml', 'dom', 'dom-node', 'xmlwriter', 'plain'].map((choice) => [choice, choice]),
    bad: ['DOM', 'SimpleXML', 'python'],
  },
  LEGACY_XML_FLAGS: {
    read: ({ dialect }) => dialect.xmlFlags,
    byDefault: [],
    good: [
      ['cdata', ['cdata']],
      ['needed-cdata,no-cdata:Acme_2DownloadLink', ['needed-cdata', 'no-cdata:Acme_2DownloadLink']],
      [
        'single-quotes,inline-fields,filled-cdata,lined-root',
        ['single-quotes', 'inline-fields', 'filled-cdata', 'lined-root'],
      ],
      ['open-fields, open-root,no-newline', ['open-fields', 'open-root', 'no-newline']],
      [
        'spaced-tags,decimal,crlf,inline-declaration',
        ['spaced-tags', 'decimal', 'crlf', 'inline-declaration'],
      ],
    ],
    bad: [
      'CDATA',
      'cdata,',
      'toString',
      'newline,no-newline',
      'apos,bare-apostrophes',
      'open-tags,closed-tags',
      'open-root,closed-tags',
      'cdata,filled-cdata',
      'cdata,needed-cdata',
      'no-cdata:Rank',
      'no-cdata:',
      'no-cdata:FIELD',
      'open-root,lined-root',
    ],
  },
  LEGACY_XML_INDENT: {
    read: ({ dialect }) => dialect.xmlIndent,
    byDefault: null,
    good: [
      ['none', null],
      ['tab', '\t'],
      ['0', ''],
      ['2', '  '],
      ['8', ' '.repeat(8)],
    ],
    bad: ['9', '-1', 'tabs', '02'],
  },
  LEGACY_XML_DECLARATION: {
    read: ({ dialect }) => dialect.xmlDeclaration,
    byDefault: null,
    good: [
      'omit',
      '<?xml version="1.0"?>',
      "<?xml version='1.0' encoding='utf-8'?>",
      '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>',
    ].map((text) => [text, text]),
    bad: [
      'none',
      '<?xml?>',
      '<?xml version="1.1"?>',
      `<?xml version="1.0'?>`,
      '<?xml version="1.0" encoding="ISO-8859-1"?>',
      '<?xml version="1.0" standalone="yes" encoding="UTF-8"?>',
      '<?xml version="1.0"?> ',
    ],
  },
  LEGACY_XML_ROOT: {
    read: ({ dialect }) => dialect.xmlRoot,
    byDefault: null,
    good: ['version="1.0"', "a='1' b-c.d=\"'>\" _e=''"].map((text) => [text, text]),
    bad: [
      ...['version', 'version=1', 'version="1.0" ', 'a="1"b="2"', 'a="1"  b="2"', 'a="1" a="2"', 'a="<"'],
      ...[
        'a="&"',
        'a="é"',
        'xmlns="x"',
        'xmlns:a="x"',
        '1="a"',
        `a="1'`,
        `a="${'x'.repeat(200)}"`,
        'a = "1"',
      ],
    ],
  },
  LEGACY_XML_TYPE: {
    read: ({ dialect }) => dialect.xmlType,
    byDefault: 'application/xml; charset=utf-8',
    good: ['text/xml', 'text/html; charset=UTF-8', 'application/vnd.x+xml;charset="utf-8"'].map((type) => [
      type,
      type,
    ]),
    bad: ['xml', 'text/', 'text/xml;', 'text/xml; charset', 'text/xml; charset=é'],
  },
  LEGACY_ERROR_BODY: {
    read: ({ dialect }) => dialect.errorBody,
    byDefault: 'object',
    good: [
      'object',
      'text',
      'lower-case',
      'none',
      '{"error":{"code":"{code}","message":"{message}"},"status":{status}}',
      '{\\n    "detail": "{message}"\\r\\n}',
      'ERROR: {message}',
      '{message}',
      '<html><body>Bad request</body></html>',
      '<?xml version="1.0"?>\\n<Error>{message}</Error>',
    ].map((text) => [text, text]),
    bad: [
      'Text',
      'string',
      '{"Error":"…"',
      '{"Error":{message}}',
      '{Error: "{message}"}',
      'Wrong {status}',
      '{message}\0',
      '{message}\ud800',
      '{message}'.padEnd(2001, '.'),
      `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
    ],
  },
  LEGACY_ERROR_BODY_XML: {
    read: ({ dialect }) => dialect.errorBodyXml,
    byDefault: null,
    good: [
      'object',
      'text',
      'none',
      '{"error":"{message}"}',
      '<Error><Message>{message}</Message></Error>',
    ].map((text) => [text, text]),
    bad: ['lower-case', 'Text', '{"Error":{message}}'],
  },
  LEGACY_ERROR_TYPE: {
    read: ({ dialect }) => dialect.errorType,
    byDefault: null,
    good: ['text/html', 'text/plain; charset=utf-8'].map((type) => [type, type]),
    bad: ['html', 'text/', 'text/html\tX: y'],
  },
  LEGACY_ERROR_STATUS: {
    read: ({ dialect }) => dialect.errorStatus,
    byDefault: 'http',
    good: [
      ['http', 'http'],
      ['200', 200],
      ['400', 400],
      ['599', 599],
    ],
    bad: ['HTTP', 'ok', '204', '302', '399', '600', '4e2'],
  },
  LEGACY_ERROR_STATUSES: {
    read: ({ dialect }) => dialect.errorStatuses,
    byDefault: null,
    good: [
      'UnknownEvent=404',
      'UnknownEvent=404; MalformedIdentifier=422;MissingParameter=200;MissingEvent=404;MissingApps=422',
    ].map((text) => [text, text]),
    bad: ['404', 'UnknownEvent=', 'UnknownEvent=302', 'Unavailable=404', 'UnknownEvent=404;UnknownEvent=400'],
  },
  LEGACY_ERROR_TEXTS: {
    read: ({ dialect }) => dialect.errorTexts,
    byDefault: null,
    good: [
      'UnknownEvent=No such event',
      'UnknownEvent=a=b; MissingParameter = Users missing!',
      'UnknownEvent=No such event; try another;one',
      'UnknownEvent=No; sorry;MissingApps=Which; and why?',
    ].map((text) => [text, text]),
    bad: [
      'No such event',
      'UnknownEvent=',
      'unknownEvent=a',
      'Unavailable=a',
      'UnknownEvent=a;',
      'UnknownEvent=a;;b',
      'UnknownEvent=a;UnknownEvent=b',
      'UnknownEvent=a;NoSuchCode=b',
      'UnknownEvent=a; b = c',
      'UnknownEvent=a\tb',
      `UnknownEvent=${'a'.repeat(201)}`,
      ';'.repeat(10_000),
    ],
  },
  LEGACY_ERROR_CODES: {
    read: ({ dialect }) => dialect.errorCodes,
    byDefault: null,
    good: ['UnknownEvent=bad_event', 'UnknownEvent=1;MalformedIdentifier=bad.id'].map((text) => [text, text]),
    bad: ['bad_event', 'UnknownEvent=', 'UnknownEvent=a b', 'Internal=a', `UnknownEvent=${'a'.repeat(61)}`],
  },
  LEGACY_MAX_AGE: {
    read: ({ dialect }) => dialect.maxAge,
    byDefault: 0,
    good: [
      ['0', 0],
      ['31536000', 31_536_000],
    ],
    bad: ['31536001', '-1', '1h', '0.5'],
  },
  LEGACY_DEPRECATION: { read: ({ dialect }) => dialect.deprecation, ...date },
  LEGACY_SUNSET: { read: ({ dialect }) => dialect.sunset, ...date },
  LEGACY_SUNSET_LINK: {
    read: ({ dialect }) => dialect.sunsetLink,
    byDefault: null,
    good: [
      ['https://old.example/bye?a=1', 'https://old.example/bye?a=1'],
      // What would end the header's value early, or start another one, is encoded.
      ['https://old.example/a>; rel="x"', 'https://old.example/a%3E;%20rel=%22x%22'],
    ],
    bad: [
      '/bye',
      'old.example',
      'ftp://old.example/',
      'javascript:alert(1)',
      'https://',
      'mailto:a@old.example',
    ],
  },
}
