// The request as a GraphQL operation, in what front ends send it with: each snippet does what it says.

import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphqlSnippetsFor } from '../../../src/gateway/explorer/graphql-snippets.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { hasProgram } from '../../support/programs.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const query = `query ProfileLookup($by: UserLookupMethod!, $values: [String!]!) {
  entries: users(by: $by, values: $values) {
    username
    displayName
  }
}`
/** What a shell, a program or a reader might stumble over. */
const odd = `it's "$x" \`y\` \${z} \\ \u2028 \u202e \u{e0041} </script> !!`

const codeFor = (language: string, values: readonly string[]) => {
  const snippets = graphqlSnippetsFor(`${gateway.url}/graphql`, {
    query,
    variables: { by: 'USERNAME', values },
  })
  return snippets.find((snippet) => snippet.language === language)?.code ?? ''
}

/** @returns what it prints. The gateway is in this process: nothing may block it. */
function run(command: string, args: readonly string[]): Promise<string> {
  const program = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let output = ''
    program.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    program.on('error', reject).on('close', () => resolve(output))
  })
}

/** Runs a module; it lies here, where the libraries are found. */
async function runModule(code: string): Promise<string> {
  const file = fileURLToPath(new URL(`snippet-${process.pid}.mjs`, import.meta.url))
  writeFileSync(file, code)
  try {
    return await run(process.execPath, [file])
  } finally {
    rmSync(file)
  }
}

const languages: readonly (readonly [string, (code: string) => Promise<string>, boolean])[] = [
  ['fetch', runModule, true],
  ['Apollo', runModule, true],
  ['urql', runModule, true],
  ['curl', (code) => run('sh', ['-c', `${code} --silent`]), hasProgram('curl')],
]

test('these are all', () => {
  const snippets = graphqlSnippetsFor('http://localhost/graphql', { query, variables: {} })
  expect(snippets.map(({ language }) => language)).toEqual(languages.map(([language]) => language))
})

describe.each(languages)('%s', (language, runCode, there) => {
  test.skipIf(!there)('shows the data', async () => {
    const output = await runCode(codeFor(language, ['ada', 's\u00f8ren']))
    expect(output).toContain('Ada of the Hill')
    expect(output).toContain('S\u00f8ren \u00c6rlig')
  })

  test.skipIf(!there)('sends odd texts as they are', async () => {
    const code = codeFor(language, [odd, 'ada'])
    // Nothing is hidden from the reader.
    expect(code).not.toMatch(/[\u2028\u202e\u{e0041}]/u)
    const output = await runCode(code)
    expect(output).toContain('null')
    expect(output).toContain('Ada of the Hill')
  })

  test.skipIf(!there)('shows an error', async () => {
    const tooMany = Array.from({ length: 1001 }, (_, id) => `${id}`)
    expect(await runCode(codeFor(language, tooMany))).toContain('More than 1000 values')
  })
})

test('the variables mean the same, escaped or not', async () => {
  const [, variables = ''] = /^const variables = (.*)$/m.exec(codeFor('fetch', [odd])) ?? []
  expect(JSON.parse(variables)).toEqual({ by: 'USERNAME', values: [odd] })
})
