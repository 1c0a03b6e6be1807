// The texts that settings may have, what they mean, and the texts that are refused. docs/settings.md, which
// check:contracts compares, has each default and each range.

import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { settings } from '../../src/config/settings.ts'

function problemsOf(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig({ environment })
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

const parse = (name: string, text: string) => settings.get(name)?.parse(text)
const named = (pattern: RegExp) => [...settings.values()].filter(({ allowed }) => pattern.test(allowed))

test('integers are within their ranges', () => {
  const integers = named(/^an integer from/)
  expect(integers.length).toBeGreaterThan(20)
  for (const { name, allowed } of integers) {
    const [min = 0, max = 0] = (allowed.match(/\d+/g) ?? []).map(Number)
    for (const value of [min, max]) expect(parse(name, String(value)), name).toBe(value)
    for (const text of `${min - 1} ${max + 1} 1.5 1e3 all`.split(' '))
      expect(parse(name, text)).toBeUndefined()
  }
})

test('shares are numbers from 0 to 1, and switches are on or off', () => {
  for (const { name } of named(/^a number from 0 to 1$/)) {
    expect(['0', '1', '.001', '1.0'].map((text) => parse(name, text))).toEqual([0, 1, 0.001, 1])
    for (const text of '-1 1.1 1% 1e-3 .'.split(' ')) expect(parse(name, text), name).toBeUndefined()
  }
  for (const { name } of named(/^on, off$/))
    expect(
      ['on', 'off', 'ON', 'true', '1'].map((text) => parse(name, text)),
      name,
    ).toEqual([...[true, false, undefined, undefined, undefined]])
})

const fields = (...names: readonly string[]) => names.map((field) => ({ event: null, field }))
const hosts = ['0.0.0.0', '::1', 'fe80::1%eth0', 'gateway-1.example']
const service = ['https://old.example/lookup.php', 'http://127.0.0.1:8080/']

/** Each text with its value; `undefined` if the value is the text. */
const allowed: readonly (readonly [name: string, text: string, value?: unknown])[] = [
  ...hosts.flatMap((text) => [['HOST', text] as const, ['ADMIN_HOST', text] as const]),
  ['ADMIN_PORT', 'off'],
  ['ADMIN_HOSTS', 'gateway, Gateway.internal.,my_host', ['gateway', 'Gateway.internal.', 'my_host']],
  ['HEALTH_PATH', '/healthz'],
  ['HEALTH_PATH', '/ready'],
  ['COMPRESSION', 'all'],
  ['LOG_LEVEL', 'silent'],
  ['JOIN_DATE_UNIT', 'milliseconds'],
  ['TRUSTED_PROXIES', 'loopback, 10.0.0.0/8,fd00::/8', ['loopback', '10.0.0.0/8', 'fd00::/8']],
  ['TRUSTED_PROXIES', '0.0.0.0/1, 10.0.0.1/32,fd00::1/128', ['0.0.0.0/1', '10.0.0.1/32', 'fd00::1/128']],
  ['DATABASE_REPLICA_URLS', 'postgres://r@a/x, mysql://r:p,q@b/x', ['postgres://r@a/x', 'mysql://r:p,q@b/x']],
  ...service.map((url) => ['CUTOVER_URL', url, { url, authorization: null }] as const),
  ['SHADOW_HEADERS', 'A: 1\nB: 2', { A: '1', B: '2' }],
  ['SHADOW_IGNORE', 'AcmeDownloadLink, Rank', fields('DownloadLink', 'Rank')],
  ...['JoinDate=60', 'JoinDate=±60', 'JoinDate=+-60', 'JoinDate = 60'].map(
    (text) => ['SHADOW_TOLERATE', text, [{ event: null, field: 'JoinDate', by: '60' }]] as const,
  ),
  ['CUTOVER_SHARE', '.001', { share: 0.001, events: {} }],
  ['CUTOVER_SHARE', '0.1, AppLookup=0.5', { share: 0.1, events: { AppLookup: 0.5 } }],
  [
    'CUTOVER_SHARE',
    'ProfileLookup = 1,AppLookup=0',
    { share: 0, events: { ProfileLookup: 1, AppLookup: 0 } },
  ],
  ['CUTOVER_BY', 'address', { header: null }],
  ['CUTOVER_BY', 'header:X-Api-Key', { header: 'x-api-key' }],
  [
    'CUTOVER_PINS',
    '203.0.113.7=new, 10.0.0.0/8 = old,2001:db8::/32=new',
    [
      { side: 'new', range: '203.0.113.7' },
      { side: 'old', range: '10.0.0.0/8' },
      { side: 'new', range: '2001:db8::/32' },
    ],
  ],
  ['CUTOVER_PINS', 'User-Agent: B/2 (x=y)=new', [{ side: 'new', header: 'user-agent', text: 'B/2 (x=y)' }]],
  ['CUTOVER_PINS', 'x-team:qa=old', [{ side: 'old', header: 'x-team', text: 'qa' }]],
  ['CUTOVER_GUARD', 'off'],
  ['CUTOVER_GUARD', '0.5', 0.5],
  ['LEGACY_PATHS', '/,/api/, /old/lookup.php,/', ['/', '/api/', '/old/lookup.php']],
  ['LEGACY_PATHS', '/a%20b;c.php', ['/a%20b;c.php']],
  ['LEGACY_SUNSET', '2027-01-31', new Date('2027-01-31T00:00:00Z')],
  ['LEGACY_DEPRECATION', '2028-02-29T12:00Z', new Date('2028-02-29T12:00:00Z')],
  ['LEGACY_SUNSET_LINK', 'https://old.example/bye?a=1'],
  // Characters that would end the value of the header, or start another one, are encoded.
  ['LEGACY_SUNSET_LINK', 'https://old.example/a>; rel="x"', 'https://old.example/a%3E;%20rel=%22x%22'],
]
test.for(allowed)('%s may be %j', ([name, text, value = text]) => {
  expect(parse(name, text)).toEqual(value)
})

test.for([
  ['sqlite:some folder/ü?.db', 'sqlite'],
  ['postgresql://[::1]:6000/x?sslmode=no-verify', 'postgres'],
  ['postgres:///forum?host=/run/postgresql', 'postgres'],
  ['mariadb://u:p,q@a:3307,b,[::1]:3308/x?ssl-mode=REQUIRED', 'mysql'],
  ['http://127.0.0.1:8080', 'old-service'],
])('DATABASE_URL may be %s: %s', ([text = '', kind]) => {
  expect(parse('DATABASE_URL', text)).toMatchObject({ kind })
})

const databases =
  'sqlite: lookup.db SQLITE:x.db oracle://db/x mysql://a:b:c/x mysql://a,,b/x mysql://a,/x mysql://,a/x postgres://a:b:c/x postgres://db/x#y db.example http:// http://old.example/?Event= http://old.example/#top ftp://old.example/'
const refused: Readonly<Record<string, readonly string[]>> = {
  DATABASE_URL: [...databases.split(' '), 'sqlite:a\0b'],
  DATABASE_REPLICA_URLS: ['a,b', 'postgres://a/x,,', 'sqlite:x.db', 'postgres://a/x,postgres://:x:y/'],
  DATABASE_PASSWORD_FILE: ['a\0b'],
  HOST: ['a b', 'http://localhost', '[::1]', 'a,b'],
  ADMIN_PORT: ['OFF', 'on', '-1', '65536'],
  HEALTH_PATH: 'healthz / /graphql /graphql/ /explain /schema/x /a?b /a#b /é'.split(' '),
  ADMIN_HOSTS: ['gateway:4001', 'gateway,', '*', '[::1]', 'http://gateway', 'a b', 'a'.repeat(254)],
  TRUSTED_PROXIES: [
    ...'proxy.example 0.0.0.0/0 ::/0 10.0.0.0/33 fd00::/129 10.0.0 10.0.0.1,'.split(' '),
    '10.0.0.1 10.0.0.2',
  ],
  COMPRESSION: ['on', 'ALL', 'gzip'],
  SHADOW_URL: 'old.example ftp://old.example/ https://old.example/?Event= https:///'.split(' '),
  CUTOVER_HEADERS: ['secret', 'Connection: close'],
  CUTOVER_SHARE:
    '-0.1 1.1 1% 1e-1 0.1,0.2 0.1, AppLookup AppLookup= AppLokup=1 AppLookup=2 AppLookup=1=1 AppLookup=1,AppLookup=1'.split(
      ' ',
    ),
  CUTOVER_BY: ['Address', 'header:', 'header: X-Api-Key', 'header:a b', `header:${'a'.repeat(65)}`],
  CUTOVER_PINS: [
    ...'10.0.0.1 10.0.0.1= 10.0.0.1=both =new 10.0.0.0/33=new 0.0.0.0/0=new qa=new x-team:=new'.split(' '),
    ...['10.0.0.1=new,', 'x team:qa=new', `${'x'.repeat(65)}:qa=new`, '10.0.0=new'],
    // Misspelt addresses, not headers called 10.0.0.1 or fe80.
    ...'10.0.0.1:80=new 2001:db8::/129=new fe80::1:g=old [::1]=new'.split(' '),
  ],
  CUTOVER_GUARD: ['on', '1%', '-0.1', '1.1'],
  LEGACY_PATHS: [
    ...'index.php /a, /a?b /a#b /a%2 /é /graphql /graphql/ /,/explain /schema/legacy.xsd /live'.split(' '),
    ...['/a b', `/${'x'.repeat(256)}`],
  ],
  LEGACY_SUNSET: '2027 2027-1-31 2027-02-29 2027-01-31T12:00:00 2027-01-31T25:00:00Z tomorrow'.split(' '),
  LEGACY_SUNSET_LINK: '/bye old.example ftp://old.example/ javascript:alert(1) https://'.split(' '),
}
describe.for(Object.entries(refused))('%s', ([name, texts]) => {
  test.for([...texts])('cannot be %j', (text) => {
    const shown = /_(?:URLS?|HEADERS)$/.test(name) ? '***' : text
    const [problem = ''] = problemsOf({ [name]: text }).split('\n')
    expect(problem.startsWith(`${name} (environment) cannot be "${shown}"`), problem).toBe(true)
    expect(problem).toMatch(/ Allowed: \S/)
  })
})

test('all wrong settings are reported at once, in the order of the table', () => {
  const wrong = Object.fromEntries([...settings.keys()].map((name) => [name, '\0']))
  expect(problemsOf(wrong).match(/^[A-Z_]+/gm)).toEqual([...settings.keys()])
})
