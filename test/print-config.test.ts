import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settings } from '../src/settings.ts'
import { makeWorkplace, type Workplace } from './kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

describe('serve --print-config', () => {
  const print = (env: Readonly<Record<string, string>> = {}, ...flags: string[]) =>
    place.run(['serve', '--print-config', ...flags], { env })

  test('shows every setting and where it comes from, and serves nothing', async () => {
    place.write('.env', 'HOST=::1\nPORT=1\nADMIN_PORT=2\n')
    const { status, stdout, stderr } = await print({ PORT: '3', ADMIN_PORT: '' }, '--port', '4')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => /^(\w+)=(.*?) +# (.*)$/.exec(line)?.slice(1) ?? line)
    const expected = Object.entries(settings).map(([name, { default: value }]) => [
      name,
      value ?? '',
      'default',
    ])
    const rest = expected.filter(([name]) => !['PORT', 'HOST', 'ADMIN_PORT'].includes(String(name)))
    expect(lines).toEqual(expect.arrayContaining(rest))
    expect(lines).toEqual(
      expect.arrayContaining([
        ['PORT', '4', 'flag'],
        ['HOST', '::1', '.env'],
        ['ADMIN_PORT', '2', '.env'],
      ]),
    )
    expect(lines).toHaveLength(expected.length)
  })

  test('hides secrets', async () => {
    const { status, stdout } = await print({ LEGACY_SUNSET_LINK: 'https://me:secret@old.example/' })
    expect(status).toBe(0)
    expect(stdout).toContain('LEGACY_SUNSET_LINK=https://***@old.example/')
    expect(stdout).not.toMatch(/\bme\b|secret/)
  })

  test('reports bad settings instead', async () => {
    const { status, stdout, stderr } = await print({ PORT: 'x', DATABASE_URL: 'oracle://me:secret@db/x' })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr.trimEnd().split('\n')).toHaveLength(2)
    expect(stderr).not.toContain('secret')
  })
})

describe('a line of .env that sets nothing', () => {
  const serve = (text: string) => {
    place.write('.env', text)
    return place.run(['serve', '--print-config'])
  }

  test.for([
    ['a colon', 'INTROSPECTION: off\n', [1]],
    ['a colon and quotes', 'PORT=1\n\nRATE_LIMIT: "100"\n', [3]],
    ['a space', '# limits\r\nRATE_LIMIT 100\r\n', [2]],
    ['a name alone, twice', 'GRAPHIQL\nPORT=1\nEXPLORER', [1, 3]],
  ] as const)('is refused: %s', async ([, text, lines]) => {
    expect(await serve(text)).toEqual({
      status: 2,
      stdout: '',
      stderr: lines
        .map((line) => `.env, line ${line} is no setting. Write NAME=value, or # in front of a comment.\n`)
        .join(''),
    })
  })

  test.for([
    ['comments and empty lines', '\ufeff# one\n\n  \t\n  # two\nPORT=1\n'],
    ['export', 'export PORT=1\n'],
    [
      'a value of several lines',
      'PORT=1\nDATABASE_URL=http://old.example/\nDATABASE_HEADERS="A: one\nB: two\n" # both\nHOST=::1\n',
    ],
    [
      'a value whose last line is quoted',
      "PORT=1\nDATABASE_URL=http://old.example/\nDATABASE_HEADERS='A: one\nB: two'\n",
    ],
  ] as const)('is none where it is part of %s', async ([, text]) => {
    const { status, stdout, stderr } = await serve(text)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^PORT=1 +# \.env$/m)
  })
})
