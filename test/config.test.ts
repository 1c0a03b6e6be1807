import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Config, ConfigError, printConfig, readConfig } from '../src/config.ts'
import { rowsOf } from '../src/setting-table.ts'
import { type SettingName, settings, table } from '../src/settings.ts'
import { temporaryFolder } from './kit/gateway.ts'
import { cases } from './setting-cases.ts'

const names = Object.keys(cases) as SettingName[]

function problemsOf(environment: Readonly<Record<string, string>>): string[] {
  try {
    readConfig({ environment })
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return error instanceof Error ? error.message.split('\n') : []
  }
}

test('every setting has its cases here', () => {
  expect(names).toEqual(Object.keys(settings))
})

test('no two settings have the same name', () => {
  expect(rowsOf(table).map(({ name }) => name)).toEqual(names)
})

describe.for(names)('%s', (name) => {
  const { read, byDefault, good, bad, beside = {} } = cases[name]

  test('default', () => {
    expect(read(readConfig({}))).toEqual(byDefault)
    for (const source of ['flags', 'environment', 'envFile'] as const) {
      // An empty text is as good as none.
      expect(read(readConfig({ [source]: { [name]: '' } }))).toEqual(byDefault)
      expect(read(readConfig({ [source]: { [name]: undefined } }))).toEqual(byDefault)
    }
  })

  test.for(good)('may be %j', ([text, value]) => {
    for (const source of ['flags', 'environment', 'envFile'] as const) {
      expect(read(readConfig({ [source]: { ...beside, [name]: text } }))).toEqual(value)
    }
  })

  test.for(bad)('cannot be %j', (text) => {
    const shown = /_(?:URLS?|HEADERS)$/.test(name) ? '***' : text
    const why = settings[name].explain?.(text)
    const because = why === undefined ? '' : `: ${why}`
    const [problem = '', ...others] = problemsOf({ ...beside, [name]: text })
    const [suggestion = '', meant] = / Did you mean (.*)\?$/.exec(problem) ?? []
    if (meant !== undefined) expect(settings[name].parse(meant)).toBeDefined()
    expect(problem.slice(0, problem.length - suggestion.length)).toBe(
      `${name} (environment) cannot be "${shown}"${because}. Allowed: ${settings[name].allowed}.`,
    )
    expect(others).toEqual([])
  })
})

test('all bad settings are reported at once, by name and origin, with what is allowed', () => {
  const texts = Object.fromEntries(names.map((name) => [name, cases[name].bad[0] ?? '']))
  expect(problemsOf(texts).map((problem) => problem.split(' ')[0])).toEqual(names)
  expect(() =>
    readConfig({ flags: { PORT: 'x' }, environment: { HOST: ' ' }, envFile: { EXPLORER: '?' } }),
  ).toThrow(
    'PORT (flag) cannot be "x". Allowed: an integer from 0 to 65535.\n' +
      'HOST (environment) cannot be " ". Allowed: an address or a host name.\n' +
      'EXPLORER (.env) cannot be "?". Allowed: on, off.',
  )
})

test('replicas are those of a primary', () => {
  const expected =
    'DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL or MySQL: the primary of the replicas.'
  expect(problemsOf({ DATABASE_REPLICA_URLS: 'postgres://a/x' })).toEqual([expected])
  expect(problemsOf({ DATABASE_URL: 'sqlite:x.db', DATABASE_REPLICA_URLS: 'postgres://a/x' })).toEqual([
    expected,
  ])
})

test.for([
  ['postgres://a/x', 'mysql://b/x'],
  ['mysql://a/x', 'mariadb://b/x,postgres://c/x'],
] as const)('replicas are of the same kind as their primary: %s and %s', ([primary, replicas]) => {
  expect(problemsOf({ DATABASE_URL: primary, DATABASE_REPLICA_URLS: replicas })).toEqual([
    'DATABASE_REPLICA_URLS names servers of another kind than DATABASE_URL. Name replicas of that server.',
  ])
  const alike = { DATABASE_URL: 'mysql://a/x', DATABASE_REPLICA_URLS: 'mariadb://b/x,mysql://p,q@c/x' }
  expect(readConfig({ environment: alike }).database).toMatchObject({
    replicas: ['mariadb://b/x', 'mysql://p,q@c/x'],
  })
})

