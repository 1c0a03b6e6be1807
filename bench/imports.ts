// The same users into SQLite by the gateway and by the sqlite3 shell, and the files that imports read.

import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import Papa from 'papaparse'
import { usernameKey } from '../src/model.ts'
import { cache, gatewayEntry } from './databases.ts'
import { generate } from './generate.ts'
import { type Command, run } from './processes.ts'
import { alternating } from './statistics.ts'
import type { Timing } from './timings.ts'

type Progress = (text: string) => void

/** Imports the same users by the gateway and by the sqlite3 shell, into fresh files. */
export async function timeImports(users: number, rounds: number, progress: Progress): Promise<Timing> {
  const files = await provideFiles(users, progress)
  const ours = importByGateway(files.ours)
  const theirs = importBySqlite3(files.theirs)
  const timing = {
    ours: [] as number[],
    theirs: [] as number[],
    cpu: { ours: [] as number[], theirs: [] as number[] },
  }
  for (let round = 1; round <= rounds; round++) {
    for (const side of alternating(['ours', 'theirs'] as const, round)) {
      const { file, command } = side === 'ours' ? ours : theirs
      remove(file)
      const { wall, cpu } = await timed(command)
      progress(
        `round ${round} of ${rounds}: import by ${side === 'ours' ? 'the gateway' : 'sqlite3'} ${wall.toFixed(2)} s`,
      )
      timing[side].push(wall)
      timing.cpu[side].push(cpu)
    }
  }
  compareTables(ours.file, theirs.file)
  remove(ours.file)
  remove(theirs.file)
  return timing
}

interface Import {
  readonly file: string
  readonly command: Command
}

function importByGateway(csv: string): Import {
  const file = `${cache}import-gateway.db`
  const args = [gatewayEntry, 'import', 'users', csv]
  return {
    file,
    command: { file: process.execPath, args, environment: { DATABASE_URL: `sqlite:${file}` } },
  }
}

function importBySqlite3(csv: string): Import {
  const file = `${cache}import-sqlite3.db`
  const schema = readFileSync(new URL('../schema/sqlite.sql', import.meta.url), 'utf8').replace(/--.*$/gm, '')
  const statements = schema.split(';').filter((statement) => /\b(?:EXISTS|ON) users\b/.test(statement))
  const [table = '', ...indexes] = statements.map((statement) => statement.trim())
  // Indexes after the rows, as the gateway makes them: into live ones it would take several times as long.
  return {
    file,
    command: { file: 'sqlite3', args: [file, table, '.mode csv', `.import ${csv} users`, ...indexes] },
  }
}

/**
 * Two files of the same users. Others than the gateway cannot work out a username's key, and the sqlite3
 * shell can neither read `true` nor tell an empty text from none: their file has the keys and 0 and 1, and
 * every user has a chatId in both.
 */
export async function provideFiles(
  users: number,
  progress: Progress,
): Promise<{ ours: string; theirs: string }> {
  const files = { ours: `${cache}import-${users}.csv`, theirs: `${cache}import-${users}-with-keys.csv` }
  if (existsSync(files.ours) && existsSync(files.theirs)) return files
  progress('making the files to import, once')
  const [ours, theirs] = [
    createWriteStream(`${files.ours}.making`),
    createWriteStream(`${files.theirs}.making`),
  ]
  let header = true
  for (const line of generate('users', users)) {
    const [id = '', username = '', chatId, name, rank, joined, confirmed, banned] = cells(line)
    const chat = chatId || `none${id}`
    const rest = [chat, name, rank, joined]
    const drained = [ours.write(header ? line : csv([id, username, ...rest, confirmed, banned]))]
    const flags = [confirmed, banned].map((flag) => (flag === 'true' ? '1' : '0'))
    if (!header) drained.push(theirs.write(csv([id, username, usernameKey(username), ...rest, ...flags])))
    header = false
    if (!drained[0]) await once(ours, 'drain')
    if (theirs.writableNeedDrain) await once(theirs, 'drain')
  }
  for (const stream of [ours, theirs]) {
    stream.end()
    await once(stream, 'close')
  }
  renameSync(`${files.ours}.making`, files.ours)
  renameSync(`${files.theirs}.making`, files.theirs)
  return files
}

const cells = (line: string): string[] => Papa.parse<string[]>(line.slice(0, -1)).data[0] ?? []
const csv = (row: readonly (string | undefined)[]): string => `${Papa.unparse([row])}\n`

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}

/** Wall and processor time in seconds, by the shell's own clock. */
export async function timed({
  file,
  args,
  environment: extra,
}: Command): Promise<{ wall: number; cpu: number }> {
  const script = 'TIMEFORMAT="%R %U %S"; { time "$@" 2>/dev/null >/dev/null; } 2>&1'
  const output = await run(
    { file: 'bash', args: ['-c', script, 'bash', file, ...args], ...(extra && { environment: extra }) },
    cache,
  )
  const [wall = 0, user = 0, system = 0] = output.trim().split(' ').map(Number)
  return { wall, cpu: user + system }
}

function compareTables(...files: readonly string[]): void {
  const sums = files.map((file) => {
    const database = new DatabaseSync(file, { readOnly: true })
    const row = database
      .prepare(
        `SELECT count(*) AS users, sum(id) AS ids, sum(length(username)) AS names, sum(length(username_key)) AS keys,
                sum(length(display_name)) AS shown, sum(length(chat_id)) AS chats, sum(rank) AS ranks,
                sum(join_date) AS dates, sum(is_confirmed) AS confirmed, sum(banned) AS banned FROM users`,
      )
      .get()
    database.close()
    return JSON.stringify(row)
  })
  if (new Set(sums).size !== 1) throw new Error(`the imports differ: ${sums.join(' and ')}`)
}
