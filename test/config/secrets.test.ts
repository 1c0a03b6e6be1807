// A URL with a password, and perhaps a slip of the pen: no complaint shows the password, nor --print-config.

import { describe, expect, onTestFinished } from 'vitest'
import { ConfigError, printConfig, readConfig } from '../../src/config/config.ts'
import { nameOf } from '../../src/stores/database-errors.ts'
import { startAnswering } from '../kit/answering.ts'
import { test } from '../kit/test.ts'

const SECRET = 'Zq7xJv9kWm'
/** Not even half of it may be seen. */
const HALVES = [SECRET.slice(0, 5), SECRET.slice(5)]

type Settings = Readonly<Record<string, string>>

/** What an operator sees of an environment: complaints, or the settings in force. */
function shownOf(environment: Settings): string {
  try {
    return nameOf(readConfig({ environment }).database) + printConfig({ environment })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
  }
}

const primary = { DATABASE_URL: 'postgres://a.example/x' }
const oldService = { DATABASE_URL: 'http://a.example/' }
/** The settings that such a URL belongs to. */
const urlsOf = (text: string): readonly Settings[] => [
  { DATABASE_URL: text },
  { ...primary, DATABASE_REPLICA_URLS: `${text},postgres://u:p@b.example/x` },
  { DATABASE_URL_FILE: text },
]
/** All that it may be given to. */
const allOf = (text: string): readonly Settings[] => [
  ...urlsOf(text),
  { SHADOW_URL: text },
  { CUTOVER_URL: text },
  { ...primary, DATABASE_REPLICA_URLS: text },
  { ...primary, DATABASE_PASSWORD_FILE: text },
  { ...oldService, DATABASE_HEADERS: text },
  { ...oldService, DATABASE_HEADERS: `X-Key: ${text}` },
]

function expectHidden(environments: readonly Settings[]): void {
  for (const environment of environments) {
    const shown = shownOf(environment)
    for (const half of HALVES) if (shown.includes(half)) expect({ environment, shown }).toBe('hidden')
  }
}

test.for([
  ...[`postgres:/a:${SECRET}@x/y`, `postgres:a:${SECRET}@x/y`, `postgres//a:${SECRET}@x/y`],
  ...[`//a:${SECRET}@x/y`, `a:${SECRET}@x/y`, `${SECRET}@x/y`, `a:${SECRET}`, `password: ${SECRET}`],
  ...[`postgres://a:${SECRET}`, `postgres://a:${SECRET}/y`, `postgres://a:${SECRET}@x/y`],
  ...['postgres://a:Zq7xJ@v9kWm@x/y', 'postgres:/a:Zq7xJ@v9kWm@x/y', 'postgres://a:Zq7xJ/v9kWm@x/y'],
  ...['postgres://u:Zq7xJ v9kWm@x/y', 'postgres://u:12?Zq7xJv9kWm@x/y', 'postgres://u:12#Zq7xJv9kWm@x/y'],
  ...[`postgres:///a:${SECRET}@x/y`, `postgres://a@${SECRET}:x/y`, `postgres://x/y@a:${SECRET}`],
  ...[`"postgres://a:${SECRET}@x/y"`, `DATABASE_URL=postgres://a:${SECRET}@x/y`],
  ...[`psql postgres://a:${SECRET}@x/y`, `jdbc:postgresql://x/y?user=a&password=${SECRET}`],
  ...[`postgres://x/y?password=${SECRET}`, `postgres://x/y?sslmode=require&sslpassword=${SECRET}`],
  ...[`postgres://x/y?p%61ssword=${SECRET}`, `postgres:/x/y?password=${SECRET}`],
  ...[`postgres://u:${SECRET}@one.example,u:${SECRET}@two.example/y`],
  ...[`password=${SECRET} host=x`, `host=x user=a password = '${SECRET}'`, `Server=x;Pwd=${SECRET};`],
  ...[`mysql://a:${SECRET}@x/y`, `mysql:/a:${SECRET}@x/y`, 'mysql://a:Zq7xJ/v9kWm@x/y'],
  ...[`mysql://a:${SECRET}@x:3306,y:3307/z`, `oracle://a:${SECRET}@x/y`, `https://${SECRET}@x/`],
  ...[`mysql://x/y?password=${SECRET}`, `mysql://x/y?ssl-mode=required&pass-word=${SECRET}`],
  ...[`http://a:${SECRET}@x/y`, `http:/a:${SECRET}@x/y`, `http//a:${SECRET}@x/y`],
  ...[`http://x/y?password=${SECRET}`, `http://x/y?sslpassword=${SECRET}#z`],
])('%s', (text) => expectHidden(allOf(text)))

