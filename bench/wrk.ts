// wrk as the load generator: one thread, 16 connections where the workload says nothing else, the requests of
// load/requests.lua.

import { fileURLToPath } from 'node:url'
import { type ClientRequest, clients } from './clients.ts'
import { type LegacyClient, legacyClients } from './legacy-clients.ts'
import { type Command, run } from './processes.ts'
import type { Format, Workload } from './workloads.ts'

export interface Load {
  readonly workload: Workload
  readonly format: Format
  readonly users: number
  readonly seconds: number
  /** The same seed makes the same requests. */
  readonly seed: number
  readonly cores: string
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** Latencies in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Connections that failed, and answers that were not 2xx. */
  readonly errors: number
}

const script = fileURLToPath(new URL('load/requests.lua', import.meta.url))

export async function runLoad(
  url: string,
  { workload, format, users, seconds, seed, cores }: Load,
): Promise<LoadResult> {
  const { ids, hot, connections = 16, acceptEncoding = 'identity' } = workload
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, url]
  const asked = [format, ids, users, hot, seed, acceptEncoding, ...recorded(workload)].map(String)
  const wrk: Command = { file: 'taskset', args: ['-c', cores, 'wrk', ...options, '--', ...asked] }
  const output = await run(wrk, '.')
  const result = /^RESULT (.*)$/m.exec(output)?.[1]
  if (result === undefined) throw new Error(`wrk did not report: ${output}`)
  return JSON.parse(result)
}

/** A client's request for load/requests.lua: lines of headers, and for GraphQL method, target and body. */
function recorded({ client, legacyClient }: Workload): readonly string[] {
  if (legacyClient !== undefined) {
    const { headers }: LegacyClient = legacyClients[legacyClient]
    return [linesOf(headers)]
  }
  if (client === undefined) return []
  const { method, target, headers, body }: ClientRequest = clients[client]
  return [linesOf(headers), method, target, body]
}

/** Names and values in turn, as lines. */
function linesOf(headers: readonly string[]): string {
  return headers.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
}
