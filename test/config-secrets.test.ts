// A URL with a password, and perhaps a slip of the pen: no complaint shows the password, nor --print-config.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, printConfig, readConfig } from '../src/config.ts'
import { nameOf } from '../src/stores/database-errors.ts'
import { makeWorkplace, type Workplace } from './kit/workplace.ts'

const SECRET = 'Zq7xJv9kWm'
/** Not even half of it may be seen. */
const HALVES = [SECRET.slice(0, 5), SECRET.slice(5)]

/** What an operator sees of an environment: complaints, or the settings in force. */
function shownOf(environment: Readonly<Record<string, string>>): string {
  try {
    return nameOf(readConfig({ environment }).database) + printConfig({ environment })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
  }
}

function expectHidden(text: string): void {
  const primary = 'postgres://a.example/x'
  const environments = [
    { DATABASE_URL: text },
    { SHADOW_URL: text },
    { CUTOVER_URL: text },
    { DATABASE_URL: primary, DATABASE_REPLICA_URLS: text },
    { DATABASE_URL: primary, DATABASE_REPLICA_URLS: `${text},postgres://u:p@b.example/x` },
    { DATABASE_URL_FILE: text },
    { DATABASE_URL: primary, DATABASE_PASSWORD_FILE: text },
    { DATABASE_URL: 'http://a.example/', DATABASE_HEADERS: text },
    { DATABASE_URL: 'http://a.example/', DATABASE_HEADERS: `X-Key: ${text}` },
  ]
  for (const environment of environments) {
    const shown = shownOf(environment)
    for (const half of HALVES) if (shown.includes(half)) expect({ environment, shown }).toBe('hidden')
  }
}

test.for([
  `postgres:/a:${SECRET}@x/y`,
  `postgres:a:${SECRET}@x/y`,
  `postgres//a:${SECRET}@x/y`,
  `//a:${SECRET}@x/y`,
  `a:${SECRET}@x/y`,
  `${SECRET}@x/y`,
  `postgres://a:${SECRET}`,
  `postgres://a:${SECRET}/y`,
  `a:${SECRET}`,
  `postgres://a:Zq7xJ@v9kWm@x/y`,
  `postgres:/a:Zq7xJ@v9kWm@x/y`,
  `postgres://a:Zq7xJ/v9kWm@x/y`,
  `postgres:///a:${SECRET}@x/y`,
  `postgres://a@${SECRET}:x/y`,
  `postgres://x/y@a:${SECRET}`,
  `"postgres://a:${SECRET}@x/y"`,
  `DATABASE_URL=postgres://a:${SECRET}@x/y`,
  `psql postgres://a:${SECRET}@x/y`,
  `jdbc:postgresql://x/y?user=a&password=${SECRET}`,
  `postgres://x/y?password=${SECRET}`,
  `postgres://x/y?sslmode=require&sslpassword=${SECRET}`,
  `postgres://x/y?p%61ssword=${SECRET}`,
  `postgres:/x/y?password=${SECRET}`,
  `password=${SECRET} host=x`,
  `host=x user=a password = '${SECRET}'`,
  `Server=x;Pwd=${SECRET};`,
  `password: ${SECRET}`,
  `mysql://a:${SECRET}@x/y`,
  `mysql:/a:${SECRET}@x/y`,
  `mysql://a:Zq7xJ/v9kWm@x/y`,
  `mysql://x/y?password=${SECRET}`,
  `mysql://x/y?ssl-mode=required&pass-word=${SECRET}`,
  `oracle://a:${SECRET}@x/y`,
  `http://a:${SECRET}@x/y`,
  `http:/a:${SECRET}@x/y`,
  `http//a:${SECRET}@x/y`,
  `http://x/y?password=${SECRET}`,
  `http://x/y?sslpassword=${SECRET}#z`,
])('%s', expectHidden)

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
    `mysql://app:${SECRET}@db.example:3306/forum?ssl-mode=REQUIRED`,
    `mysql://app:${SECRET}@one.example:3306,two.example/forum`,
    `https://app:${SECRET}@old.example/lookup.php`,
  ])('in %s', (url) => {
    // A word alone may be the name of a file, and is shown.
    for (const slip of slipsOf(url)) if (!/^\w*$/.test(slip)) expectHidden(slip)
  })
})

describe('on a terminal', () => {
  let place: Workplace
  beforeEach(() => {
    place = makeWorkplace()
  })
  afterEach(() => place.remove())

  test.for([
    [{ DATABASE_URL: `postgres:/a:${SECRET}@x/y` }],
    [{ DATABASE_URL: `password=${SECRET} host=x` }],
    [{ DATABASE_URL_FILE: `postgres://a:${SECRET}@x/y` }],
    [{ DATABASE_URL: `postgres://a:${SECRET}@127.0.0.1:1/y?sslmode=${SECRET}&host=127.0.0.1` }],
    [{ DATABASE_URL: `mysql://a:${SECRET}@127.0.0.1:1/y?ssl-mode=${SECRET}` }],
    [{ DATABASE_URL: `mysql://a:b@127.0.0.1:1/y?${SECRET}` }],
    [{ DATABASE_URL: `mariadb://a:${SECRET}@127.0.0.1:1/y` }],
    [{}, `DATABASE_URL: postgres://a:${SECRET}@x/y?sslmode=require`],
    [{}, '', 'serve', '--database', `a:${SECRET}@x/y`],
    [{}, '', 'serve', '--print-config', '--database', `postgres://a:${SECRET}@x/y`],
    [{}, '', 'import', 'users', `http://a:${SECRET}@127.0.0.1:1/`, '--ids', '1'],
    [{}, '', 'probe', `http://a:${SECRET}@127.0.0.1:1/`],
    [{}, '', 'replay', '-', '--old', `http:/a:${SECRET}@127.0.0.1:1/`, '--new', 'http://127.0.0.1:1'],
  ] as const)('%j', async ([env, envFile = '', ...args]) => {
    place.write('.env', envFile)
    const ports = { PORT: '0', ADMIN_PORT: '0' }
    const command = args.length === 0 ? ['serve'] : args
    const { stdout, stderr } = await place.run(command, { env: { ...ports, ...env } })
    expect(stdout + stderr).not.toBe('')
    expect(stdout + stderr).not.toContain(SECRET)
  })
})
