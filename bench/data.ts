// The data: a SQLite file for each number of users, made once and outside the repository, and a PostgreSQL
// server for one run.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { unpackPrograms } from '../test/kit/postgres/programs.ts'
import { PostgresServer } from '../test/kit/postgres/server.ts'
import { createRandom, generate } from './generate.ts'
import { cpuOfFamily, leaveServerCore } from './processes.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'lookup-bench')
/** Far more than the gateway remembers: it keeps the responses to queries that come again. */
const VALUES = 300_000

/** @returns the path of a SQLite file with so many users and as many apps; makes it if it is missing */
export async function provideFile(count: number): Promise<string> {
  const path = join(cache, `users-${count}.db`)
  if (existsSync(path)) return path
  process.stderr.write(`Making ${path}, once:\n`)
  mkdirSync(cache, { recursive: true })
  const making = `${path}.making`
  for (const file of [making, `${making}-wal`, `${making}-shm`]) rmSync(file, { force: true })
  await fill(`sqlite:${making}`, 'users', count)
  await fill(`sqlite:${making}`, 'apps', count)
  renameSync(making, path)
  return path
}

/** Runs the gateway's own import, which shows its progress. */
async function fill(url: string, name: 'users' | 'apps', count: number): Promise<void> {
  const args = [join(root, 'src/lookup.js'), 'import', name, '-', '--format', 'csv']
  const env = { PATH: process.env.PATH, DATABASE_URL: url }
  const importing = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(importing, 'exit')
  // If the import fails, its exit code says so, and not the broken pipe.
  await pipeline(Readable.from(chunksOf(generate(name, count))), importing.stdin).catch(() => {})
  const [code] = await ended
  if (code !== 0) throw new Error(`The import of ${name} failed.`)
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < 64 * 1024) continue
    yield text
    text = ''
  }
  yield text
}

export type Stores = Awaited<ReturnType<typeof openStores>>

/** Opens the stores of a run. */
export async function openStores(users: number, needsPostgres: boolean) {
  const path = await provideFile(users)
  leaveServerCore()
  const folder = mkdtempSync(join(tmpdir(), 'lookup-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const writeValues = (name: string, list: readonly string[]) => {
    writeFileSync(join(folder, name), `${list.join('\n')}\n`)
    return { list, path: join(folder, name) }
  }
  // All ids have as many digits as the highest one, so that the length of a request is a constant.
  const digits = String(users - 1).length
  const lowest = 10 ** (digits - 1)
  const { next } = createRandom(1)
  const ids = Array.from({ length: VALUES }, () => lowest + next(users - lowest))
  const database = new DatabaseSync(path, { readOnly: true })
  const find = database.prepare('SELECT username FROM users WHERE id = ?')
  const usernames = ids.map((id) => encodeURIComponent(String(find.get(id)?.username)))
  database.close()
  const values = { ids: writeValues('ids', ids.map(String)), usernames: writeValues('usernames', usernames) }
  const postgres = needsPostgres ? await startPostgres(users) : null
  return { sqlite: `sqlite:${path}`, postgres, digits, folder, ...values }
}

/** Starts a server with so many users. It ends with this process. */
async function startPostgres(users: number) {
  process.stderr.write('Filling PostgreSQL:\n')
  const programs = unpackPrograms()
  // All users fit into memory, and no checkpoint or vacuum starts during a measurement.
  const settings = 'shared_buffers = 512MB\nmax_wal_size = 8GB\ncheckpoint_timeout = 1h\nautovacuum = off\n'
  const server = await PostgresServer.start(programs, undefined, settings)
  process.once('exit', () => rmSync(programs.home, { recursive: true, force: true, maxRetries: 5 }))
  const pid = Number.parseInt(readFileSync(join(server.folder, 'postmaster.pid'), 'utf8'), 10)
  await server.run(readFileSync(join(root, 'schema/postgres.sql'), 'utf8'))
  await fill(server.url(), 'users', users)
  await server.run('VACUUM (FREEZE, ANALYZE) users')
  return { url: server.url(), cpu: () => cpuOfFamily(pid) }
}
