// Where settings come from, what is said of wrong names and texts, and what --print-config shows.

import { describe, expect } from 'vitest'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { settings } from '../../src/config/settings.ts'
import { defaultDialect } from '../../src/legacy/dialect.ts'
import { replacedSettings } from '../../src/legacy/replaced-settings.ts'
import { fileWith } from '../kit/dialect.ts'
import { test } from '../kit/test.ts'

test('flags win over the environment, the environment over .env, and an empty text over nothing', () => {
  const sources = { flags: { PORT: '1' }, environment: { PORT: '2' }, envFile: { PORT: '3' } }
  expect(readConfig(sources).port).toBe(1)
  expect(readConfig({ ...sources, flags: { PORT: '' } }).port).toBe(2)
  expect(readConfig({ ...sources, flags: {}, environment: { PORT: '' } }).port).toBe(3)
  expect(readConfig({ envFile: { PORT: '' } }).port).toBe(4000)
  // A bad text that is overruled does no harm.
  expect(readConfig({ ...sources, envFile: { PORT: 'x' } }).port).toBe(1)
})

test('all bad settings are reported at once, by name and origin, with what is allowed', () => {
  expect(() =>
    readConfig({ flags: { PORT: 'x' }, environment: { HOST: ' ' }, envFile: { EXPLORER: '?' } }),
  ).toThrow(
    'PORT (flag) cannot be "x". Allowed: an integer from 0 to 65535.\n' +
      'HOST (environment) cannot be " ". Allowed: an address or a host name.\n' +
      'EXPLORER (.env) cannot be "?". Allowed: on, off.',
  )
})

test('a database and an admin port count as chosen wherever they come from, unless empty', () => {
  expect(readConfig({})).toMatchObject({ databaseChosen: false, adminPortChosen: false })
  for (const source of ['flags', 'environment', 'envFile'] as const) {
    const chosen = { [source]: { DATABASE_URL: 'sqlite:lookup.db', ADMIN_PORT: '4001' } }
    expect(readConfig(chosen)).toMatchObject({ databaseChosen: true, adminPortChosen: true })
    const empty = { [source]: { DATABASE_URL: '', ADMIN_PORT: '' } }
    expect(readConfig(empty)).toMatchObject({ databaseChosen: false, adminPortChosen: false })
  }
})

test.for([
  [{ SHADOW_IGNORE: 'Rank' }, 'SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN need a SHADOW_URL'],
  [{ CUTOVER_MIRROR: '0.5' }, 'CUTOVER_MIRROR needs a CUTOVER_URL'],
  [{ CUTOVER_PINS: '10.0.0.1=new' }, 'CUTOVER_PINS needs a CUTOVER_URL'],
  [{ CUTOVER_SHARE: 'AppLookup=0.5' }, 'CUTOVER_SHARE needs a CUTOVER_URL'],
  [{ SHADOW_LEARN: 'on' }, 'SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN need a SHADOW_URL'],
  [
    { SHADOW_URL: 'http://a.example/', SHADOW_IGNORE: 'Rank', SHADOW_TOLERATE: 'Rank=1' },
    'SHADOW_IGNORE and SHADOW_TOLERATE: Rank is both ignored and tolerated. Remove one of the two.',
  ],
  [{ GRAPHQL_ONLY_DOCUMENTS: 'on' }, 'GRAPHQL_ONLY_DOCUMENTS=on needs GRAPHQL_DOCUMENTS'],
  [
    { GRAPHQL_ONLY_DOCUMENTS: 'on', GRAPHQL_DOCUMENTS: 'a.json', FEDERATION: 'on' },
    'FEDERATION=on needs GRAPHQL_ONLY_DOCUMENTS=off',
  ],
  [
    { LEGACY_DEPRECATION: '2027-02-01', LEGACY_SUNSET: '2027-01-31' },
    'LEGACY_SUNSET is earlier than LEGACY_DEPRECATION',
  ],
  [{ DATABASE_URL: 'postgres://a/x', DATABASE_ALLOW_SCANS: 'on' }, 'DATABASE_ALLOW_SCANS=on needs'],
] as const)('settings that contradict each other: %j', ([environment, message]) => {
  expect(() => readConfig({ environment })).toThrow(message)
})

