import { describe, expect, test } from 'vitest'
import { type Config, ConfigError, printConfig, readConfig } from '../src/config.ts'
import { type SettingName, settings } from '../src/settings.ts'
import { cases } from './commands/setting-cases.ts'

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
    const [problem, ...others] = problemsOf({ ...beside, [name]: text })
    expect(problem).toBe(`${name} (environment) cannot be "${text}". Allowed: ${settings[name].allowed}.`)
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

test('replicas are those of a PostgreSQL primary', () => {
  const expected = 'DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL: the primary of the replicas.'
  expect(problemsOf({ DATABASE_REPLICA_URLS: 'postgres://a/x' })).toEqual([expected])
  expect(problemsOf({ DATABASE_URL: 'sqlite:x.db', DATABASE_REPLICA_URLS: 'postgres://a/x' })).toEqual([
    expected,
  ])
})

describe('a name that can only be meant for us', () => {
  const nameless = 'LEGACY_MAX_VALUE'

  test.for(['environment', 'envFile'] as const)(
    'is refused in the %s where there is no such setting',
    (source) => {
      expect(() => readConfig({ [source]: { [nameless]: '100' } })).toThrow(
        new ConfigError([`There is no setting ${nameless}.`]),
      )
    },
  )

  test('is refused though it is empty, once, and beside all other problems', () => {
    const both = { environment: { [nameless]: '', PORT: 'x' }, envFile: { [nameless]: '', LEGACY_: '1' } }
    expect(() => readConfig(both)).toThrow(
      new ConfigError([
        'PORT (environment) cannot be "x". Allowed: an integer from 0 to 65535.',
        `There is no setting ${nameless}.`,
        'There is no setting LEGACY_.',
      ]),
    )
  })

  test('begins with LEGACY_: other names of the environment are not ours to judge', () => {
    const others = { PATH: '/bin', MY_LEGACY_FLAG: '1', LEGACYMODE: '1', legacy_unknown: '1', DATABASE: 'x' }
    expect(problemsOf(others)).toEqual([])
    expect(problemsOf({ ...others, LEGACY_UNKNOWN: 'null' })).toEqual([])
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
    'postgres://user:secret@one.example,user:secret@two.example/lookup',
    'https://user:secret@old.example/',
    'https://secret@old.example/',
  ])('%s', (url) => {
    for (const text of [url, `x${url}`, `postgres://u:secret@a.example/x,${url}`]) {
      for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URLS']) {
        const environment = { [name]: text }
        expect(problemsOf({ ...environment, PORT: 'x' }).join()).not.toContain('secret')
        expect(printConfig({ environment })).not.toContain('secret')
        // Who and where stay readable.
        expect(printConfig({ environment })).toMatch(/\.example/)
      }
    }
    expect(problemsOf({ DATABASE_URL: `x${url}` }).join()).toMatch(/^DATABASE_URL .*\.example/)
  })
})
