// Requests at a fixed rate, whatever becomes of those before: legacy JSON and XML and GraphQL, over
// connections that are kept and over fresh ones.

import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Sent {
  /** When it was sent, by `performance.now()`. */
  readonly at: number
  /** Whether it went over a connection that had carried another one. */
  readonly reused: boolean
  /** `ok`, or what was wrong with it. */
  readonly outcome: string
}

interface Kind {
  readonly target: string
  readonly body?: string
  readonly expected: RegExp
}

const json: Kind = { target: '/?Event=ProfileLookup&Users=1:2', expected: /^\{"1":\{"Id":1,.*\}\}$/ }
const kinds: readonly Kind[] = [
  json,
  {
    target: '/?Event=AppLookup&Apps=1&Format=XML',
    expected: /^<\?xml version="1\.0"\?>\n<ServiceAPI>.*<\/ServiceAPI>\n$/s,
  },
  {
    target: '/graphql',
    body: '{"query":"{ users(values: [\\"1\\"]) { username } }"}',
    expected: /^\{"data":\{"users":\[\{"username":"Ada"\}\]\}\}$/,
  },
]

export function startSteadyLoad(url: string, rate: number) {
  // All connections take turns, so that none is idle for long, as with a client that is busy.
  const agent = new Agent({ keepAlive: true, maxSockets: 32, scheduling: 'fifo' })
  const started = performance.now()
  const sent: Promise<Sent>[] = []
  const sending = setInterval(() => {
    while (sent.length < ((performance.now() - started) * rate) / 1000) {
      const isFresh = Math.floor(sent.length / kinds.length) % 2 === 0
      sent.push(send(url, kinds[sent.length % kinds.length] ?? json, isFresh ? false : agent))
    }
  }, 5)
  return {
    /** Waits for all that are under way. */
    stop: async (): Promise<readonly Sent[]> => {
      clearInterval(sending)
      const all = await Promise.all(sent)
      agent.destroy()
      return all
    },
  }
}

async function send(url: string, { target, body, expected }: Kind, agent: Agent | false): Promise<Sent> {
  const at = performance.now()
  const method = body === undefined ? 'GET' : 'POST'
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const sending = request(url + target, { agent, method, headers, signal: AbortSignal.timeout(15_000) })
  sending.on('error', () => {}).end(body)
  const finish = (outcome: string) => ({ at, reused: sending.reusedSocket, outcome })
  try {
    const [response]: IncomingMessage[] = await once(sending, 'response')
    if (response === undefined) return finish('no response')
    const received = await text(response)
    const isRight = response.statusCode === 200 && expected.test(received)
    return finish(isRight ? 'ok' : `${response.statusCode} ${received}`)
  } catch (error) {
    return finish(error instanceof Error && 'code' in error ? String(error.code) : String(error))
  }
}