describe('a name that is no setting', () => {
  const remove = 'Remove it: docs/settings.md lists all settings.'

  test.for([
    ['environment', 'LEGACY_MAX_VALUE', 'Did you mean LEGACY_MAX_VALUES?'],
    ['environment', 'LEGACY_', remove],
    ['.env', 'LEGACY_MAX_VALUE', 'Did you mean LEGACY_MAX_VALUES?'],
    ['.env', 'MAX_INFLIGHT', 'Did you mean MAX_IN_FLIGHT?'],
    ['.env', 'PROT', 'Did you mean PORT?'],
    ['.env', 'NODE_ENV', remove],
    ['.env', 'port', remove],
    ['.env', '__proto__', remove],
    ['.env', 'MAX_CONNECTIONS_AND_THEN_SOMETHING_THAT_NOBODY_MEANS', remove],
  ] as const)('is refused in the %s: %s', ([source, name, advice]) => {
    for (const text of ['1', '']) {
      const sources = { [source === '.env' ? 'envFile' : source]: Object.fromEntries([[name, text]]) }
      const complaint = `There is no setting ${name} (${source}). ${advice}`
      expect(() => readConfig(sources)).toThrow(new ConfigError([complaint]))
    }
  })

  test.for([
    ['MAX_INFLIGHT', 'MAX_IN_FLIGHT'],
    ['GRAPHQL_TOKENS', 'GRAPHQL_MAX_TOKENS'],
    ['DATABASE_REPLICAS', 'DATABASE_REPLICA_URLS'],
    ['DATABASE_PASSWORD', 'DATABASE_PASSWORD_FILE'],
    ['WORKER', 'WORKERS'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ])('of the environment is a warning where it is like one: %s', ([name, meant]) => {
    const { warnings } = readConfig({ environment: Object.fromEntries([[name, 'anything']]) })
    expect(warnings).toEqual([`The environment variable ${name} is not a setting. Did you mean ${meant}?`])
  })

  test('of the environment is nothing to us where it is not', () => {
    const others =
      'PATH HOME USER LANG PWD TERM SHLVL HOSTNAME NODE_ENV NODE_OPTIONS LOGNAME DATABASE MY_LEGACY_FLAG LEGACYMODE legacy_unknown OTEL_SERVICE_NAME DATABASE_SERVICE_HOST DATABASE_PORT_5432_TCP npm_config_port'
    const environment = Object.fromEntries(others.split(' ').map((name) => [name, '1']))
    expect(readConfig({ environment }).warnings).toEqual([])
  })
})

describe('the file LEGACY_DIALECT', () => {
  const problemsOf = (path: string) => {
    try {
      readConfig({ flags: { LEGACY_DIALECT: path } })
      return []
    } catch (error) {
      return String(error instanceof ConfigError ? error.message : error).split('\n')
    }
  }

  test('is the default with what it changes, for the gateway and for an old service as its database', () => {
    const LEGACY_DIALECT = fileWith({ read: { ids: 'cast' } })
    const { dialect, database } = readConfig({
      flags: { LEGACY_DIALECT, DATABASE_URL: 'https://a.example/' },
    })
    expect(dialect).toEqual({ ...defaultDialect, read: { ...defaultDialect.read, ids: 'cast' } })
    expect(database).toMatchObject({ kind: 'old-service', dialect })
    expect(readConfig({}).dialect).toEqual(defaultDialect)
  })

  test('that is missing or wrong is reported by its path, beside all other problems', ({ place }) => {
    const missing = `${place.path}/none.json`
    expect(problemsOf(missing)).toEqual([
      expect.stringMatching(/^LEGACY_DIALECT: the file .*none\.json cannot be read: ENOENT.* Check the path/),
    ])
    expect(problemsOf(place.path)).toEqual([expect.stringContaining('read: it is no regular file. Check')])
    const path = fileWith({ serviceNam: 'Acme', json: { colon: ';' } })
    expect(problemsOf(path)).toEqual([
      `LEGACY_DIALECT (${path}): There is no key serviceNam. Did you mean serviceName?`,
      `LEGACY_DIALECT (${path}): json.colon cannot be ";". Allowed: ":", ": ", " :", " : ".`,
    ])
    expect(() => readConfig({ flags: { LEGACY_DIALECT: path, PORT: 'x' } })).toThrow(/^PORT .*\nLEGACY_DIAL/)
  })

  test.for(Object.entries(replacedSettings))('replaces %s by %s', ([name = '', key = '']) => {
    const complaint = `The setting ${name} (.env) is gone. Set ${key} in the file LEGACY_DIALECT; docs/dialect.md has the keys.`
    expect(() => readConfig({ envFile: { [name]: '1' } })).toThrow(new ConfigError([complaint]))
  })
})

describe('serve --print-config', () => {
  test('shows every setting and where it comes from, and serves nothing', async ({ place }) => {
    place.write('.env', 'HOST=::1\nPORT=1\nADMIN_PORT=2\n')
    const env = { PORT: '3', ADMIN_PORT: '', LEGACY_SUNSET_LINK: 'https://me:secret@old.example/' }
    const printed = await place.run(['serve', '--print-config', '--port', '4'], { env })
    expect(printed).toMatchObject({ status: 0, stderr: '' })
    const lines = printed.stdout.trimEnd().split('\n')
    expect(lines.map((line) => /^(\w+)=.* # \S/.exec(line)?.[1])).toEqual([...settings.keys()])
    expect(lines.map((line) => line.replace(/ +/g, ' '))).toEqual(
      expect.arrayContaining([
        'PORT=4 # flag',
        'HOST=::1 # .env',
        'ADMIN_PORT=2 # .env',
        'WORKERS=1 # default',
        'SHADOW_URL= # default',
        'LEGACY_SUNSET_LINK=https://***@old.example/ # environment',
      ]),
    )
  })
})

test.for([
  ['a colon', 'INTROSPECTION: off\n', [1]],
  ['a colon and quotes', 'PORT=1\n\nRATE_LIMIT: "100"\n', [3]],
  ['a space', '# limits\r\nRATE_LIMIT 100\r\n', [2]],
  ['a name alone, twice', 'GRAPHIQL\nPORT=1\nEXPLORER', [1, 3]],
] as const)('a line of .env that sets nothing is refused: %s', async ([, text, lines], { place }) => {
  place.write('.env', text)
  const said = (line: number) =>
    `.env, line ${line} is no setting. Write NAME=value, or # in front of a comment.\n`
  const stderr = lines.map(said).join('')
  expect(await place.run(['serve', '--print-config'])).toEqual({ status: 2, stdout: '', stderr })
})

test.for([
  ['comments and empty lines', '\ufeff# one\n\n  \t\n  # two\nPORT=1\n'],
  ['a byte order mark before a setting', '\ufeffPORT=1\n'],
  ['export', 'export PORT=1\n'],
  [
    'a value of several lines',
    'PORT=1\nDATABASE_URL=http://old.example/\nDATABASE_HEADERS="A: one\nB: two\n" # both\nHOST=::1\n',
  ],
  [
    'a value whose last line is quoted',
    "PORT=1\nDATABASE_URL=http://old.example/\nDATABASE_HEADERS='A: one\nB: two'\n",
  ],
] as const)('.env may have %s', async ([, text], { place }) => {
  place.write('.env', text)
  const printed = await place.run(['serve', '--print-config'])
  expect(printed).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^PORT=1 +# \.env$/m),
  })
})