describe('one slip anywhere', () => {
  const marks = [...' :/@?#,=&%;"\'\\\n']

  /** Every text with one character left out, doubled, changed, added, or exchanged with the next. */
  function* slipsOf(text: string): Generator<string> {
    for (let at = 0; at <= text.length; at++) {
      const [before, char = '', after] = [text.slice(0, at), text[at], text.slice(at + 1)]
      yield before + after
      yield before + char + char + after
      yield before + after.slice(0, 1) + char + after.slice(1)
      yield before
      yield char + after
      for (const mark of marks) yield* [before + mark + char + after, before + mark + after]
    }
  }

  test.for([
    `postgres://app:${SECRET}@db.example:5432/forum?sslmode=require`,
    `postgres://db.example/forum?user=app&password=${SECRET}`,
    `mysql://app:${SECRET}@one.example:3306,two.example/forum`,
    `https://app:${SECRET}@old.example/lookup.php`,
  ])('in %s', (url) => {
    // A word alone may be the name of a file, and is shown.
    for (const slip of slipsOf(url)) if (!/^\w*$/.test(slip)) expectHidden(urlsOf(slip))
  })
})

/** HOST is a server that is no database, and an old service without entries. */
test.for([
  [{ DATABASE_URL: `postgres:/a:${SECRET}@x/y` }],
  [{ DATABASE_URL_FILE: `postgres://a:${SECRET}@x/y` }],
  [{ DATABASE_URL: `postgres://a:${SECRET}@HOST/y?sslmode=${SECRET}` }],
  [{ DATABASE_URL: `mysql://a:${SECRET}@HOST/y?ssl-mode=${SECRET}` }],
  [{ DATABASE_URL: `mysql://a:b@HOST/y?${SECRET}` }],
  [{}, `DATABASE_URL: postgres://a:${SECRET}@x/y?sslmode=require`],
  [{}, '', 'serve', '--database', `a:${SECRET}@x/y`],
  [{}, '', 'serve', '--print-config', '--database', `postgres://a:${SECRET}@x/y`],
  [{}, '', 'import', 'users', `http://a:${SECRET}@HOST/`, '--ids', '1'],
  [{}, '', 'probe', `http://a:${SECRET}@HOST/`],
  [{}, '', 'replay', '-', '--old', `http:/a:${SECRET}@HOST/`, '--new', 'http://HOST'],
] as const)('on a terminal: %j', async ([settings, envFile = '', ...args], { place }) => {
  const other = await startAnswering((_, response) => response.end('{}'))
  onTestFinished(other.close)
  const named = (text: string) => text.replaceAll('HOST', new URL(other.url).host)
  place.write('.env', envFile)
  const given = Object.entries(settings).map(([name, text]) => [name, named(text)])
  const env = { PORT: '0', ADMIN_PORT: '0', ...Object.fromEntries(given) }
  const command = args.length === 0 ? ['serve'] : args.map(named)
  const { stdout, stderr } = await place.run(command, { env })
  expect(stdout + stderr).not.toBe('')
  expect(stdout + stderr).not.toContain(SECRET)
})
