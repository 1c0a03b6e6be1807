// Starts of the gateway, against starts of Node with nothing to do.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { contenders } from './contenders.ts'
import { cache } from './databases.ts'
import { type Command, environment, freePort, run } from './processes.ts'
import { alternating } from './statistics.ts'
import type { Timing } from './timings.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The bundle, as the package and the image run it, and the sources; with Node's compile cache and without.
 */
export const starts = {
  start: { title: 'start to first answer', folder: 'dist', cached: true },
  startUncached: { title: 'the same without a compile cache', folder: 'dist', cached: false },
  startSources: { title: 'the same by the sources', folder: 'src', cached: true },
  startSourcesUncached: {
    title: 'the same by the sources, without a compile cache',
    folder: 'src',
    cached: false,
  },
} as const
export type StartName = keyof typeof starts
export const startNames = ['start', 'startUncached', 'startSources', 'startSourcesUncached'] as const

/**
 * Starts the gateway in each way until its first legacy answer, and Node with nothing to do until its end.
 */
export async function timeStarts(
  database: string,
  times: number,
  progress: (text: string) => void,
): Promise<Record<StartName, Timing>> {
  await run({ file: 'npm', args: ['run', 'build'] }, root)
  const seconds = Object.fromEntries([...startNames, 'nothing'].map((name) => [name, [] as number[]]))
  // The first start compiles the modules, and every later one finds them compiled: it does not count.
  for (let round = 0; round <= times; round++) {
    for (const name of alternating([...startNames, 'nothing'] as const, round)) {
      const taken = name === 'nothing' ? await startNothing() : await startGateway(name, database)
      if (round > 0) seconds[name]?.push(taken)
    }
  }
  progress(`${times} starts of the gateway in four ways, and of node -e 0`)
  const against = (name: StartName): Timing => ({ ours: seconds[name] ?? [], theirs: seconds.nothing ?? [] })
  return {
    start: against('start'),
    startUncached: against('startUncached'),
    startSources: against('startSources'),
    startSourcesUncached: against('startSourcesUncached'),
  }
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

async function startGateway(name: StartName, database: string): Promise<number> {
  const { folder, cached } = starts[name]
  const port = await freePort()
  const [command] = contenders.gateway.commands({ port, database, folder: cache, bodyLength: 0 })
  if (command === undefined) throw new Error('the gateway has no command')
  const args = command.args.map((word) => word.replace(`${root}src/`, `${root}${folder}/`))
  const compiled = cached ? { NODE_COMPILE_CACHE: `${cache}compiled` } : { NODE_DISABLE_COMPILE_CACHE: '1' }
  const { child, exited, seconds } = launch({
    ...command,
    args,
    environment: { ...command.environment, ...compiled },
  })
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
