// --help, and the messages for a wrong command line.

import { describe, expect } from 'vitest'
import { test } from './kit/test.ts'

const commands = 'serve import export migrate check views schema probe replay census'.split(' ')

test.for(commands)('%s --help exits 0 and writes to stdout only', async (command, { place }) => {
  const { status, stdout, stderr } = await place.run([command, '--help'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(new RegExp(`^Usage: lookup ${command} `))
})

test('lookup itself lists every command; without one, that is a mistake', async ({ place }) => {
  const { status, stdout, stderr } = await place.run(['--help'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
  expect(await place.run([])).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Usage: lookup /),
  })
})

describe('a mistake exits 2 with one helpful line on stderr', () => {
  const probe = ['probe', 'http://a.example']
  const replay = ['replay', 'x', '--old', 'http://a.example', '--new', 'http://b.example']

  test.for([
    [['srve'], /unknown command 'srve'\n\(Did you mean serve\?\)/],
    [['serve', '--prot', '5'], /unknown option '--prot'\n\(Did you mean --port\?\)/],
    [['serve', '--port'], /option '--port <number>' argument missing/],
    [['serve', 'now'], /too many arguments for 'serve'/],
    [['import', 'users'], /missing required argument 'file'/],
    [['import', 'orders', 'x.csv'], /'orders' is invalid for argument 'relation'\. Allowed .* users, apps\./],
    [['import', 'users', '-', '--format', 'xml'], /'xml' is invalid\. Allowed choices are csv, jsonl\./],
    [['schema', 'wsdl'], /'wsdl' is invalid for argument .* Allowed choices are graphql, openapi, xsd\./],
    [[...probe, '--rate', 'fast'], /'fast' is invalid\. It must be a number above 0, up to 1000\./],
    [['replay', 'x', '--old', 'http://a.example'], /required option '--new <url>' not specified/],
    [[...replay, '--connections', '0'], /'0' is invalid\. It must be an integer from 1 to 100\./],
  ] as const)('lookup %j', async ([args, message], { place }) => {
    const { status, stdout, stderr } = await place.run(args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2)
  })

  test('bad settings stop any command that reads them, all at once', async ({ place }) => {
    const env = { PORT: '99999', LOG_LEVEL: 'loud', DATABASE_URL: 'oracle' }
    for (const args of [['serve'], ['migrate'], ['export', 'users'], ['import', 'users', 'x.csv']]) {
      const { status, stdout, stderr } = await place.run(args, { env })
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr.match(/^\w+/gm)?.sort()).toEqual(['DATABASE_URL', 'LOG_LEVEL', 'PORT'])
    }
  })
})
