// Starts the old service of index.php: PHP's own server, over an SQLite database of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTables } from '../../src/stores/transfer.ts'
import { fill, sample, temporaryFolder } from '../kit/gateway.ts'
import { freePort } from '../kit/postgres/server.ts'

/** What may differ from one old service to another; switches.php says what each means, and its default. */
export interface Switches {
  readonly unknown?: 'missing' | 'null' | 'error' | 'list'
  readonly nothing?: 'usual' | 'null' | 'silent' | 'error'
  readonly escaped?: '' | 'both' | 'json'
  readonly looseIds?: boolean
  readonly caseSensitive?: boolean
  readonly naming?: 'asked' | 'stored' | 'id'
  readonly orderBy?: string
  readonly appsOrderBy?: string
  readonly blocked?: string
  readonly broken?: number
  readonly errorStatus?: 'http' | '200'
  readonly pretty?: boolean
  readonly numericCheck?: boolean
  readonly xmlDeclaration?: boolean
  readonly serviceName?: string
  readonly chatMethod?: string
  readonly maxValues?: number
  /** Milliseconds. */
  readonly delay?: number
  readonly withoutApps?: boolean
  readonly failing?: boolean
  readonly changing?: readonly ('JoinDate' | 'Rank' | 'Version' | 'status' | 'entries')[]
  readonly cutting?: boolean
  readonly anyCase?: readonly ('parameters' | 'events' | 'methods' | 'formats')[]
  readonly repeated?: 'last' | 'first' | 'refuse'
  readonly otherEvent?: 'refuse' | 'missing' | 'empty' | 'any'
  readonly defaultEvent?: 'ProfileLookup' | 'AppLookup'
  readonly otherFormat?: 'json' | 'xml' | 'refuse'
  readonly otherMethod?: 'refuse' | 'id' | 'username' | 'unknown'
  readonly noValues?: 'refuse' | 'refuse-empty' | 'refuse-missing' | 'empty'
  readonly paths?: readonly string[]
  readonly wants?: string
  readonly login?: string
  readonly gzip?: boolean
  readonly movedTo?: string
}

export interface OldService {
  /** With a slash at its end. */
  readonly url: string
  /** From the next request on; a switch that is not named is off. */
  readonly switchTo: (switches: Switches) => void
  /** Ends it as a machine that loses its power; `start` brings it back. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  /** From now on it accepts connections, and says nothing. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly close: () => Promise<void>
}

interface Options {
  /** The sample data by default. */
  readonly data?: { readonly users: string; readonly apps: string }
  /** A free one by default. */
  readonly port?: number
}

export async function startOldService(
  switches: Switches = {},
  { data = sample, port: wanted }: Options = {},
): Promise<OldService> {
  const folder = temporaryFolder()
  const database = { kind: 'sqlite', path: join(folder.path, 'old.db') } as const
  await makeTables(database)
  await fill(database, 'users', data.users)
  await fill(database, 'apps', data.apps)
  const switchFile = join(folder.path, 'switches.json')
  const switchTo = (on: Switches) => writeFileSync(switchFile, JSON.stringify(on))
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
