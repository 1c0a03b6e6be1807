// Database servers for the benchmark: those of the tests, over a copy of data that is made once and kept in
// .cache.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { cache, fill } from './databases.ts'
import { type Command, cpuOfFamily, environment, familyOf } from './processes.ts'
import { type ServerKind, serverTitles } from './workloads.ts'

export interface DatabaseServer {
  readonly url: (database: string) => string
  /** Runs SQL. @returns the rows of the last statement */
  readonly run: (sql: string, database?: string) => Promise<unknown[][]>
  /** The process that all its others descend from. */
  readonly pid: () => number
  /** The folder of its data. */
  readonly data: string
  /** Writes what is left to be written. */
  readonly settle: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Ends it, and removes its data. */
  readonly remove: () => Promise<void>
}

export interface Engine {
  readonly kind: ServerKind
  /** Why there can be no server here. */
  readonly missing: () => string | null
  /** Another version cannot read its data. */
  readonly version: () => string
  /** @param data a folder to begin with a copy of; an empty server otherwise */
  readonly start: (data?: string) => Promise<DatabaseServer>
  /** The file with the tables. */
  readonly schema: URL
  /** Statements by which nothing is left to be done later, once there are users. */
  readonly tidy: readonly string[]
  /** A statement that brings all users into the memory of the server. */
  readonly warm: string
  readonly client: Client
}

/** The program that comes with a server, and fills a table from a file. */
export interface Client {
  readonly program: string
  /** How to get it. */
  readonly install: string
  readonly load: (url: string, csv: string) => Command
}

/** The database that holds the users. */
export const FILLED = 'bench'

/** Seconds of processor time that all processes of a server have used. */
export const cpuOfServer = (server: DatabaseServer): number => cpuOfFamily(server.pid())

/** Starts a server that has so many users, all of them in its memory. */
export async function startFilled(
  engine: Engine,
  users: number,
  cores: string,
  progress: (text: string) => void,
): Promise<DatabaseServer> {
  const server = await engine.start(await provideData(engine, users, progress))
  // Processes and threads that it starts later inherit this.
  for (const pid of familyOf(server.pid())) bind(pid, cores)
  await server.run(engine.warm, FILLED)
  return server
}

function bind(pid: number, cores: string): void {
  const args = ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]
  execFileSync('taskset', args, { env: environment(), stdio: 'ignore' })
}

/** @returns a data folder with so many users */
async function provideData(
  { kind, version, start, tidy }: Engine,
  users: number,
  progress: (text: string) => void,
): Promise<string> {
  const folder = `${cache}${kind}-${version()}-users-${users}`
  if (existsSync(folder)) return folder
  progress(`making a ${serverTitles[kind]} database of ${users.toLocaleString('en')} users, once`)
  const server = await start()
  await server.run(`CREATE DATABASE ${FILLED}`)
  await fill(server.url(FILLED), users)
  for (const statement of tidy) await server.run(statement, FILLED)
  await server.stop()
  mkdirSync(cache, { recursive: true })
  rmSync(`${folder}.making`, { recursive: true, force: true })
  // Kept by a copy, since servers run as another user where we are root, and may not reach this folder.
  cpSync(server.data, `${folder}.making`, { recursive: true })
  renameSync(`${folder}.making`, folder)
  await server.remove()
  return folder
}
