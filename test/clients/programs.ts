// The clients: each takes all its cases in one process.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '../gateway/pages/browser.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { type Asked, type Client, runProgram } from './run.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`programs/${name}`, import.meta.url))
const jqueryFile = fileURLToPath(import.meta.resolve('jquery/dist/jquery.js'))

/** Where Debian's packages put them. */
export const jacksonFiles = ['databind', 'core', 'annotations'].map(
  (part) => `/usr/share/java/jackson-${part}.jar`,
)
export const newtonsoftFile = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll'

export const php: Client = (asked) => runProgram('php', [fileOf('client.php')], asked)

export const java: Client = (asked) =>
  withSource(
    'Client.java',
    asked,
    (code) => `(answer, url) -> ${code}`,
    (source) => runProgram('java', ['-XX:TieredStopAtLevel=1', '-cp', jacksonFiles.join(':'), source], asked),
  )

export const csharp: Client = (asked) =>
  withSource(
    'Client.cs',
    asked,
    (code) => `(answer, url) => (object) (${code})`,
    async (source) => {
      const program = source.replace(/cs$/, 'exe')
      await runProgram(
        'mcs',
        ['-codepage:utf8', `-r:${newtonsoftFile}`, '-r:System.Xml.Linq', `-out:${program}`, source],
        null,
      )
      // Its code page is that of the locale: ASCII.
      return runProgram('mono', [program], asked, { LC_ALL: 'C' })
    },
  )

/** The program with the expressions in it, for as long as it is needed. */
async function withSource(
  name: string,
  asked: readonly Asked[],
  lambdaOf: (code: string) => string,
  run: (source: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const { path, remove } = temporaryFolder()
  try {
    const lambdas = [...new Set(asked.map(({ code }) => code))].map(lambdaOf).join(',\n    ')
    const source = join(path, name)
    writeFileSync(
      source,
      readFileSync(fileOf(name), 'utf8').replace('    READS\n', () => `    ${lambdas}\n`),
    )
    return await run(source)
  } finally {
    remove()
  }
}

export const javascript: Client = async (asked, origin) => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(origin)
    await page.addScriptTag({ path: jqueryFile })
    await page.addScriptTag({ path: fileOf('client.js') })
    return await page.evaluate(`clientOf(${JSON.stringify(asked)})`)
  } finally {
    await browser.close()
  }
}
