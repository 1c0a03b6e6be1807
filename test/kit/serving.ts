import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { type Log, readLog } from './log.ts'
import { listenOn } from './proxy.ts'
import { type Outcome, outcomeOf, type ProcessOptions, startLookup } from './run-lookup.ts'

export interface Serving {
  /** The addresses and other facts of the welcome text, by their labels. */
  readonly shown: Readonly<Record<string, string>>
  /** The origins of the two ports; the second is empty without an admin port. */
  readonly url: string
  readonly admin: string
  readonly log: Log
  readonly process: ChildProcessWithoutNullStreams
  /** Sends a signal and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Outcome>
}

/** A gateway that may not have written its welcome text yet. */
interface Starting extends Omit<Serving, 'shown' | 'url' | 'admin'> {
  /** Rejects with the text of stderr if the process ends before. */
  readonly shown: Promise<Serving['shown']>
}

/** The welcome text is complete. */
export const welcomeEnd = /^ {2}Data .*\n\n/m

/** The addresses and other facts of a welcome text, by their labels. */
export function readWelcome(text: string): Serving['shown'] {
  const rows = text.matchAll(/^ {2}(\w+(?: \w+)?) +(\S.*)$/gm)
  return Object.fromEntries([...rows].map(([, label = '', value = '']) => [label, value]))
}

/** Starts `lookup serve` on free ports and waits for its welcome text; the end of the test ends it. */
export async function serve(options: ProcessOptions, ...flags: string[]): Promise<Serving> {
  const starting = startServing(options, ...flags)
  const shown = await starting.shown
  const admin = shown.Readiness === undefined ? '' : originOf(shown.Readiness)
  return { ...starting, shown, url: originOf(shown['Legacy JSON']), admin }
}

/** Starts `lookup serve`, without waiting for its welcome text. */
export function startServing({ env = {}, ...rest }: ProcessOptions, ...flags: string[]): Starting {
  const options = { ...rest, env: { PORT: '0', ADMIN_PORT: '0', ...env } }
  const child = startLookup(['serve', ...flags], options)
  const outcome = outcomeOf(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await outcome.catch(() => {})
  })
  const shown = welcomeOf(child, outcome)
  const stop: Serving['stop'] = (signal = 'SIGTERM') => {
    child.kill(signal)
    return outcome
  }
  return { shown, log: readLog(child.stderr), process: child, stop }
}

/** Waits for the welcome text. Rejects with the text of stderr if the process ends before. */
export async function welcomeOf(
  { stdout }: ChildProcessWithoutNullStreams,
  outcome: Promise<Outcome>,
): Promise<Serving['shown']> {
  let welcome = ''
  await new Promise<void>((resolve, reject) => {
    stdout.on('data', (data) => {
      welcome += data
      if (welcomeEnd.test(welcome)) resolve()
    })
    outcome.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
  return readWelcome(welcome)
}

/**
 * The origin of an address that the welcome text shows, by number: a name would be looked up, as IPv6 first
 * perhaps.
 */
export function originOf(address: string | undefined): string {
  return new URL(address ?? '').origin.replace('localhost', '127.0.0.1')
}

/** Holds a port of 127.0.0.1; 0 takes a free one. A port that another process holds is as good. */
export async function holdPort(wanted = 0): Promise<{ port: number; release: () => void }> {
  const server = createServer()
  const port = await listenOn(server, wanted).catch(() => wanted)
  return { port, release: () => server.close() }
}