test('every host of a URL of MySQL is a server with its login', () => {
  const several = {
    DATABASE_URL: 'mysql://u:p@a,b:3307/x',
    DATABASE_REPLICA_URLS: 'mysql://c,d/x,mysql://e/x',
  }
  expect(readConfig({ environment: several }).database).toMatchObject({
    url: 'mysql://u:p@a/x',
    peers: ['mysql://u:p@b:3307/x'],
    replicas: ['mysql://c/x', 'mysql://d/x', 'mysql://e/x'],
  })
})

test.for(['sqlite:x.db', 'postgres://a/x', 'https://old.example/'])(
  'dirty reads are of MySQL and MariaDB: %s',
  (url) => {
    expect(problemsOf({ DATABASE_URL: url, DATABASE_DIRTY_READS: 'on' })).toEqual([
      'DATABASE_DIRTY_READS=on needs a DATABASE_URL of MySQL or MariaDB: it is about nodes of Galera.',
    ])
    expect(problemsOf({ DATABASE_URL: url, DATABASE_DIRTY_READS: 'off' })).toEqual([])
  },
)

test.for([
  [{ DATABASE_URL_FILE: '/dev/null' }, /^The file \/dev\/null, of DATABASE_URL_FILE/],
  [{ DATABASE_URL_FILE: '/nowhere' }, /^The file \/nowhere, of DATABASE_URL_FILE/],
  [{ DATABASE_URL: 'postgres:/a/x' }, /^DATABASE_URL \(environment\) cannot be/],
] as const)(
  'of a primary that cannot be read, %j, nothing is said for its replicas',
  ([primary, complaint]) => {
    expect(problemsOf({ ...primary, DATABASE_REPLICA_URLS: 'postgres://b/x' })).toEqual([
      expect.stringMatching(complaint),
    ])
  },
)

describe('a text that is almost one of those that are allowed', () => {
  test.for([
    [{ LEGACY_UNKNOWN: 'omitt' }, 'omit'],
    [{ LEGACY_UNKNOWN: 'NULL' }, 'null'],
    [{ LEGACY_ORDER: 'join_date' }, 'JoinDate'],
    [{ LEGACY_JSON_FLAGS: 'prety, hextag' }, 'pretty,hex-tag'],
    [{ LEGACY_FIELDS: 'Id,user_name' }, 'Id,Username'],
    [{ CUTOVER_BY: 'adress' }, 'address'],
    [{ ADMIN_PORT: 'no' }, 'off'],
    [{ EXPLORER: 'True' }, 'on'],
    [{ EXPLORER: 'of' }, 'off'],
    [{ LOG_LEVEL: 'warning' }, 'warn'],
    [{ LOG_LEVEL: 'deb' }, 'debug'],
  ] as const)('%j', ([environment, meant]) => {
    expect(() => readConfig({ environment })).toThrow(new RegExp(`\\. Did you mean ${meant}\\?$`))
  })

  test.for([
    { LOG_LEVEL: 'verbose' },
    { LOG_LEVEL: ' ' },
    { LEGACY_EMPTY: '{' },
    { LEGACY_JSON_FLAGS: 'pretty,nothing' },
    // Each word is meant, and both together are not allowed.
    { LEGACY_JSON_FLAGS: 'tabz,prety' },
    { PORT: '99999' },
    { DATABASE_URL: 'sqlite:' },
    { DATABASE_URL: 'postgres:me:secret@db/x' },
    { LEGACY_JSON_FLAGS: 'prety,'.repeat(100) },
  ])('nothing is suggested for %j', (environment) => {
    expect(() => readConfig({ environment })).toThrow(/^(?!.*Did you mean).*$/)
  })
})

