import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkplace, type Workplace } from './kit/workplace.ts'

let place: Workplace
beforeAll(() => {
  place = makeWorkplace()
})
afterAll(() => place.remove())

describe('--help exits 0 and writes to stdout only', () => {
  const mentions = {
    serve: ['--port <number>', '--host <address>', '--database <url>', '--print-config'],
    import: [
      '<relation>',
      '<file>',
      '--format <format>',
      '--replace',
      '--skip-invalid <rejects>',
      '--ids <ranges>',
      '--database <url>',
    ],
    export: ['<relation>', '--database <url>'],
    migrate: ['--database <url>'],
    schema: ['[contract]', '--check', '--write'],
    probe: [
      '<url>',
      '--users <ids>',
      '--apps <ids>',
      '--chats <identifiers>',
      '--rate <number>',
      '--write <file>',
      '--json <file>',
      '--html <file>',
    ],
    replay: [
      '<log...>',
      '--old <url>',
      '--new <url>',
      '--path <path>',
      '--rate <number>',
      '--ignore <fields>',
      '--tolerate <fields>',
      '--learn',
      '--state <file>',
      '--html <file>',
    ],
    census: ['<log...>', '--format <pattern>', '--show-addresses', '--json <file>', '--html <file>'],
  }

  test.for(Object.entries(mentions))('%s', async ([command, words]) => {
    const { status, stdout, stderr } = await place.run([command, '--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: lookup ${command} `))
    for (const word of words) expect(stdout).toContain(word)
  })

  test('lookup itself lists every command', async () => {
    const { status, stdout, stderr } = await place.run(['--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const command of Object.keys(mentions)) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
  })
})

describe('a mistake exits 2 with one helpful line on stderr', () => {
  test.for([
    [['srve'], /unknown command 'srve'\n\(Did you mean serve\?\)/],
    [['serve', '--prot', '5'], /unknown option '--prot'\n\(Did you mean --port\?\)/],
    [['serve', '--port'], /option '--port <number>' argument missing/],
    [['serve', 'now'], /too many arguments for 'serve'/],
    [['import'], /missing required argument 'relation'/],
    [['import', 'users'], /missing required argument 'file'/],
    [
      ['import', 'orders', 'x.csv'],
      /'orders' is invalid for argument 'relation'\. Allowed choices are users, apps\./,
    ],
    [['import', 'users', '-', '--format', 'xml'], /'xml' is invalid\. Allowed choices are csv, jsonl\./],
    [['export'], /missing required argument 'relation'/],
    [['export', 'users', 'apps'], /too many arguments for 'export'/],
    [
      ['schema', 'wsdl'],
      /'wsdl' is invalid for argument 'contract'\. Allowed choices are graphql, openapi, xsd\./,
    ],
    [['migrate', '--force'], /unknown option '--force'/],
    [['probe'], /missing required argument 'url'/],
    [
      ['probe', 'http://a.example', '--rate', 'fast'],
      /argument 'fast' is invalid\. It must be a number above 0, up to 1000\./,
    ],
    [
      ['replay', '--old', 'http://a.example'],
      /required option '--new <url>' not specified|missing required argument 'log'/,
    ],
    [
      ['replay', 'x', '--old', 'http://a.example', '--new', 'http://b.example', '--connections', '0'],
      /argument '0' is invalid\. It must be an integer from 1 to 100\./,
    ],
    [['census'], /missing required argument 'log'/],
  ] as const)('lookup %j', async ([args, message]) => {
    const { status, stdout, stderr } = await place.run(args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  })

  test('no command at all shows the commands', async () => {
    const { status, stdout, stderr } = await place.run([])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/^Usage: lookup /)
  })

  test('bad settings stop any command that reads them, all at once', async () => {
    const env = { PORT: '99999', LOG_LEVEL: 'loud', DATABASE_URL: 'oracle' }
    for (const args of [['serve'], ['migrate'], ['export', 'users'], ['import', 'users', 'x.csv']]) {
      const { status, stdout, stderr } = await place.run(args, { env })
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr.match(/^\w+/gm)?.sort()).toEqual(['DATABASE_URL', 'LOG_LEVEL', 'PORT'])
    }
  })
})
