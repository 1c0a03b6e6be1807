// Every setting: its default, texts that it may have with what they mean, and texts that are refused.

import { describe, expect, test } from 'vitest'
import { type Config, ConfigError, readConfig } from '../../src/config/config.ts'
import { settings } from '../../src/config/settings.ts'
import { fileWith } from '../kit/dialect.ts'

interface Row {
  readonly name: string
  /** Where the configuration has it. */
  readonly path: string
  readonly byDefault: unknown
  readonly good: readonly (readonly [text: string, value: unknown])[]
  readonly bad: readonly string[]
  /** Another setting without which this one may not be given. */
  readonly beside: Readonly<Record<string, string>>
}

type Texts = string | readonly string[]
/** Texts without blanks may stand in one string. */
const listed = (texts: Texts) => (typeof texts === 'string' ? texts.split(' ') : texts)

const postgres = { DATABASE_URL: 'postgres://a/x' }
const oldService = { DATABASE_URL: 'https://old.example/' }
const companions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  SHADOW: { SHADOW_URL: 'https://old.example/' },
  CUTOVER: { CUTOVER_URL: 'https://old.example/' },
}

function row(
  name: string,
  path: string,
  byDefault: unknown,
  good: Row['good'],
  bad: Texts,
  beside: Row['beside'] = name.endsWith('_URL') ? {} : (companions[name.split('_')[0] ?? ''] ?? {}),
): Row {
  return { name, path, byDefault, good, bad: listed(bad), beside }
}

const integer = (
  name: string,
  path: string,
  byDefault: number | null,
  [min, max]: readonly [number, number],
  beside?: Row['beside'],
) => {
  const good = [min, max].map((value): [string, number] => [String(value), value])
  return row(name, path, byDefault, good, `${min - 1} ${max + 1} 1.5 1e3 all`, beside)
}

const onOff = (name: string, path: string, byDefault: boolean, beside?: Row['beside']) => {
  const good: Row['good'] = [
    ['on', true],
    ['off', false],
  ]
  return row(name, path, byDefault, good, 'ON true 1 yes', beside)
}

const share = (name: string, path: string, byDefault: number) => {
  const good: Row['good'] = [
    ['0', 0],
    ['1', 1],
    ['.001', 0.001],
    ['1.0', 1],
  ]
  return row(name, path, byDefault, good, '-1 1.1 1% 1e-3 .')
}

/** A text that stays as it is. */
const text = (name: string, path: string, byDefault: unknown, good: Texts, bad: Texts) => {
  const same = listed(good).map((text) => [text, text] as const)
  return row(name, path, byDefault, same, bad)
}
const file = (name: string, path: string) => text(name, path, null, 'some.file -', ['a\0b'])
const headers = (name: string, path: string, beside?: Row['beside']) =>
  row(name, path, {}, [['A: 1\nB: 2', { A: '1', B: '2' }]], ['secret', 'Connection: close'], beside)
const url = (name: string, path: string) =>
  text(
    name,
    path,
    null,
    'https://old.example/lookup.php http://127.0.0.1:8080/',
    'old.example ftp://old.example/ https://old.example/?Event= https:///',
  )

/** The path of a setting of legacy lookups is its name. */
const pathOf = (name: string) =>
  `legacy.${name
    .slice('LEGACY_'.length)
    .toLowerCase()
    .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())}`
const legacy = (name: string, byDefault: unknown, good: Row['good'], bad: Texts) =>
  row(name, pathOf(name), byDefault, good, bad)
const date = (name: string) =>
  legacy(
    name,
    null,
    [
      ['2027-01-31', new Date('2027-01-31T00:00:00Z')],
      ['2028-02-29T12:00Z', new Date('2028-02-29T12:00:00Z')],
    ],
    '2027 2027-1-31 2027-02-29 2027-01-31T12:00:00 2027-01-31T25:00:00Z tomorrow 1700000000',
  )
const addresses = [
  '0.0.0.0 ::1 fe80::1%eth0 gateway-1.example',
  ['a b', 'http://localhost', '[::1]', 'a,b'],
] as const
const someFields = (field: string) => [{ event: null, field }]

