// Starts servers, each on one core, and reads their CPU time from /proc.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

export { freePort } from '../test/kit/postgres/server.ts'

/** A program to run. Its environment has only the variables that are named here, PATH and HOME. */
export interface Program {
  readonly argv: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

export interface Server {
  /** Seconds of CPU time that all its processes have used. */
  readonly cpu: () => number
  readonly stop: () => Promise<void>
}

/** Linux counts the CPU time of processes in hundredths of a second. */
const TICKS = 100
/** Debian has nginx and PHP-FPM in a folder which the PATH of a user may lack. */
const PATH = `${process.env.PATH}:/usr/sbin`
const STARTING_MS = 30_000
const STOPPING_MS = 12_000

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim()

/** @param name may be a pattern: Debian has versions in some names */
export function findProgram(name: string): string | null {
  return PATH.split(':').flatMap((folder) => globSync(`${folder}/${name}`))[0] ?? null
}

const taskset = availableParallelism() > 1 ? findProgram('taskset') : null

/** Moves this process, and all that it starts but servers, to the second core. */
export function leaveServerCore(): void {
  if (taskset === null) return
  execFileSync(taskset, ['--all-tasks', '--cpu-list', '--pid', '1', String(process.pid)], { stdio: 'ignore' })
}

function start({ argv: [file = '', ...args], environment }: Program) {
  const env = { PATH, HOME: process.env.HOME, ...environment }
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (output.stdout += chunk))
  child.stderr.on('data', (chunk) => (output.stderr += chunk))
  running.add(child)
  const ended = once(child, 'close').finally(() => running.delete(child))
  return { child, output, ended }
}

/** Runs a program to its end. @returns what it printed */
export async function run(...argv: readonly string[]): Promise<string> {
  const { output, ended } = start({ argv })
  const [code] = await ended
  if (code !== 0) throw new Error(`${argv[0]} ended with ${code}: ${output.stderr.slice(-2000)}`)
  return output.stdout
}

/** Starts the programs of a server, and waits until the server answers. */
export async function startServer(programs: readonly Program[], port: number): Promise<Server> {
  const pinned = taskset === null ? [] : [taskset, '-c', '0']
  const started = programs.map(({ argv, ...others }) => start({ argv: [...pinned, ...argv], ...others }))
  const stop = async () => {
    for (const { child } of started) child.kill('SIGTERM')
    const force = setTimeout(() => started.map(({ child }) => child.kill('SIGKILL')), STOPPING_MS)
    await Promise.allSettled(started.map(({ ended }) => ended))
    clearTimeout(force)
  }
  for (const last = Date.now() + STARTING_MS; !(await isAnswering(port)); await pause(50)) {
    if (Date.now() < last && started.every(({ child }) => running.has(child))) continue
    await stop()
    throw new Error(
      `it did not start: ${started
        .map(({ output }) => output.stderr)
        .join('')
        .slice(0, 2000)}`,
    )
  }
  const cpu = () => started.reduce((sum, { child }) => sum + cpuOfFamily(child.pid ?? 0), 0)
  return { cpu, stop }
}

/** A GraphQL server responds with 404 to a legacy request, and nginx with 502 while PHP is starting. */
async function isAnswering(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/?Event=ProfileLookup&Users=1`).catch(() => null)
  await response?.arrayBuffer()
  return response !== null && response.status < 500
}

/** Seconds of CPU time of a process and all its descendants, including those that have ended. */
export function cpuOfFamily(root: number): number {
  const stats = new Map(readdirSync('/proc').map((pid) => [Number(pid), statOf(pid)]))
  const family = [root]
  for (const parent of family)
    for (const [pid, [, ppid]] of stats) if (Number(ppid) === parent) family.push(pid)
  // Of each process utime and stime, and both of its children that have ended.
  const ticks = family.flatMap((pid) => stats.get(pid)?.slice(11, 15) ?? [])
  return ticks.reduce((sum, each) => sum + Number(each), 0) / TICKS
}

/** The fields of /proc/PID/stat after the name, which may contain spaces and parentheses. */
function statOf(pid: string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
