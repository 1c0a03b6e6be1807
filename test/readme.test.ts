// Every command of the README is run, and prints what the README says.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relations } from '../src/data/relations.ts'
import { settings } from '../src/settings.ts'
import { addressOf } from '../src/stores/postgres/errors.ts'
import { makeDatabase, type TestDatabase } from './support/postgres/database.ts'
import { freePort } from './support/postgres/server.ts'
import { hasProgram } from './support/programs.ts'
import { blocksOf, environment, makeClone, readme, section, stepsOf } from './support/readme.ts'

// Another test walks through that one.
const { rest } = section('Leave an old service behind')
const steps = blocksOf(rest).flatMap(({ mark, block }) => (mark === 'console' ? stepsOf(block) : []))

test('the table of settings is that of the code', () => {
  const rows = Object.entries(settings).map(
    ([name, { default: byDefault, allowed, purpose }]) =>
      `| \`${name}\` | ${byDefault === null ? 'none' : `\`${byDefault}\``} | ${allowed} | ${purpose} |\n`,
  )
  const table = /<!-- settings -->\n[^\n]*\n[^\n]*\n(.*?)<!-- \/settings -->/s.exec(readme)?.[1]
  expect(table).toBe(rows.join(''))
})

test.for(Object.values(relations))(
  'the table of fields has those of $name, in order',
  ({ name, columns }) => {
    expect(namesBelow(`column of ${name}`)).toEqual(columns.map((column) => column.name))
  },
)

/** The names, set as code, in the column of a table that has this heading. */
function namesBelow(heading: string): string[] {
  const table = readme
    .split('\n\n')
    .find((block) => block.startsWith('|') && block.includes(`| ${heading} |`))
  const rows = table?.split('\n').map((row) => row.split(/ *\| */)) ?? []
  const at = rows[0]?.indexOf(heading) ?? -1
  return rows.flatMap((cells) => [...(cells[at] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

describe.skipIf(!hasProgram('curl'))('the commands', () => {
  const clone = makeClone()
  let server: ChildProcess
  let welcome = ''
  let port = 0
  let adminPort = 0
  let database: TestDatabase

  beforeAll(async () => {
    database = await makeDatabase()
    port = await freePort()
    adminPort = await freePort()
    const env = { ...environment, PORT: String(port), ADMIN_PORT: String(adminPort) }
    server = spawn('npm', ['start'], { cwd: clone.path, env, detached: true })
    await new Promise<void>((resolve, reject) => {
      server.once('exit', () => reject(new Error(`npm start ended: ${welcome}`)))
      server.stdout?.on('data', (data) => {
        welcome += data
        if (welcome.includes('Data ')) resolve()
      })
    })
  })

  afterAll(async () => {
    // npm's child is in its process group.
    if (server.pid !== undefined) process.kill(-server.pid)
    clone.remove()
    await database.remove()
  })

  const here = (text: string) =>
    text
      .replaceAll('localhost:4000', `localhost:${port}`)
      .replaceAll('localhost:4001', `localhost:${adminPort}`)
      .replaceAll('postgres://owner:secret@db.example/lookup', database.url)
      .replaceAll('db.example:5432/lookup', addressOf(database.url))

  test('npm start prints its addresses', () => {
    const shown = /```\n(Lookup Service is running.*?)```/s.exec(readme)?.[1] ?? 'nothing'
    expect(welcome).toContain(here(shown))
  })

  test.each(steps)('$command', async ({ command, output }) => {
    const run = promisify(execFile)('bash', ['-c', here(command)], { cwd: clone.path, env: environment })
    const { stdout, stderr } = await run.catch((failed) => failed)
    // curl shows a progress meter on stderr where that is no terminal.
    const printed = command.startsWith('curl') ? `${stdout}\n` : stdout + stderr
    expect(printed.trimEnd().replace(/in \d+\.\d s/, 'in 0.0 s')).toBe(here(output).trimEnd())
  })
})