const rows: readonly Row[] = [
  // database.test.ts has the whole locations, and what is read from files.
  row(
    'DATABASE_URL',
    'database.kind',
    'sqlite',
    [
      ['sqlite:some folder/ü?.db', 'sqlite'],
      ['postgresql://[::1]:6000/x?sslmode=no-verify', 'postgres'],
      ['postgres:///forum?host=/run/postgresql', 'postgres'],
      ['mysql://u:p@db.example/forum', 'mysql'],
      ['mariadb://u:p,q@a:3307,b,[::1]:3308/x?ssl-mode=REQUIRED', 'mysql'],
      ['http://127.0.0.1:8080', 'old-service'],
    ],
    [
      ...listed('sqlite: lookup.db SQLITE:x.db oracle://db/x mysql://a:b:c/x mysql://a,,b/x mysql://a,/x'),
      ...listed('mysql://,a/x postgres://a:b:c/x postgres://db/x#y db.example http://'),
      ...listed('http://old.example/?Event= http://old.example/#top ftp://old.example/ sqlite:a\0b'),
    ],
  ),
  row(
    'DATABASE_REPLICA_URLS',
    'database.replicas',
    [],
    [['postgres://r@a/x, postgresql://r:p,q@b/x', ['postgres://r@a/x', 'postgresql://r:p,q@b/x']]],
    'a,b postgres://a/x,, sqlite:x.db postgres://a/x,postgres://:x:y/',
    postgres,
  ),
  row('DATABASE_PASSWORD_FILE', 'database.files', undefined, [], ['a\0b'], postgres),
  headers('DATABASE_HEADERS', 'database.headers', oldService),
  integer('DATABASE_CONNECTIONS', 'database.connections', 4, [1, 100], postgres),
  integer('DATABASE_TIMEOUT', 'database.timeout', 1000, [100, 60_000], postgres),
  integer('DATABASE_MAX_LAG', 'database.maxLag', 10, [1, 3600], postgres),
  onOff('DATABASE_ALLOW_SCANS', 'database.allowScans', false),
  integer('DATABASE_MMAP', 'database.mmap', 48 * 1024 * 1024, [0, 2_147_418_112]),
  integer('DATABASE_MAX_VALUES', 'database.maxValues', 100, [1, 1000], oldService),

  integer('PORT', 'port', 4000, [0, 65_535]),
  text('HOST', 'host', '127.0.0.1', ...addresses),
  row(
    'ADMIN_PORT',
    'adminPort',
    4001,
    [
      ['0', 0],
      ['off', 'off'],
    ],
    'OFF on -1 65536',
  ),
  row(
    'HEALTH_PATH',
    'healthPath',
    null,
    [
      ['/healthz', '/healthz'],
      ['/ready', '/ready'],
    ],
    'healthz / /graphql /graphql/ /explain /schema/x /a?b /a#b /é',
  ),
  text('ADMIN_HOST', 'adminHost', '127.0.0.1', ...addresses),
  row(
    'ADMIN_HOSTS',
    'adminHosts',
    [],
    [['gateway, Gateway.internal.,my_host', ['gateway', 'Gateway.internal.', 'my_host']]],
    ['gateway:4001', 'gateway,', '*', '[::1]', 'http://gateway', 'a b', 'a'.repeat(254)],
  ),
  integer('WORKERS', 'workers', 1, [1, 64]),
  integer('REQUEST_TIMEOUT', 'timeouts.request', 10_000, [1000, 600_000]),
  integer('IDLE_TIMEOUT', 'timeouts.idle', 65_000, [1000, 3_600_000]),
  integer('MAX_CONNECTIONS', 'maxConnections', 10_000, [1, 1_000_000]),
  integer('MAX_IN_FLIGHT', 'maxInFlight', 2000, [32, 100_000]),
  integer('MAX_BODY', 'maxBody', 65_536, [1024, 16_777_216]),
  integer('MAX_RESPONSE_BYTES', 'maxResponseBytes', 8_388_608, [1024, 268_435_456]),
  text('COMPRESSION', 'compression', 'new', 'off new all', 'on ALL gzip'),
  integer('RATE_LIMIT', 'rateLimit', null, [1, 1_000_000_000]),
  row(
    'TRUSTED_PROXIES',
    'trustedProxies',
    [],
    [
      ['loopback, 10.0.0.0/8,fd00::/8', ['loopback', '10.0.0.0/8', 'fd00::/8']],
      ['0.0.0.0/1, 10.0.0.1/32,fd00::1/128', ['0.0.0.0/1', '10.0.0.1/32', 'fd00::1/128']],
    ],
    listed('proxy.example 0.0.0.0/0 ::/0 10.0.0.0/33 fd00::/129 10.0.0 10.0.0.1, *').concat(
      '10.0.0.1 10.0.0.2',
    ),
  ),
  text('LOG_LEVEL', 'logLevel', 'info', 'debug info warn error silent', 'INFO trace 0'),
  share('LOG_SAMPLE', 'logSample', 0.01),
  file('ACCESS_LOG', 'accessLog'),

  url('SHADOW_URL', 'shadow.url'),
  headers('SHADOW_HEADERS', 'shadow.headers'),
  share('SHADOW_SAMPLE', 'shadow.sample', 0),
  // noise.test.ts has what is said of wrong fields.
  row(
    'SHADOW_IGNORE',
    'shadow.noise.ignore',
    [],
    [
      ['AcmeDownloadLink', someFields('DownloadLink')],
      ['Rank, AppLookup.Version', [...someFields('Rank'), { event: 'AppLookup', field: 'Version' }]],
    ],
    'Rnak Rank, Users.Rank ProfileLookup.Version Rank=1 .Rank',
  ),
  row(
    'SHADOW_TOLERATE',
    'shadow.noise.tolerate',
    [],
    ['JoinDate=60', 'JoinDate=±60', 'JoinDate=+-60', 'JoinDate = 60'].map(
      (written) => [written, [{ event: null, field: 'JoinDate', by: '60' }]] as const,
    ),
    'JoinDate JoinDate=0 JoinDate=-60 JoinDate=1e3 Username=1 Rank=1,Rank=x',
  ),
  onOff('SHADOW_LEARN', 'shadow.noise.learn', false),
  url('CUTOVER_URL', 'cutover.url'),
  headers('CUTOVER_HEADERS', 'cutover.headers'),
  row(
    'CUTOVER_SHARE',
    'cutover.share',
    { share: 0, events: {} },
    [
      ['.001', { share: 0.001, events: {} }],
      ['1.0', { share: 1, events: {} }],
      ['0.1, AppLookup=0.5', { share: 0.1, events: { AppLookup: 0.5 } }],
      ['ProfileLookup = 1,AppLookup=0', { share: 0, events: { ProfileLookup: 1, AppLookup: 0 } }],
    ],
    '-0.1 1.1 1% 1e-1 0.1,0.2 0.1, AppLookup AppLookup= AppLokup=1 AppLookup=2 AppLookup=1=1 AppLookup=1,AppLookup=1',
  ),
  share('CUTOVER_MIRROR', 'cutover.mirror', 0),
  row(
    'CUTOVER_BY',
    'cutover.by.header',
    null,
    [
      ['address', null],
      ['header:X-Api-Key', 'x-api-key'],
    ],
    ['Address', 'header:', 'header: X-Api-Key', 'header:a b', `header:${'a'.repeat(65)}`, 'cookie'],
  ),
  row(
    'CUTOVER_PINS',
    'cutover.pins',
    [],
    [
      [
        '203.0.113.7=new, 10.0.0.0/8 = old,2001:db8::/32=new',
        [
          { side: 'new', range: '203.0.113.7' },
          { side: 'old', range: '10.0.0.0/8' },
          { side: 'new', range: '2001:db8::/32' },
        ],
      ],
      ['User-Agent: Beta/2 (x=y)=new', [{ side: 'new', header: 'user-agent', text: 'Beta/2 (x=y)' }]],
      ['x-team:qa=old', [{ side: 'old', header: 'x-team', text: 'qa' }]],
    ],
    [
      ...listed(
        '10.0.0.1 10.0.0.1= 10.0.0.1=both =new 10.0.0.0/33=new 0.0.0.0/0=new qa=new x-team:=new :qa=new',
      ),
      ...['10.0.0.1=new,', 'x team:qa=new', `${'x'.repeat(65)}:qa=new`, '10.0.0=new'],
      // Misspelt addresses, not headers called 10.0.0.1 or fe80.
      ...listed('10.0.0.1:80=new 2001:db8::/129=new 2001:db8:0:0:0:0:0:g=old fe80::1:g=old [::1]=new'),
    ],
  ),
  onOff('CUTOVER_TEST_HEADER', 'cutover.testHeader', false),
  onOff('CUTOVER_FALLBACK', 'cutover.fallback', false),
  row(
    'CUTOVER_GUARD',
    'cutover.guard',
    0.01,
    [
      ['off', 'off'],
      ['0', 0],
      ['1', 1],
    ],
    'on 1% -0.1 1.1',
  ),
  integer('CUTOVER_GUARD_WINDOW', 'cutover.guardWindow', 300, [10, 3600]),
  file('CUTOVER_STATE', 'cutover.state'),
  integer('CUTOVER_TIMEOUT', 'cutover.timeout', 5000, [100, 60_000]),
  integer('CUTOVER_CONNECTIONS', 'cutover.connections', 32, [1, 1000]),

  onOff('GRAPHIQL', 'graphiql', true),
  onOff('EXPLORER', 'explorer', true),
  onOff('FEDERATION', 'federation', false),
  row(
    'JOIN_DATE_UNIT',
    'joinDateUnit',
    'none',
    [
      ['seconds', 'seconds'],
      ['milliseconds', 'milliseconds'],
    ],
    'Seconds s ms on off',
  ),
  integer('GRAPHQL_MAX_AGE', 'graphqlMaxAge', 0, [0, 31_536_000]),
  file('GRAPHQL_DOCUMENTS', 'trustedDocuments.manifest'),
  onOff('GRAPHQL_ONLY_DOCUMENTS', 'trustedDocuments.only', false, { GRAPHQL_DOCUMENTS: 'documents.json' }),
  onOff('INTROSPECTION', 'queryLimits.introspection', true),
  integer('GRAPHQL_MAX_TOKENS', 'queryLimits.tokens', 1000, [10, 1_000_000]),
  integer('GRAPHQL_MAX_DEPTH', 'queryLimits.depth', 6, [1, 100]),
  integer('GRAPHQL_MAX_ALIASES', 'queryLimits.aliases', 100, [0, 10_000]),
  integer('GRAPHQL_MAX_FIELDS', 'queryLimits.fields', 10_000, [10, 1_000_000]),

  legacy(
    'LEGACY_PATHS',
    ['/'],
    [
      ['/,/api/, /old/lookup.php,/', ['/', '/api/', '/old/lookup.php']],
      ['/a%20b;c.php', ['/a%20b;c.php']],
      ['/api/,/schema', ['/api/', '/schema']],
    ],
    [
      ...listed(
        'index.php /a, /a?b /a#b /a%2 /é /graphql /graphql/ /,/explain /schema/legacy.xsd /live /ready /metrics',
      ),
      ...['/a b', `/${'x'.repeat(256)}`],
    ],
  ),
  // The file itself: legacy/dialect-file.test.ts.
  row(
    'LEGACY_DIALECT',
    'dialect.serviceName',
    'Service',
    [[fileWith({ serviceName: 'Acme' }), 'Acme']],
    ['a\0b'],
  ),
  integer('LEGACY_MAX_VALUES', 'legacy.maxValues', 1000, [1, 10_000]),
  integer('LEGACY_MAX_AGE', 'legacy.maxAge', 0, [0, 31_536_000]),
  date('LEGACY_DEPRECATION'),
  date('LEGACY_SUNSET'),
  legacy(
    'LEGACY_SUNSET_LINK',
    null,
    [
      ['https://old.example/bye?a=1', 'https://old.example/bye?a=1'],
      // What would end the header's value early, or start another one, is encoded.
      ['https://old.example/a>; rel="x"', 'https://old.example/a%3E;%20rel=%22x%22'],
    ],
    '/bye old.example ftp://old.example/ javascript:alert(1) https:// mailto:a@old.example',
  ),
]

