// Starts the old service of index.php: PHP's own server, over an SQLite database of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filledFile, temporaryFolder } from '../kit/gateway.ts'
import {
  defaultSwitches,
  type OldService,
  type OldServiceOptions,
  type Switches,
} from '../kit/old-service.ts'
import { freePort } from '../kit/postgres/server.ts'
import { need } from '../kit/programs.ts'

export type { OldService, Switches }

need('php')

/** As `startOldService` of the kit, which is its twin. */
export async function startOldService(
  switches: Switches = {},
  { data, port: wanted }: OldServiceOptions = {},
): Promise<OldService> {
  const folder = temporaryFolder()
  const database = await filledFile(join(folder.path, 'old.db'), data)
  const switchFile = join(folder.path, 'switches.json')
  const switchTo = (on: Switches) => {
    // A request must not read half of the file.
    writeFileSync(`${switchFile}.new`, JSON.stringify({ ...defaultSwitches, ...on }))
    renameSync(`${switchFile}.new`, switchFile)
  }
  switchTo(switches)

  const port = wanted ?? (await freePort())
  const program = fileURLToPath(new URL('./index.php', import.meta.url))
  let server: ChildProcess | null = null

  async function start(): Promise<void> {
    const started = spawn('php', ['-S', `127.0.0.1:${port}`, '-d', 'display_errors=stderr', program], {
      env: {
        ...process.env,
        OLD_DATABASE: database.path,
        OLD_SWITCHES: switchFile,
        // Several requests at a time.
        PHP_CLI_SERVER_WORKERS: '4',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      // Its workers are in its process group.
      detached: true,
    })
    server = started
    await untilItListens(started.stderr)
  }

  function signal(name: NodeJS.Signals): void {
    if (server?.pid !== undefined) process.kill(-server.pid, name)
  }

  async function kill(): Promise<void> {
    if (server === null) return
    const ended = once(server, 'exit')
    signal('SIGKILL')
    await ended
    server = null
  }

  await start()
  return {
    url: `http://127.0.0.1:${port}/`,
    switchTo,
    ...{ kill, start },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    close: async () => {
      await kill()
      folder.remove()
    },
  }
}

/** PHP says so on its standard error, where it goes on to log each request. */
function untilItListens(stderr: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    stderr.on('data', (data: Buffer) => {
      said += data.toString()
      if (/Development Server .* started/.test(said)) resolve()
    })
    stderr.on('end', () => reject(new Error(`PHP has ended: ${said}`)))
  })
}