describe('a name that is no setting', () => {
  const misspelt = 'LEGACY_MAX_VALUE'
  const complaint = (source: string) =>
    `There is no setting ${misspelt} (${source}). Did you mean LEGACY_MAX_VALUES?`

  test.for([
    ['environment', 'environment'],
    ['envFile', '.env'],
  ] as const)('is refused in the %s where it begins with LEGACY_', ([source, shown]) => {
    const sources = { [source]: { [misspelt]: '100' } }
    expect(() => readConfig(sources)).toThrow(new ConfigError([complaint(shown)]))
  })

  test('is refused though it is empty, once, and beside all other problems', () => {
    const both = { environment: { [misspelt]: '', PORT: 'x' }, envFile: { [misspelt]: '', LEGACY_: '1' } }
    expect(() => readConfig(both)).toThrow(
      new ConfigError([
        'PORT (environment) cannot be "x". Allowed: an integer from 0 to 65535.',
        complaint('environment'),
        'There is no setting LEGACY_ (.env). Remove it: docs/settings.md lists all settings.',
      ]),
    )
  })

  test.for([
    ['MAX_INFLIGHT', ' Did you mean MAX_IN_FLIGHT?'],
    ['PORTT', ' Did you mean PORT?'],
    ['PROT', ' Did you mean PORT?'],
    ['NODE_ENV', ' Remove it: docs/settings.md lists all settings.'],
    ['port', ' Remove it: docs/settings.md lists all settings.'],
    ['__proto__', ' Remove it: docs/settings.md lists all settings.'],
    [
      'MAX_CONNECTIONS_AND_THEN_SOMETHING_THAT_NOBODY_MEANS',
      ' Remove it: docs/settings.md lists all settings.',
    ],
  ])('is refused in .env, which nothing else reads: %s', ([name, suggestion]) => {
    const envFile = Object.fromEntries([[name, '1']])
    expect(() => readConfig({ envFile })).toThrow(
      new ConfigError([`There is no setting ${name} (.env).${suggestion}`]),
    )
  })

  test.for([
    ['MAX_INFLIGHT', 'MAX_IN_FLIGHT'],
    ['GRAPHQL_MAX_TOKEN', 'GRAPHQL_MAX_TOKENS'],
    ['GRAPHQL_TOKENS', 'GRAPHQL_MAX_TOKENS'],
    ['DATABASE_REPLICAS', 'DATABASE_REPLICA_URLS'],
    ['DATABASE_PASSWORD', 'DATABASE_PASSWORD_FILE'],
    ['WORKER', 'WORKERS'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['EXPLORRER', 'EXPLORER'],
  ])('of the environment is a warning where it is like one: %s', ([name, meant]) => {
    const { warnings } = readConfig({ environment: Object.fromEntries([[name, 'anything']]) })
    expect(warnings).toEqual([`The environment variable ${name} is not a setting. Did you mean ${meant}?`])
  })

  test('of the environment is nothing to us where it is not', () => {
    const others =
      'PATH HOME USER LANG PWD TERM SHLVL HOSTNAME NODE_ENV NODE_OPTIONS LS_COLORS LOGNAME DATABASE MY_LEGACY_FLAG LEGACYMODE legacy_unknown OTEL_SERVICE_NAME DATABASE_SERVICE_HOST DATABASE_PORT_5432_TCP npm_config_port'
    const environment = Object.fromEntries(others.split(' ').map((name) => [name, '1']))
    expect(readConfig({ environment }).warnings).toEqual([])
    expect(readConfig({ environment: { ...environment, LEGACY_UNKNOWN: 'null' } }).warnings).toEqual([])
  })
})

test('flags win over the environment, the environment over .env, and an empty text over nothing', () => {
  const sources = { flags: { PORT: '1' }, environment: { PORT: '2' }, envFile: { PORT: '3' } }
  expect(readConfig(sources).port).toBe(1)
  expect(readConfig({ ...sources, flags: { PORT: '' } }).port).toBe(2)
  expect(readConfig({ ...sources, flags: {}, environment: { PORT: '' } }).port).toBe(3)
  // A bad text that is overruled does no harm.
  expect(readConfig({ ...sources, envFile: { PORT: 'x' } }).port).toBe(1)
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
  ['the configuration', (config: Config) => config],
  ['its dialect', ({ dialect }: Config) => dialect],
  ['its database', ({ database }: Config) => database],
] as const)('%s is frozen', ([, part]) => {
  expect(Object.isFrozen(part(readConfig({})))).toBe(true)
})

describe('secrets are shown neither in complaints nor by --print-config', () => {
  test.for([
    'postgres://user:secret@db.example/lookup',
    'postgres://:secret@db.example/lookup',
    'postgres://user:se:secret@db.example/lookup',
    'postgres://user:p@secret@db.example/lookup',
    'postgres://user:p/secret@db.example/lookup',
    'postgres://user:p secret@db.example/lookup',
    'postgres://user:12/secret@db.example/lookup',
    'postgres://user:12?secret@db.example/lookup',
    'postgres://user:12#secret@db.example/lookup',
    'postgres://db.example/lookup?user=me&password=secret',
    'mysql://user:secret@db.example/lookup',
    'mysql://user:secret@db.example:3306,db2.example:3307/lookup',
    'mariadb://user:p/secret@db.example/lookup',
    'mysql://db.example/lookup?ssl-mode=required&password=secret',
    'postgres://user:secret@one.example,user:secret@two.example/lookup',
    'https://user:secret@old.example/',
    'https://secret@old.example/',
  ])('%s', (url) => {
    for (const text of [url, `x${url}`, `postgres://u:secret@a.example/x,${url}`]) {
      for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URLS']) {
        const environment = { DATABASE_URL: 'postgres://a.example/x', [name]: text }
        const problems = problemsOf(environment).join()
        expect(problems).not.toContain('secret')
        if (problems !== '') continue
        expect(printConfig({ environment })).not.toContain('secret')
        // Where stays readable.
        expect(printConfig({ environment })).toMatch(/\.example/)
      }
    }
  })
})

