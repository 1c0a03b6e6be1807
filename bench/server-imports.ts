// The same users into a database server by the gateway and by the server's own client, each into a database of
// its own that has the tables.

import { readFileSync } from 'node:fs'
import { cpuOfServer, type DatabaseServer, type Engine } from './database-server.ts'
import { gatewayEntry } from './databases.ts'
import { provideFiles, timed } from './imports.ts'
import type { Command } from './processes.ts'
import { alternating } from './statistics.ts'
import type { Timing } from './timings.ts'
import { serverTitles } from './workloads.ts'

type Progress = (text: string) => void

/** Wall time, and the processor time of both the program and the server. */
export async function timeServerImports(
  engine: Engine,
  users: number,
  rounds: number,
  progress: Progress,
): Promise<Timing> {
  const files = await provideFiles(users, progress)
  const { client } = engine
  const sides = {
    ours: { name: 'the gateway', command: (url: string) => importInto(url, files.ours) },
    theirs: { name: client.program, command: (url: string) => client.load(url, files.theirs) },
  }
  const timing = {
    ours: [] as number[],
    theirs: [] as number[],
    cpu: { ours: [] as number[], theirs: [] as number[] },
  }
  const server = await engine.start()
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const side of alternating(['ours', 'theirs'] as const, round)) {
        const url = await makeDatabase(server, engine, side)
        const before = cpuOfServer(server)
        const { wall, cpu } = await timed(sides[side].command(url))
        timing[side].push(wall)
        timing.cpu[side].push(cpu + cpuOfServer(server) - before)
        progress(
          `round ${round} of ${rounds}: import into ${serverTitles[engine.kind]} by ${sides[side].name} ${wall.toFixed(2)} s`,
        )
      }
      await compareTables(server)
    }
  } finally {
    await server.remove()
  }
  return timing
}

function importInto(url: string, csv: string): Command {
  const args = [gatewayEntry, 'import', 'users', csv]
  return { file: process.execPath, args, environment: { DATABASE_URL: url } }
}

/** A fresh one with empty tables; nothing of what came before is left to be written. */
async function makeDatabase(server: DatabaseServer, { schema }: Engine, name: string): Promise<string> {
  await server.run(`DROP DATABASE IF EXISTS ${name}`)
  await server.run(`CREATE DATABASE ${name}`)
  await server.run(readFileSync(schema, 'utf8'), name)
  await server.settle()
  return server.url(name)
}

async function compareTables(server: DatabaseServer): Promise<void> {
  const [ours, theirs] = await Promise.all(
    ['ours', 'theirs'].map(async (database) =>
      String(
        await server.run(
          // `rank` alone is a word of MySQL's own.
          `SELECT count(*), sum(id), sum(length(username)), sum(length(username_key)), sum(length(display_name)),
             sum(length(chat_id)), sum(users.rank), sum(join_date), sum(CASE WHEN is_confirmed THEN 1 ELSE 0 END),
             sum(CASE WHEN banned THEN 1 ELSE 0 END) FROM users`,
          database,
        ),
      ),
    ),
  )
  if (ours !== theirs) throw new Error(`the imports differ: ${ours} and ${theirs}`)
}
