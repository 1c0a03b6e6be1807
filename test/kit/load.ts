// Clients that send one lookup after another over kept connections, and record each outcome.

import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export interface Asked {
  /** The number of the request. */
  readonly turn: number
  /** Milliseconds since the load began. */
  readonly at: number
  /** Milliseconds until the response was complete. */
  readonly took: number
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly body: string
  readonly retryAfter: string | undefined
}

export interface Load {
  /** Milliseconds since it began. */
  readonly now: () => number
  readonly stop: () => Promise<readonly Asked[]>
}

interface LoadOptions {
  readonly clients?: number
  /** Milliseconds between a response and the next request of the same client. */
  readonly pause?: number
  readonly query?: (turn: number) => string
  readonly headers?: (turn: number) => Readonly<Record<string, string>>
}

const someUser = (turn: number) => `Event=ProfileLookup&Users=${1 + (turn % 3)}`

export function startLoad(
  url: string,
  { clients = 16, pause: between = 5, query = someUser, headers = () => ({}) }: LoadOptions = {},
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const started = performance.now()
  const now = () => performance.now() - started
  const asked: Asked[] = []
  let turn = 0
  let stopped = false

  async function client(): Promise<void> {
    while (!stopped) {
      const at = now()
      const number = turn++
      const reply = await ask(`${url}/?${query(number)}`, agent, headers(number))
      asked.push({ turn: number, at, took: now() - at, ...reply })
      await pause(between)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  const stop = async () => {
    stopped = true
    await running
    agent.destroy()
    return asked
  }
  return { now, stop }
}

/** One request; a connection that fails is status 0. */
export function ask(
  url: string,
  agent?: Agent,
  headers: Readonly<Record<string, string>> = {},
): Promise<Omit<Asked, 'turn' | 'at' | 'took'>> {
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, body: error.message, retryAfter: undefined })
    const request = get(url, { ...(agent && { agent }), headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body, retryAfter: response.headers['retry-after'] }),
      )
      response.on('error', failed)
    })
    request.on('error', failed)
  })
}

/** Milliseconds within which 99 % of the responses came. */
export function p99Of(asked: readonly Pick<Asked, 'took'>[]): number {
  return percentile(
    asked.map(({ took }) => took),
    0.99,
  )
}

/** The value below which this share of the numbers lies. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
