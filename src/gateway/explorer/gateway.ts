import type { WrittenSetting } from '../../config-dialect.ts'
import type { Examples } from '../../stores/examples.ts'
import type { StoreState } from '../../stores/state.ts'
import type { Explanation } from '../legacy/explanation.ts'

/** An answer as it came over the wire. */
export interface Received {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Milliseconds from the request until all of it was there. */
  readonly took: number
}

export interface Explained extends Explanation {
  readonly service: StoreState & {
    readonly version: string
    readonly store: string
    /** The settings of the dialect that differ from their defaults. */
    readonly dialect: readonly WrittenSetting[]
    readonly examples: Examples
  }
}

/** The address of a lookup, relative to the page, which knows where they are answered. */
export function lookupAt(query: string): string {
  return `${document.documentElement.dataset.lookups ?? ''}?${query}`
}

/** Asks the legacy interface; `null` where there is no response. */
export function askLegacy(query: string, signal: AbortSignal): Promise<Received | null> {
  return receive(lookupAt(query), signal)
}

/** What a request becomes, or the refusal to say so. */
export async function askExplanation(
  query: string,
  signal: AbortSignal,
): Promise<Explained | { readonly refusal: string }> {
  const received = await receive(`explain?${query}`, signal)
  if (received === null) return { refusal: 'The gateway does not respond.' }
  const read: unknown = readJson(received.body)
  if (received.status === 200 && isExplanation(read)) return read
  return { refusal: refusalIn(read) ?? `The gateway responded with status ${received.status}.` }
}

async function receive(address: string, signal: AbortSignal): Promise<Received | null> {
  // The browser keeps the times of so many answers, and then of no more.
  performance.clearResourceTimings()
  const started = performance.now()
  try {
    // The explorer shows what is there now, never a cached copy.
    const response = await fetch(address, { signal, cache: 'no-store', headers: { Accept: '*/*' } })
    const body = await response.text()
    return {
      status: response.status,
      headers: [...response.headers],
      body,
      took: timeOf(response.url, started) ?? performance.now() - started,
    }
  } catch {
    return null
  }
}

/** Milliseconds from the request to the end of its answer, as the browser has timed it; it may not have. */
function timeOf(url: string, since: number): number | null {
  const entry = performance.getEntriesByName(url).findLast(({ startTime }) => startTime >= since)
  if (!(entry instanceof PerformanceResourceTiming) || entry.requestStart === 0) return null
  return entry.responseEnd - entry.requestStart
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

function isExplanation(value: unknown): value is Explained {
  return typeof value === 'object' && value !== null && 'request' in value && 'service' in value
}

/** The service's own words, in an error of the legacy interface. */
function refusalIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('Error' in value)) return null
  const { Error: error } = value
  if (typeof error !== 'object' || error === null || !('Message' in error)) return null
  return typeof error.Message === 'string' ? error.Message : null
}
