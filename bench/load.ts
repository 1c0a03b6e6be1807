// Runs a load generator: wrk if it is installed, and client.ts otherwise.

import { join } from 'node:path'
import type { ClientResult, Load, LoadResult } from './client.ts'
import { findProgram, run } from './processes.ts'

const wrk = findProgram('wrk')
export const generatorName = wrk === null ? 'own client' : 'wrk'

/** Sends the next request of a connection as soon as the server has answered. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const [kind] = load.kinds
  if (wrk === null || kind === undefined) return runClient(load)
  const { port, connections, seconds, seed, values } = load
  const { before, between, after, count } = kind
  const script = join(import.meta.dirname, 'wrk.lua')
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script]
  const words = [values, String(count), String(seed), before, between, after]
  const output = await run(wrk, ...options, `http://127.0.0.1:${port}`, '--', ...words)
  const result = /^RESULT (.*)$/m.exec(output)?.[1]
  if (result === undefined) throw new Error(`wrk did not report: ${output}`)
  return JSON.parse(result)
}

export async function runClient(load: Load): Promise<ClientResult> {
  return JSON.parse(await run(process.execPath, join(import.meta.dirname, 'client.ts'), JSON.stringify(load)))
}
