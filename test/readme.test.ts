// Every command of the README is run, and prints what the README says.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settings } from '../src/settings.ts'
import { addressOf } from '../src/stores/postgres/address.ts'
import { temporaryFolder } from './support/gateway.ts'
import { makeDatabase, type TestDatabase } from './support/postgres/database.ts'
import { hasProgram } from './support/programs.ts'

const root = new URL('..', import.meta.url).pathname
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** A command as the README has it, and what it prints. */
interface Step {
  readonly command: string
  readonly output: string
}

/** The blocks marked `console`: commands after `$ `, here-documents to their END, and the output between them. */
function readSteps(text: string): Step[] {
  const blocks = [...text.matchAll(/```console\n(.*?)```/gs)].map((match) => match[1] ?? '')
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((step) => {
      const hereDocument = /^[^\n]*<<'END'\n.*?\nEND\n/s.exec(step)?.[0]
      const command = hereDocument ?? step.slice(0, step.indexOf('\n') + 1)
      return { command: command.trimEnd(), output: step.slice(command.length) }
    })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

test('the table of settings is that of the code', () => {
  const rows = Object.entries(settings).map(
    ([name, { default: byDefault, allowed, purpose }]) =>
      `| \`${name}\` | ${byDefault === null ? 'none' : `\`${byDefault}\``} | ${allowed} | ${purpose} |\n`,
  )
  const table = /<!-- settings -->\n[^\n]*\n[^\n]*\n(.*?)<!-- \/settings -->/s.exec(readme)?.[1]
  expect(table).toBe(rows.join(''))
})

describe.skipIf(!hasProgram('curl'))('the commands', () => {
  // A clone of its own, so that the database and the files the commands make are not in the repository.
  const clone = temporaryFolder()
  const environment = { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` }
  let server: ChildProcess
  let welcome = ''
  let port = 0
  let adminPort = 0
  let database: TestDatabase

  beforeAll(async () => {
    for (const part of ['src', 'schema', 'package.json']) {
      cpSync(join(root, part), join(clone.path, part), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(clone.path, 'node_modules'))
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

  test.each(readSteps(readme))('$command', async ({ command, output }) => {
    const run = promisify(execFile)('bash', ['-c', here(command)], { cwd: clone.path, env: environment })
    const { stdout, stderr } = await run.catch((failed) => failed)
    // curl shows a progress meter on stderr where that is no terminal.
    const printed = command.startsWith('curl') ? `${stdout}\n` : stdout + stderr
    expect(printed.trimEnd().replace(/in \d+\.\d s/, 'in 0.0 s')).toBe(here(output).trimEnd())
  })
})
