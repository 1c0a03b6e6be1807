// A real PostgreSQL server that tests may stop, kill, freeze and bring back.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { asNobody, giveAway, type Programs } from './programs.ts'

const quick = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
shared_buffers = 32MB
fsync = off
wal_receiver_status_interval = 100ms
wal_retrieve_retry_interval = 200ms
`

export class PostgresServer {
  readonly folder: string
  readonly port: number
  readonly #bin: string
  #process: ChildProcess | null = null

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin
    this.folder = folder
    this.port = port
  }

  /** Starts a server over a copy of a data folder, by default an empty one. */
  static async start({ home, bin, pristine }: Programs, from: string = pristine, settings = '') {
    const folder = mkdtempSync(join(home, 'data-'))
    cpSync(from, folder, { recursive: true })
    giveAllAway(folder)
    const server = new PostgresServer(bin, folder, await freePort())
    appendFileSync(join(folder, 'postgresql.conf'), quick + settings)
    await server.start()
    return server
  }

  /** Starts a standby of this server, which is stopped for a moment to be copied. */
  async startStandby(programs: Programs): Promise<PostgresServer> {
    await this.stop()
    writeFileSync(join(this.folder, 'standby.signal'), '')
    try {
      return await PostgresServer.start(programs, this.folder, sourceOf(this))
    } finally {
      rmSync(join(this.folder, 'standby.signal'))
      await this.start()
    }
  }

  /**
   * Makes this server a copy of another one, whatever it was: a standby, or one that accepts writes. The
   * other is stopped for a moment to be copied.
   */
  async rebuild(primary: PostgresServer, asStandby = true): Promise<void> {
    await this.stop()
    await primary.stop()
    rmSync(this.folder, { recursive: true })
    cpSync(primary.folder, this.folder, { recursive: true })
    if (asStandby) writeFileSync(join(this.folder, 'standby.signal'), '')
    appendFileSync(join(this.folder, 'postgresql.conf'), sourceOf(primary))
    giveAllAway(this.folder)
    await primary.start()
    await this.start()
  }

  url(database = 'postgres', user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`
  }

  /** Runs SQL as the superuser. @returns the rows of the last statement */
  async run(sql: string, database = 'postgres'): Promise<unknown[][]> {
    const client = new pg.Client({ connectionString: this.url(database) })
    await client.connect()
    try {
      const result: unknown = await client.query({ text: sql, rowMode: 'array' })
      const last = Array.isArray(result) ? result.at(-1) : result
      return last.rows
    } finally {
      await client.end()
    }
  }

  async start(): Promise<void> {
    const child = spawn(join(this.#bin, 'postgres'), ['-D', this.folder, '-p', String(this.port)], {
      ...asNobody,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#process = child
    const endIt = () => child.kill('SIGKILL')
    process.once('exit', endIt)
    child.once('exit', () => process.off('exit', endIt))
    let log = ''
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (data) => {
        log = (log + data).slice(-10_000)
        if (/ready to accept (?:read-only )?connections/.test(log)) resolve()
      })
      child.once('exit', () => reject(new Error(`PostgreSQL has ended: ${log}`)))
    })
  }

  /** Stops in good order; connections are cut. */
  async stop(): Promise<void> {
    await this.#end(() => this.#process?.kill('SIGINT'))
  }

  /** Ends it at once, as a machine that loses its power. */
  async kill(): Promise<void> {
    await this.#end(() => this.#signalAll('SIGKILL'))
    // The next start would wait for what it takes for another server.
    rmSync(join(this.folder, 'postmaster.pid'), { force: true })
  }

  /** From now on it accepts connections, and says nothing. */
  freeze(): void {
    this.#signalAll('SIGSTOP')
  }

  thaw(): void {
    this.#signalAll('SIGCONT')
  }

  async #end(how: () => void): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    this.#process = child
    how()
    await ended
    this.#process = null
  }

  /** Its server processes are in process groups of their own. */
  #signalAll(signal: NodeJS.Signals): void {
    const { pid } = this.#process ?? {}
    if (pid === undefined) return
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    for (const member of [pid, ...children.split(' ').filter(Boolean).map(Number)]) {
      try {
        process.kill(member, signal)
      } catch {} // it has just ended
    }
  }
}

/** What a standby's settings say of the server that it follows. */
function sourceOf({ port }: PostgresServer): string {
  return `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`
}

/** Gives a folder and all in it to the user that PostgreSQL runs as. */
function giveAllAway(folder: string): void {
  giveAway(folder)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) giveAway(join(folder, name))
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}