describe('settings whose text stands in a file', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)
  function write(text: string): string {
    const path = join(folder.path, `${Math.random()}`)
    writeFileSync(path, text)
    return path
  }
  const url = (host: string) => `postgres://u:secret@${host}.example/x`

  test.for([
    ['DATABASE_URL', url('a')],
    ['DATABASE_REPLICA_URLS', `${url('b')},${url('c')}`],
  ] as const)('both %s and its file are too much, but for a flag', ([name, text]) => {
    const file = write(text)
    const beside = name === 'DATABASE_URL' ? {} : { DATABASE_URL: url('a') }
    const environment = { ...beside, [`${name}_FILE`]: file }
    expect(problemsOf({ ...environment, [name]: text })).toEqual([
      `${name} (environment) and ${name}_FILE (environment) are both set. Remove one of them.`,
    ])
    expect(() => readConfig({ environment, envFile: { [name]: text } })).toThrow(
      `${name} (.env) and ${name}_FILE (environment) are both set.`,
    )
    const { database } = readConfig({ environment, flags: { DATABASE_URL: url('flag') } })
    expect(database).toMatchObject({ url: url('flag') })
  })

  test.for([
    ['missing', () => join(folder.path, 'nowhere'), 'ENOENT'],
    ['a folder', () => folder.path, 'it is no regular file'],
    ['empty', () => write(''), 'it is empty'],
    ['nothing but a line break', () => write('\n'), 'it is empty'],
  ] as const)('a file that is %s', ([, make, reason]) => {
    const file = make()
    const start = (name: string) => `The file ${file}, of ${name} (environment), cannot be read: `
    const end = 'Check the path, the rights and the text.'
    const problems = problemsOf({ DATABASE_URL: 'postgres://a/x', DATABASE_PASSWORD_FILE: file })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.startsWith(`${start('DATABASE_PASSWORD_FILE')}${reason}`)).toBe(true)
    expect(problems[0]?.endsWith(end)).toBe(true)
    expect(problemsOf({ DATABASE_URL_FILE: file })[0]).toContain(start('DATABASE_URL_FILE'))
  })

  test('one line break at the end is none of the text', () => {
    const read = (text: string) => {
      const { database } = readConfig({
        environment: { DATABASE_URL: 'postgres://u@a/x', DATABASE_PASSWORD_FILE: write(text) },
      })
      return database.kind === 'postgres' ? decodeURIComponent(new URL(database.url).password) : null
    }
    expect(read('secret')).toBe('secret')
    expect(read('secret\n')).toBe('secret')
    expect(read('secret\r\n')).toBe('secret')
    expect(read('secret\n\n')).toBe('secret\n')
    expect(read(' sec ret ')).toBe(' sec ret ')
  })

  test('a text that is not allowed is not shown', () => {
    const file = write('a-secret')
    expect(problemsOf({ DATABASE_URL_FILE: file })).toEqual([
      `The text in ${file}, of DATABASE_URL_FILE (environment), cannot be that of DATABASE_URL. Allowed: ${settings.DATABASE_URL.allowed}.`,
    ])
    expect(printConfig({ environment: { DATABASE_URL_FILE: file } })).not.toContain('secret')
  })

  test('a password is given once, and that of a flag counts', () => {
    const file = write('other')
    const environment = { DATABASE_URL: url('a'), DATABASE_PASSWORD_FILE: file }
    expect(problemsOf(environment)).toEqual([
      'DATABASE_URL has a password, and so has DATABASE_PASSWORD_FILE (environment). Remove one of them.',
    ])
    const { database } = readConfig({ environment, flags: { DATABASE_URL: url('flag') } })
    expect(database).toMatchObject({ url: url('flag'), files: { DATABASE_URL: { password: null } } })
    const socket = 'postgres:///x?host=/run/postgresql'
    expect(
      readConfig({ environment: { DATABASE_URL: socket, DATABASE_PASSWORD_FILE: file } }).database,
    ).toMatchObject({ url: expect.stringMatching(/[?&]password=other$/) })
    const several = { DATABASE_URL: 'mysql://u@a,b/x', DATABASE_PASSWORD_FILE: file }
    expect(readConfig({ environment: several }).database).toMatchObject({
      url: 'mysql://u:other@a/x',
      peers: ['mysql://u:other@b/x'],
    })
  })

  test('--print-config shows the text without its secrets', () => {
    const environment = { DATABASE_URL_FILE: write(url('a')) }
    expect(printConfig({ environment })).toMatch(
      /^DATABASE_URL=postgres:\/\/u:\*\*\*@a\.example\/x +# DATABASE_URL_FILE$/m,
    )
    expect(readConfig({ environment }).databaseChosen).toBe(true)
  })
})

test('which settings of the dialect differ from their defaults, as they were written', () => {
  expect(readConfig({}).changedDialect).toEqual([])
  // Said, but no difference.
  expect(
    readConfig({ flags: { LEGACY_UNKNOWN: 'omit', LEGACY_MAX_AGE: '00', PORT: '1' } }).changedDialect,
  ).toEqual([])
  const sources = {
    flags: { LEGACY_UNKNOWN: 'null' },
    environment: { LEGACY_SUNSET: '2030-01-01', LEGACY_UNKNOWN: 'omit' },
  }
  expect(readConfig(sources).changedDialect).toEqual([
    { setting: 'LEGACY_UNKNOWN', value: 'null', purpose: expect.stringMatching(/^what an identifier/) },
    { setting: 'LEGACY_SUNSET', value: '2030-01-01', purpose: expect.stringMatching(/^when the legacy/) },
  ])
})
