import type { Explained } from '../explain.ts'

/** A response of the legacy interface, as every client gets it. */
export interface Received {
  readonly status: number
  readonly type: string | null
  readonly bytes: number
  readonly body: string
}

/** Fetches past the browser's cache. Returns `null` if the gateway does not respond. */
export async function receive(address: string, signal: AbortSignal): Promise<Received | null> {
  try {
    const response = await fetch(address, { signal, cache: 'no-store' })
    const body = await response.arrayBuffer()
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      bytes: body.byteLength,
      // A byte order mark is part of the response.
      body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(body),
    }
  } catch {
    return null
  }
}

/** Returns the explanation of a request, or a sentence that says why there is none. */
export async function explain(query: string, signal: AbortSignal): Promise<Explained | string> {
  const received = await receive(`explain?${query}`, signal)
  if (received === null) return 'The gateway does not respond.'
  try {
    const read: unknown = JSON.parse(received.body)
    if (isExplained(read)) return read
  } catch {
    // A proxy in front of the gateway may respond with any text.
  }
  return `The gateway does not explain this request: status ${received.status}.`
}

const isExplained = (read: unknown): read is Explained =>
  typeof read === 'object' && read !== null && 'request' in read && 'service' in read
