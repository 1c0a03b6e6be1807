// "No hang over a second", measured so that a busy machine is not taken for a hanging gateway: what was slow
// is asked again, alone, of the same gateway and of one that has not heard it yet.

import { expect } from 'vitest'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'

/** Milliseconds. */
const LIMIT = 1000
/** How long an answer is waited for at all. */
const END = 10 * LIMIT
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
  let slowest = 0

  async function settle(): Promise<string> {
    let left: readonly Timed[] = slow
    for (let attempt = 0; left.length > 0 && attempt < ATTEMPTS; attempt++) {
      const fresh = await startGatewayProcess(gateway.settings, gateway.data)
      left = await stillSlow(left, [gateway.url, fresh.url]).finally(fresh.close)
    }
    expect(left.map(({ what }) => what)).toEqual([])
    const again = slow.length === 0 ? '' : ` (${slow.length} were asked again, and quick)`
    return `slowest ${Math.round(slowest)} ms${again}`
  }

  async function time<T>(what: string, exchange: (url: string) => Promise<T>): Promise<T> {
    const [result, took] = await timed(what, () => exchange(gateway.url))
    slowest = Math.max(slowest, took)
    if (took >= LIMIT) slow.push({ what: what.slice(0, 2000), exchange })
    return result
  }

  return { time, settle }
}

async function stillSlow(slow: readonly Timed[], urls: readonly string[]): Promise<readonly Timed[]> {
  const still: Timed[] = []
  for (const one of slow) {
    let slowest = 0
    for (const url of urls) slowest = Math.max(slowest, (await timed(one.what, () => one.exchange(url)))[1])
    if (slowest >= LIMIT) still.push(one)
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
