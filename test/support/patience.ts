// "No hang over a second", measured so that a busy machine is not taken for a hanging gateway: what was slow is asked
// again, alone, of a gateway that has not heard it yet.

import { expect } from 'vitest'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'

/** Milliseconds. */
const LIMIT = 1000
/** How long an answer is waited for at all. */
const END = 10 * LIMIT
/** Which share of all exchanges a machine may make slow: when it pauses, all those under way are. */
const PAUSES = 0.005

/** How often it is asked again. */
const ATTEMPTS = 3

interface Timed {
  readonly what: string
  readonly exchange: (url: string) => Promise<unknown>
}

export interface Patience {
  /** Times an exchange with the gateway. Rejects where it never ends. */
  readonly time: <T>(what: string, exchange: (url: string) => Promise<T>) => Promise<T>
  /** Asks again what was slow, and fails where it is slow again. @returns what to report */
  readonly settle: () => Promise<string>
}

export function createPatience(gateway: GatewayProcess): Patience {
  const slow: Timed[] = []
  let count = 0
  let slowest = 0

  async function settle(): Promise<string> {
    expect(slow.length, 'slow exchanges').toBeLessThan(50 + PAUSES * count)
    let left: readonly Timed[] = slow
    for (let attempt = 0; left.length > 0 && attempt < ATTEMPTS; attempt++)
      left = await askAgain(left, gateway)
    expect(left.map(({ what }) => what)).toEqual([])
    const again = slow.length === 0 ? '' : `, ${slow.length} asked again`
    return `slowest ${Math.round(slowest)} ms${again}`
  }

  async function time<T>(what: string, exchange: (url: string) => Promise<T>): Promise<T> {
    const [result, took] = await timed(what, () => exchange(gateway.url))
    count++
    slowest = Math.max(slowest, took)
    if (took >= LIMIT) slow.push({ what: what.slice(0, 2000), exchange })
    return result
  }

  return { time, settle }
}

/** @returns what is slow again */
async function askAgain(
  slow: readonly Timed[],
  { settings, data }: GatewayProcess,
): Promise<readonly Timed[]> {
  const fresh = await startGatewayProcess(settings, data)
  const still: Timed[] = []
  try {
    for (const one of slow) {
      const [, took] = await timed(one.what, () => one.exchange(fresh.url))
      if (took >= LIMIT) still.push(one)
    }
  } finally {
    await fresh.close()
  }
  return still
}

async function timed<T>(what: string, run: () => Promise<T>): Promise<[result: T, took: number]> {
  const started = performance.now()
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${END} ms: ${what}`)), END)
  })
  try {
    return [await Promise.race([run(), over]), performance.now() - started]
  } finally {
    clearTimeout(timer)
  }
}
