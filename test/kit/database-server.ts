// A real database server that tests may stop, kill, freeze and bring back, whatever its engine.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServersLocation } from '../../src/config/database.ts'
import { childrenOf } from './children.ts'
import { asNobody, giveAway } from './postgres/programs.ts'

/** How the process of a server is started. */
export interface ServerCommand {
  readonly program: string
  readonly args: readonly string[]
  /** What it writes on stderr once it takes connections. */
  readonly isReady: RegExp
}

/** A connection of an administrator, or of another user. */
export interface Client {
  /** @returns the rows of the last statement, booleans as 0 or 1 and integers as numbers */
  readonly run: (sql: string, values?: readonly unknown[]) => Promise<unknown[][]>
  readonly end: () => Promise<void>
}

/** A database on a real server. */
export interface Database {
  readonly url: string
  readonly location: ServersLocation
  /** Runs SQL as the superuser. */
  readonly run: Client['run']
  /** Opens another session of the superuser. */
  readonly connect: () => Promise<Client>
}

export interface TestDatabase extends Database {
  readonly name: string
  readonly remove: () => Promise<void>
}

export abstract class DatabaseServer {
  /** Databases that this process has made: each needs another name. */
  static #made = 0
  /** Holds its data. */
  readonly folder: string
  readonly port: number
  /** Asks the server to stop in good order, and to cut its connections. */
  protected abstract readonly stopSignal: NodeJS.Signals
  /** What `DROP DATABASE` needs while gateways are connected. */
  protected readonly dropOptions: string = ''
  #process: ChildProcess | null = null

  protected constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
  }

  protected abstract command(): ServerCommand

  /** By default of the superuser, in a database of the server's own. */
  abstract url(database?: string, user?: string, password?: string): string
  abstract connect(database?: string, user?: string): Promise<Client>
  abstract locate(url: string): ServersLocation

  /** Starts a replica of this server. */
  abstract startReplica(): Promise<DatabaseServer>
  /** Makes this server a replica of another one; or a copy of it that follows none. */
  abstract rebuild(primary: DatabaseServer, asReplica?: boolean): Promise<void>
  /** Makes this replica follow another server, which has all that it has. */
  abstract follow(source: DatabaseServer): Promise<void>
  /** Whether this replica applies what it gets. */
  abstract apply(does: boolean): Promise<void>
  /** Waits until this replica has all that its primary has now. */
  abstract untilCaughtUp(primary: DatabaseServer): Promise<void>
  /** Makes this replica accept writes, and follow none. */
  abstract promote(): Promise<void>

  /** Runs SQL as the superuser. @returns the rows of the last statement */
  async run(sql: string, database?: string, values?: readonly unknown[]): Promise<unknown[][]> {
    const client = await this.connect(database)
    try {
      return await client.run(sql, values)
    } finally {
      await client.end()
    }
  }

  database(name: string): Database {
    const url = this.url(name)
    return {
      url,
      location: this.locate(url),
      run: (sql, values) => this.run(sql, name, values),
      connect: () => this.connect(name),
    }
  }

  /** Makes an empty database. @param options such as its character set */
  async makeDatabase(options = ''): Promise<TestDatabase> {
    const name = `test_${process.pid}_${++DatabaseServer.#made}`
    await this.run(`CREATE DATABASE ${name} ${options}`)
    const { run, end } = await this.connect(name)
    const remove = async () => {
      await end()
      await this.run(`DROP DATABASE ${name} ${this.dropOptions}`)
    }
    return { ...this.database(name), name, run, remove }
  }

  async start(): Promise<void> {
    for (let time = 0; ; time++) {
      try {
        await this.#launch()
        return
      } catch (error) {
        // A child of a server that was killed may live a little longer, and keep the server's memory.
        if (time === 20 || !String(error).includes('shared memory block')) throw error
        await pause(500)
      }
    }
  }

  async #launch(): Promise<void> {
    const { program, args, isReady } = this.command()
    const child = spawn(program, args, { ...asNobody, stdio: ['ignore', 'ignore', 'pipe'] })
    this.#process = child
    const endIt = () => {
      child.kill('SIGKILL')
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
    }
    process.once('exit', endIt)
    child.once('exit', () => process.off('exit', endIt))
    let log = ''
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (data) => {
        log = (log + data).slice(-10_000)
        if (isReady.test(log)) resolve()
      })
      child.once('exit', () => reject(new Error(`${program} has ended: ${log}`)))
      child.once('error', reject)
    })
  }

  /** Stops in good order; connections are cut. */
  async stop(): Promise<void> {
    await this.#end((child) => child.kill(this.stopSignal))
  }

  /** Ends it at once, as a machine that loses its power. */
  async kill(): Promise<void> {
    await this.#end((child) => signalAll(child, 'SIGKILL'))
  }

  /** Ends it for ever. */
  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** From now on it accepts connections, and sends nothing. */
  freeze(): void {
    if (this.#process !== null) signalAll(this.#process, 'SIGSTOP')
  }

  thaw(): void {
    if (this.#process !== null) signalAll(this.#process, 'SIGCONT')
  }

  async #end(how: (child: ChildProcess) => void): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    how(child)
    await ended
  }
}

/** The processes of PostgreSQL are in process groups of their own. */
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  for (const member of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(member, signal)
    } catch {} // it has just ended
  }
}

/** Gives a folder and all in it to the user that servers run as. */
export function giveAllAway(folder: string): void {
  giveAway(folder)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) giveAway(join(folder, name))
}
