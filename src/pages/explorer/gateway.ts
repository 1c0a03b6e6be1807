// The requests that the explorer page sends to the gateway. Runs in browsers, as all files of this folder.

import type { ExplainResponse } from '../explain.ts'

/** A response of the legacy interface, as every client gets it. */
export interface LookupResponse {
  readonly status: number
  readonly type: string | null
  readonly bytes: number
  readonly body: string
}

/** Sends a GET request past the browser's cache. Returns `null` if the gateway does not respond. */
export async function send(address: string, signal: AbortSignal): Promise<LookupResponse | null> {
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
export async function explain(query: string, signal: AbortSignal): Promise<ExplainResponse | string> {
  const response = await send(`explain?${query}`, signal)
  if (response === null) return 'The gateway does not respond.'
  try {
    const explanation: ExplainResponse = JSON.parse(response.body)
    if (explanation.service) return explanation
  } catch {
    // A proxy in front of the gateway may respond with any text.
  }
  return `The gateway does not explain this request: status ${response.status}.`
}
