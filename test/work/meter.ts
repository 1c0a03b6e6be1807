// What a request costs a gateway, in its own process.

import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { exchange } from '../http/raw.ts'
import { figure } from '../kit/figures.ts'
import type { GatewayProcess } from '../kit/gateway-process.ts'

/**
 * Milliseconds of processor time that a request may take. Beside other programs, the same work takes up to
 * twice as much.
 */
export const BOUND_MS = figure(100, 50)
/** Uses of each request: some queries are compiled after a while. */
const USES = 4

/** A request, which holds the nonce where it can be told apart from others by it. */
export type Hostile = (nonce: string) => string

/** Milliseconds of processor time that one use of a request takes. @throws where the gateway fails */
async function measure(gateway: GatewayProcess, request: string): Promise<number> {
  const before = processorTime(gateway.pid)
  const { status } = await exchange(gateway.url, request, 60_000)
  if (status >= 500) throw new Error(`status ${status} for ${request.slice(0, 2_000)}`)
  // What the answer leaves to do belongs to it.
  await pause(1)
  return processorTime(gateway.pid) - before
}

/** Milliseconds of processor time that the dearest use of a request takes. */
export async function costOf(gateway: GatewayProcess, hostile: Hostile): Promise<number> {
  const nonce = String(randomInt(10_000, 100_000))
  let most = 0
  for (let use = 1; use <= USES; use++) most = Math.max(most, await measure(gateway, hostile(nonce)))
  return most
}

/** The same, again where it is too much: a collection of garbage may have come between. */
export async function steadyCostOf(gateway: GatewayProcess, hostile: Hostile): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 1; attempt <= 4 && least > BOUND_MS / 2; attempt++)
    least = Math.min(least, await costOf(gateway, hostile))
  return least
}

/** Milliseconds of processor time that all threads of a process have had so far. */
export function processorTime(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [running = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
      nanoseconds += Number(running)
    } catch {
      // It has just ended.
    }
  }
  return nanoseconds / 1e6
}

/** MiB of memory that a process has resident. */
export function residentMemory(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return Number(kilobytes) / 1024
}
