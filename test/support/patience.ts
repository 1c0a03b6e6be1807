// "No hang over a second", measured so that a busy machine is not taken for a hanging gateway: whoever is slow is asked
// the same again, alone, as a gateway that has not heard it yet.

import { expect } from 'vitest'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'

/** Milliseconds. */
const LIMIT = 1000
/** How long an answer is waited for at all. */
const END = 10 * LIMIT
/** Which share of all exchanges a machine may make slow: when it pauses, all those under way are. */
const PAUSES = 0.005

type Exchange = (url: string) => Promise<unknown>

export interface Patience {
  /** Times an exchange with the gateway. Rejects where it never ends. */
  readonly time: <T>(what: string, exchange: (url: string) => Promise<T>) => Promise<T>
  /** Asks again what was slow, and fails where it is slow again. @returns what to report */
  readonly settle: () => Promise<string>
}

export function createPatience(gateway: GatewayProcess): Patience {
  const slow: { what: string; exchange: Exchange }[] = []
  let count = 0
  let slowest = 0

  async function settle(): Promise<string> {
    expect(slow.length, 'slow exchanges').toBeLessThan(50 + PAUSES * count)
    const fresh = slow.length === 0 ? null : await startGatewayProcess(gateway.settings, gateway.data)
    try {
      for (const { what, exchange } of slow) {
        const [, took] = await timed(what, () => exchange(fresh?.url ?? gateway.url))
        expect(took, `slow twice: ${what}`).toBeLessThan(LIMIT)
      }
    } finally {
      await fresh?.close()
    }
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
