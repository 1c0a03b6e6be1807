// The same users into PostgreSQL by the gateway and by psql, each into a database of its own that has the
// tables.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { gatewayEntry } from './databases.ts'
import { provideFiles, timed } from './imports.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type Command, environment } from './processes.ts'
import { alternating } from './statistics.ts'
import type { Timing } from './timings.ts'

type Progress = (text: string) => void

const schema = fileURLToPath(new URL('../schema/postgres.sql', import.meta.url))

/** Wall time, and the processor time of both the program and the server. */
export async function timePostgresImports(
  users: number,
  rounds: number,
  progress: Progress,
): Promise<Timing> {
  const files = await provideFiles(users, progress)
  const commands = {
    ours: (url: string): Command => ({
      file: process.execPath,
      args: [gatewayEntry, 'import', 'users', files.ours],
      environment: { DATABASE_URL: url },
    }),
    // CSV has nothing but quotes to tell an empty text from none.
    theirs: (url: string) =>
      psql(url, `\\copy users FROM '${files.theirs}' WITH (FORMAT csv, FORCE_NOT_NULL (display_name))`),
  }
  const timing = {
    ours: [] as number[],
    theirs: [] as number[],
    cpu: { ours: [] as number[], theirs: [] as number[] },
  }
  const postgres = await startPostgres()
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const side of alternating(['ours', 'theirs'] as const, round)) {
        const url = await makeDatabase(postgres, side)
        const before = postgres.cpu()
        const { wall, cpu } = await timed(commands[side](url))
        timing[side].push(wall)
        timing.cpu[side].push(cpu + postgres.cpu() - before)
        progress(
          `round ${round} of ${rounds}: import into PostgreSQL by ${side === 'ours' ? 'the gateway' : 'psql'} ${wall.toFixed(2)} s`,
        )
      }
      await compareTables(postgres)
    }
  } finally {
    await postgres.stop()
  }
  return timing
}

function psql(url: string, command: string): Command {
  return { file: 'psql', args: ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url, '-c', command] }
}

/** A fresh one with empty tables; nothing of what came before is left to be written. */
async function makeDatabase(postgres: Postgres, name: string): Promise<string> {
  await postgres.run(`DROP DATABASE IF EXISTS ${name}`)
  await postgres.run(`CREATE DATABASE ${name}`)
  const url = postgres.url(name)
  const args = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url, '-f', schema]
  execFileSync('psql', args, { env: environment(), stdio: ['ignore', 'ignore', 'inherit'] })
  await postgres.run('CHECKPOINT')
  return url
}

async function compareTables(postgres: Postgres): Promise<void> {
  const [ours, theirs] = await Promise.all(
    ['ours', 'theirs'].map(async (database) =>
      String(
        await postgres.run(
          `SELECT count(*), sum(id), sum(length(username)), sum(length(username_key)), sum(length(display_name)),
             sum(length(chat_id)), sum(rank), sum(join_date), sum(is_confirmed::int), sum(banned::int) FROM users`,
          database,
        ),
      ),
    ),
  )
  if (ours !== theirs) throw new Error(`the imports differ: ${ours} and ${theirs}`)
}
