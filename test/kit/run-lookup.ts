// The command line: as a function in this process, or as a process of its own.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { main } from '../../src/cli.ts'
import type { Clock } from '../../src/clock.ts'
import type { Terminal } from '../../src/terminal/terminal.ts'

/** The program that a user of the command line starts. */
export const entry = new URL('../../src/lookup.js', import.meta.url).pathname

export interface RunOptions {
  /** The folder it runs in, where it finds `lookup.db` and `.env`. */
  readonly cwd: string
  /** The whole environment but for PATH: the settings of the user who runs the tests do not count. */
  readonly env?: Readonly<Record<string, string>>
  /** Interrupts it. */
  readonly signal?: AbortSignal
  /** The clock of its pauses. */
  readonly clock?: Clock
}

export interface ProcessOptions extends Omit<RunOptions, 'signal' | 'clock'> {
  /** The file that is started, where it is not the repository's. */
  readonly entry?: string
  /** Flags for Node itself. */
  readonly nodeFlags?: readonly string[]
  /** Shell commands before it, which mount something: in a mount namespace of its own. */
  readonly mount?: string
  /** Milliseconds until it is killed, because it should have ended long ago. */
  readonly timeout?: number
}

export interface Outcome {
  /** The exit status, or the signal that ended it. */
  readonly status: number | NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts `lookup …` as a process of its own. */
export function startLookup(
  args: readonly string[],
  options: ProcessOptions,
): ChildProcessWithoutNullStreams {
  const { cwd, env = {}, nodeFlags = [], mount, timeout = 60_000 } = options
  const command = [process.execPath, ...nodeFlags, options.entry ?? entry, ...args]
  const [program = '', ...rest] =
    mount === undefined ? command : ['unshare', '-m', 'sh', '-c', `${mount} && exec "$@"`, 'sh', ...command]
  return spawn(program, rest, {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    timeout,
    killSignal: 'SIGKILL',
  })
}

/** What it wrote, and how it ended. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code, signal] = await ended
  return { status: code ?? signal, stdout, stderr }
}

/** Runs `lookup …` to its end as a process of its own: for exit statuses, signals and pipes. */
export function runProcess(
  args: readonly string[],
  options: ProcessOptions,
  input: string | Buffer = '',
): Promise<Outcome> {
  const child = startLookup(args, options)
  // A command that ends without reading its input closes the pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return outcomeOf(child)
}

/** A stream that keeps the text written to it. */
export class TextStream extends Writable {
  text = ''
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8')
    this.emit('text')
    done()
  }
  async untilText(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text)) await once(this, 'text')
  }
}

/** A command leaves the process in its folder, which a test removes. */
const home = process.cwd()

/** A gateway that cannot start leaves listeners for these signals: they would keep the worker alive. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `lookup …` to its end in this process. */
export async function runLookup(
  args: readonly string[],
  { cwd, env = {}, signal = new AbortController().signal, clock }: RunOptions,
  input: string | Buffer | Readable = '',
): Promise<Outcome> {
  const [stdout, stderr] = [new TextStream(), new TextStream()]
  const stdin = input instanceof Readable ? input : Readable.from([Buffer.from(input)])
  const terminal: Terminal = { stdin, stdout, stderr, env, cwd, signal, clock }
  const listeners = new Set(signals.flatMap((name) => process.listeners(name)))
  try {
    const status = await main(args, terminal)
    return { status, stdout: stdout.text, stderr: stderr.text }
  } finally {
    process.chdir(home)
    for (const name of signals)
      for (const listener of process.listeners(name))
        if (!listeners.has(listener)) process.off(name, listener)
  }
}
