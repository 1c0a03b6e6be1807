// The README's way out of an old service, walked from start to end: its commands, in their order, against the
// real one in PHP.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startOldService } from './old-service/start.ts'
import { freePort } from './support/postgres/server.ts'
import { hasProgram } from './support/programs.ts'
import { blocksOf, environment, makeClone, section, stepsOf } from './support/readme.ts'

const { text } = section('Leave an old service behind')

/** What is another thing each time: how far it was after two seconds, how long it took, a hash. */
function settled(output: string): string {
  return output
    .replace(/^(?:probe|users|apps|reading|replay|census): .*\n/gm, '')
    .replace(/in \d+\.\d s/g, 'in 0.0 s')
    .replace(/#[0-9a-f]{10}/g, '#dbc417649e')
    .replace(/[ \r]+$/gm, '')
    .trimEnd()
}

test.skipIf(!(hasProgram('php') && hasProgram('curl')))(
  'the README leads out of an old service',
  async () => {
    const clone = makeClone()
    onTestFinished(clone.remove)
    // As `npm run old-service` starts it.
    const habits = readFileSync(new URL('old-service/run.ts', import.meta.url), 'utf8')
    const old = await startOldService({
      unknown: 'null',
      errorStatus: '200',
      serviceName: 'Acme',
      maxValues: 50,
    })
    onTestFinished(old.close)
    expect(habits).toContain(`{ unknown: 'null', errorStatus: '200', serviceName: 'Acme', maxValues: 50 }`)

    const port = await freePort()
    const adminPort = await freePort()
    const here = (words: string) =>
      words
        .replaceAll('http://localhost:8080/', old.url)
        .replaceAll('localhost:4000', `localhost:${port}`)
        .replaceAll('localhost:4001', `localhost:${adminPort}`)
    const env = { ...environment, PORT: String(port), ADMIN_PORT: String(adminPort) }
    const run = async (command: string) => {
      const ran = promisify(execFile)('bash', ['-c', here(command)], { cwd: clone.path, env })
      const { stdout, stderr } = await ran.catch((failed) => failed)
      // A terminal would show them as they come: first what is said about the work, then its result.
      return settled(command.startsWith('curl') ? stdout : stderr + stdout)
    }

    let gateway: ChildProcess | null = null
    const stop = async () => {
      if (gateway?.pid === undefined) return
      const ended = once(gateway, 'exit')
      process.kill(-gateway.pid)
      await ended
      gateway = null
    }
    onTestFinished(stop)
    const start = async (command: string) => {
      await stop()
      gateway = spawn('bash', ['-c', here(command)], { cwd: clone.path, env, detached: true })
      let welcome = ''
      await new Promise<void>((resolve, reject) => {
        gateway?.once('exit', () => reject(new Error(`${command} ended: ${welcome}`)))
        gateway?.stdout?.on('data', (data) => {
          welcome += data
          if (welcome.includes('Data ')) resolve()
        })
      })
    }

    let walked = 0
    for (const { mark, block } of blocksOf(text)) {
      if (mark === 'sh') await start(block)
      else
        for (const { command, output } of stepsOf(block)) {
          expect(await run(command), command).toBe(settled(here(output)))
          walked++
        }
    }
    expect(walked).toBe(13)

    const report = readFileSync(join(clone.path, 'report.html'), 'utf8')
    expect(report).toContain('1 of 3 distinct requests means something else')
  },
  120_000,
)