const valueAt = (config: Config, path: string) =>
  path
    .split('.')
    .reduce<unknown>(
      (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
      config,
    )

function problemsOf(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig({ environment })
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

test('every setting is here', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...settings.keys()].toSorted())
})

describe.for(rows)('$name', ({ name, path, byDefault, good, bad, beside }) => {
  test('default', () => {
    expect(valueAt(readConfig({ environment: beside }), path)).toEqual(byDefault)
  })

  test.for(good)('may be %j', ([text, value]) => {
    expect(valueAt(readConfig({ environment: { ...beside, [name]: text } }), path)).toEqual(value)
  })

  test.for(bad)('cannot be %j', (text) => {
    const shown = /_(?:URLS?|HEADERS)$/.test(name) ? '***' : text
    const problem = problemsOf({ ...beside, [name]: text })
    expect(problem.startsWith(`${name} (environment) cannot be "${shown}"`), problem).toBe(true)
    // One complaint, which says what is allowed.
    expect(problem).toMatch(/^[^\n]+ Allowed: \S[^\n]*$/)
  })
})

test('all bad settings are reported at once, in the order of the table', () => {
  const wrong = Object.fromEntries(rows.map(({ name, bad: [text = ''] }) => [name, text]))
  expect(problemsOf(wrong).match(/^[A-Z_]+/gm)).toEqual([...settings.keys()])
})
