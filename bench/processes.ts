// Starts servers, and reads from /proc what they cost.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** A program to run. Its environment is only what is named here and where programs are found. */
export interface Command {
  readonly file: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

export interface Server {
  readonly url: string
  /** Seconds of processor time that all its processes have used. */
  readonly cpu: () => number
  /** The most memory it has held, in MiB, added up over its processes. */
  readonly peakMemory: () => number
  readonly stop: () => Promise<void>
}

/** Linux counts the processor time of processes in hundredths of a second. */
const TICKS = 100

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim()

/** A plain environment: nothing that is set here for something else may steer what is measured. */
export function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: process.env.HOME ?? '/', ...extra }
}

/** Starts the processes of a server on some cores, and waits until it answers. */
export async function startServer(
  commands: readonly Command[],
  { url, cores, folder }: { url: string; cores: string; folder: string },
): Promise<Server> {
  const noise: string[] = []
  const children = commands.map((command) => {
    const child = spawn('taskset', ['-c', cores, command.file, ...command.args], {
      env: environment(command.environment),
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (chunk: Buffer) => noise.length < 20 && noise.push(String(chunk)))
    child.once('error', (error) => noise.push(String(error)))
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  })
  const stop = async () => {
    await Promise.all(children.map(end))
  }
  try {
    await answering(url, children)
  } catch (error) {
    await stop()
    throw new Error(`${messageOf(error)} ${noise.join('').slice(0, 2000)}`)
  }
  return {
    url,
    cpu: () => sum(children, (child) => cpuOfFamily(child.pid ?? 0)),
    peakMemory: () => sum(children, (child) => sum(familyOf(child.pid ?? 0), peakOf)),
    stop,
  }
}

async function answering(url: string, children: readonly ChildProcess[]): Promise<void> {
  const target = `${url}/?Event=ProfileLookup&Users=1`
  for (let attempt = 0; attempt < 400; attempt++) {
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error('It ended before it answered.')
    const status = await fetch(target).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 503,
    )
    // A GraphQL server knows no legacy lookup, and 502 is nginx waiting for PHP.
    if (status < 500) return
    await wait(50)
  }
  throw new Error('It did not answer within 20 s.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 12_000)
  await exited
  clearTimeout(force)
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

/** A process and all its descendants. */
export function familyOf(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const parent = Number(statOf(Number(entry))[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const family = [root]
  for (const pid of family) family.push(...(children.get(pid) ?? []))
  return family
}

/**
 * Seconds of processor time that a process and all its descendants have used, those that have ended included.
 */
export function cpuOfFamily(root: number): number {
  const family = familyOf(root)
  const seconds = sum(family, cpuOf)
  // Of one that ended meanwhile, the time may have been counted twice or not at all.
  return isDeepStrictEqual(family, familyOf(root)) ? seconds : cpuOfFamily(root)
}

/**
 * Seconds of processor time: its own, for users and for the system, and that of its children that have ended.
 */
export function cpuOf(pid: number): number {
  return sum(statOf(pid).slice(11, 15), Number) / TICKS
}

/**
 * The fields of /proc/PID/stat after the name, which may hold spaces and parentheses; none where it has
 * ended.
 */
function statOf(pid: number): string[] {
  const text = readProc(pid, 'stat')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** Seconds a core has been busy, for whomever, or taken away by the machine around it. */
export function busyTime(core: number): number {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0, stolen = 0] = line
    .split(' ')
    .map(Number)
  return (user + nice + system + interrupts + soft + stolen) / TICKS
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Runs a program to its end. @throws what it printed on stderr, where it fails */
export async function run({ file, args, environment: extra }: Command, cwd: string): Promise<string> {
  const child = spawn(file, args, { env: environment(extra), cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk))
  const [code] = await once(child, 'close')
  running.delete(child)
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${errors.slice(-2000)}`)
  return output
}
