// The request in other languages: each does what it says, in the language itself.

import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryWithin } from '../../../src/gateway/explorer/query.ts'
import { snippetsFor } from '../../../src/gateway/explorer/snippets.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { hasProgram } from '../../support/programs.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const users = `s\u00f8ren:it's:"$x":[1-3]{a,b}`
const lookup = `Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${users}`

function codeFor(language: string, format: 'JSON' | 'XML', query: string): string {
  const url = `${gateway.url}/?${queryWithin(query)}`
  return snippetsFor(url, format).find((snippet) => snippet.language === language)?.code ?? ''
}

/** Runs a program, and gives it something to read. The gateway is in this process: nothing may block it. */
function run(command: string, args: readonly string[], input: string): Promise<string> {
  const program = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  program.stdin.end(input)
  return new Promise((resolve, reject) => {
    let output = ''
    program.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    program.on('error', reject).on('close', () => resolve(output))
  })
}

const languages: readonly (readonly [string, string, readonly string[], boolean])[] = [
  ['curl', 'sh', [], hasProgram('curl')],
  ['PHP', 'php', [], hasProgram('php')],
  ['Python', 'python3', ['-'], hasProgram('python3')],
  ['JavaScript', process.execPath, ['--input-type=module', '-'], true],
]

for (const [language, command, args, there] of languages) {
  test.skipIf(!there)(`${language} reads JSON`, async () => {
    const output = await run(command, args, codeFor(language, 'JSON', lookup))
    expect(output).toMatch(/DisplayName/)
    expect(output).toMatch(/1230768000/)
  })

  // Node has no DOMParser: that one is for browsers.
  test.skipIf(!there || language === 'JavaScript')(`${language} reads XML`, async () => {
    const output = await run(command, args, codeFor(language, 'XML', `${lookup}&Format=XML`))
    expect(output).toMatch(/DisplayName/)
    expect(output).toMatch(/1230768000/)
  })
}

for (const [language, command, args, there] of languages) {
  test.skipIf(!there)(`${language} shows the words of a refusal`, async () => {
    for (const format of ['JSON', 'XML'] as const) {
      if (language === 'JavaScript' && format === 'XML') continue
      const query = `Event=AppLookup&Apps=x&Format=${format}`
      expect(await run(command, args, codeFor(language, format, query))).toContain(
        'is not a numeric identifier',
      )
    }
  })
}

test('every language has the whole request', () => {
  for (const { code } of snippetsFor(`${gateway.url}/?${queryWithin(lookup)}`, 'JSON'))
    expect(code).toContain(`Users=s%C3%B8ren:it%27s:%22%24x%22:%5B1-3%5D%7Ba,b%7D`)
})
