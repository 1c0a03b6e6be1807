// Starts of the gateway, against starts of Node with nothing to do.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { contenders } from './contenders.ts'
import { cache } from './databases.ts'
import { type Command, environment, freePort } from './processes.ts'
import { alternating } from './statistics.ts'
import type { Timing } from './timings.ts'

/** Starts the gateway until its first legacy answer, and Node with nothing to do until its end. */
export async function timeStarts(
  database: string,
  times: number,
  progress: (text: string) => void,
): Promise<Timing> {
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
