// The data: made once per size by generate.ts and the gateway's own import, and kept in .cache.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { environment } from './processes.ts'

export const cache = fileURLToPath(new URL('.cache/', import.meta.url))
export const gatewayEntry = fileURLToPath(new URL('../src/lookup.js', import.meta.url))
const generator = fileURLToPath(new URL('generate.ts', import.meta.url))

/** @returns the path of a database with so many users */
export async function provideDatabase(users: number, progress: (text: string) => void): Promise<string> {
  const path = `${cache}users-${users}.db`
  if (existsSync(path)) return path
  progress(`making a database of ${users.toLocaleString('en')} users, once`)
  mkdirSync(cache, { recursive: true })
  const making = `${path}.making`
  for (const file of [making, `${making}-wal`, `${making}-shm`]) rmSync(file, { force: true })
  await fill(`sqlite:${making}`, users)
  renameSync(making, path)
  return path
}

/** Imports so many users into an empty database. */
export async function fill(url: string, users: number): Promise<void> {
  const rows = spawn(process.execPath, [generator, 'users', String(users)], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const importing = spawn(process.execPath, [gatewayEntry, 'import', 'users', '-', '--format', 'csv'], {
    env: environment({ DATABASE_URL: url }),
    cwd: cache,
    stdio: [rows.stdout, 'ignore', 'ignore'],
  })
  const [code] = await once(importing, 'exit')
  if (code !== 0) throw new Error('the import failed')
}

/** Brings a file into the system's page cache: what is measured is the gateway, not the disk. */
export async function readThrough(path: string): Promise<void> {
  for await (const _chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }));
}
