// Programs that run to an end, against others that do: imports, and starts.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import Papa from 'papaparse'
import { usernameKey } from '../src/model.ts'
import { contenders } from './contenders.ts'
import { cache, gatewayEntry } from './databases.ts'
import { generate } from './generate.ts'
import { type Command, environment, freePort, run } from './processes.ts'
import { alternating } from './statistics.ts'

/** Seconds, in the order of the rounds. */
export interface Timing {
  readonly ours: number[]
  readonly theirs: number[]
  /** Processor time, where it was measured. */
  readonly cpu?: { readonly ours: number[]; readonly theirs: number[] }
}

export interface Timings {
  import?: Timing
  start?: Timing
}

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
 * Two files of the same users. The shell cannot work out a username's key, nor read `true`, nor tell an empty
 * text from none: its file has the keys and 0 and 1, and every user has a chatId in both.
 */
async function provideFiles(users: number, progress: Progress): Promise<{ ours: string; theirs: string }> {
  const files = { ours: `${cache}import-${users}.csv`, theirs: `${cache}import-${users}-sqlite3.csv` }
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
async function timed({ file, args, environment: extra }: Command): Promise<{ wall: number; cpu: number }> {
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

/** Starts the gateway until its first legacy answer, and Node with nothing to do until its end. */
export async function timeStarts(database: string, times: number, progress: Progress): Promise<Timing> {
  const timing = { ours: [] as number[], theirs: [] as number[] }
  // The first start compiles the modules, and every later one finds them compiled: it does not count.
  for (let round = 0; round <= times; round++) {
    for (const side of alternating(['ours', 'theirs'] as const, round)) {
      const seconds = side === 'ours' ? await startGateway(database) : await startNothing()
      if (round > 0) timing[side].push(seconds)
    }
  }
  progress(`${times} starts of the gateway and of node -e 0`)
  return timing
}

function launch({ file, args, environment: extra }: Command) {
  const started = performance.now()
  const child = spawn(file, args, {
    env: environment(extra),
    cwd: cache,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return { child, exited: once(child, 'exit'), seconds: () => (performance.now() - started) / 1000 }
}

async function startNothing(): Promise<number> {
  const { exited, seconds } = launch({ file: process.execPath, args: ['-e', '0'] })
  await exited
  return seconds()
}

async function startGateway(database: string): Promise<number> {
  const port = await freePort()
  const [command] = contenders.gateway.commands({ port, database, folder: cache, bodyLength: 0 })
  if (command === undefined) throw new Error('the gateway has no command')
  const { child, exited, seconds } = launch(command)
  // It says so when it listens; asking before would stand in its way.
  const said = await Promise.race([once(child.stdout, 'data'), exited.then(() => null)])
  if (said === null) throw new Error('the gateway ended before it answered')
  await firstAnswer(port)
  const result = seconds()
  child.kill('SIGTERM')
  await exited
  return result
}

/** Asks for a user. @throws where the answer is not 200 */
async function firstAnswer(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /?Event=ProfileLookup&Users=1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [chunk] = await once(socket, 'data')
  socket.destroy()
  if (!String(chunk).startsWith('HTTP/1.1 200 ')) throw new Error('the first answer is not 200')
}
