// A reader who follows a page: a clone, a gateway, an old service and a database server that it may speak of,
// under addresses of their own.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { addressOf } from '../../src/stores/postgres/errors.ts'
import { environment, makeClone, root } from '../kit/documentation.ts'
import { freePort, type PostgresServer } from '../kit/postgres/server.ts'

/** What is another thing each time: how far it was after two seconds, how long it took, a hash. */
export function settled(output: string): string {
  return output
    .replace(/^(?:probe|users|apps|reading|replay|choices|census): .*\n/gm, '')
    .replace(/in \d+\.\d s/g, 'in 0.0 s')
    .replace(/\d[\d,]* ms \(p/g, '9 ms (p')
    .replace(/#[0-9a-f]{10}/g, '#dbc417649e')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '2026-11-22 09:15 UTC')
    .replace(/[ \r]+$/gm, '')
    .trimEnd()
}

/** @param server has a database of its own for each page */
export async function followPage(server: PostgresServer) {
  const clone = makeClone()
  const name = `page_${randomUUID().slice(0, 8)}`
  await server.run(`CREATE DATABASE ${name}`)
  const databaseUrl = server.url(name)
  const [port, adminPort, oldPort] = [await freePort(), await freePort(), await freePort()]
  const env = { ...environment, PORT: String(port), ADMIN_PORT: String(adminPort) }
  let gateway: ChildProcess | null = null
  let oldService: ChildProcess | null = null

  const here = (text: string) =>
    text
      .replaceAll('localhost:4000', `localhost:${port}`)
      .replaceAll('localhost:4001', `localhost:${adminPort}`)
      .replaceAll('localhost:8080', `localhost:${oldPort}`)
      .replaceAll('postgres://owner:secret@db.example/lookup', databaseUrl)
      .replaceAll('db.example:5432/lookup', addressOf(databaseUrl))

  return {
    /** A text of the page with the addresses of this reader. */
    here,
    /** @returns what a terminal would show, but for what is another thing each time */
    async run(command: string): Promise<string> {
      const ran = promisify(execFile)('bash', ['-c', here(command)], { cwd: clone.path, env })
      const { stdout, stderr } = await ran.catch((failed) => failed)
      // Messages about the work come first, then its result. curl shows a progress meter if it has no
      // terminal.
      return settled(command.startsWith('curl') ? stdout : stderr + stdout)
    },
    /** @returns what it says when it has started */
    async startGateway(command: string): Promise<string> {
      await stop(gateway)
      gateway = spawn('bash', ['-c', here(command)], { cwd: clone.path, env, detached: true })
      return shownUntil(gateway, command, 'Data ')
    },
    async startOldService(): Promise<void> {
      const args = ['run', 'old-service', '--', '--port', String(oldPort)]
      oldService = spawn('npm', args, { cwd: root, env: environment, detached: true })
      await shownUntil(oldService, 'npm run old-service', 'Ctrl+C stops it')
    },
    async leave(): Promise<void> {
      await stop(gateway)
      await stop(oldService)
      clone.remove()
    },
  }
}

async function stop(child: ChildProcess | null): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null) return
  const ended = once(child, 'exit')
  // npm's child is in its process group.
  process.kill(-child.pid)
  await ended
}

function shownUntil(child: ChildProcess, name: string, words: string): Promise<string> {
  let shown = ''
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${name} ended: ${shown}`)))
    child.stdout?.on('data', (data) => {
      shown += data
      if (shown.includes(words)) resolve(shown)
    })
  })
}
