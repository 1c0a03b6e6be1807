// Requests at a fixed rate, whatever becomes of those before: legacy JSON and XML and GraphQL, over
// connections that are kept and over fresh ones.

import { Agent, type IncomingMessage, request } from 'node:http'

export interface Sent {
  /** Milliseconds since the load began. */
  readonly at: number
  readonly took: number
  /** Whether it went over a connection that had carried another one. */
  readonly reused: boolean
  /** `ok`, or what was wrong with it. */
  readonly outcome: string
}

interface Kind {
  readonly target: string
  readonly body?: string
  readonly answer: RegExp
}

const kinds: readonly Kind[] = [
  { target: '/?Event=ProfileLookup&Users=1:2', answer: /^\{"1":\{"Id":1,.*\}\}$/ },
  {
    target: '/?Event=AppLookup&Apps=1&Format=XML',
    answer: /^<\?xml version="1\.0"\?>\n<ServiceAPI>.*<\/ServiceAPI>\n$/s,
  },
  {
    target: '/graphql',
    body: '{"query":"{ users(values: [\\"1\\"]) { username } }"}',
    answer: /^\{"data":\{"users":\[\{"username":"Ada"\}\]\}\}$/,
  },
]

/** Milliseconds between two looks at what is due. */
const STEP = 5
/** Milliseconds after which a request has failed. */
const PATIENCE = 15_000

export function startSteadyLoad(url: string, rate: number) {
  // All connections take turns, so that none is idle for long, as with a client that is busy.
  const agent = new Agent({ keepAlive: true, maxSockets: 32, scheduling: 'fifo' })
  const started = performance.now()
  const now = () => performance.now() - started
  const sent: Sent[] = []
  const underWay = new Set<Promise<void>>()
  let begun = 0

  async function send(turn: number): Promise<void> {
    const kind = kinds[turn % kinds.length]
    const fresh = Math.floor(turn / kinds.length) % 2 === 0
    const at = now()
    if (kind === undefined) return
    const asked = await ask(url, kind, fresh ? false : agent)
    sent.push({ at, took: now() - at, ...asked })
  }

  const sending = setInterval(() => {
    for (const due = (now() * rate) / 1000; begun < due; begun++) {
      const request = send(begun)
      underWay.add(request)
      void request.finally(() => underWay.delete(request))
    }
  }, STEP)

  return {
    now,
    /** Waits for all that are under way. */
    stop: async (): Promise<readonly Sent[]> => {
      clearInterval(sending)
      await Promise.all(underWay)
      agent.destroy()
      return sent
    },
  }
}

function ask(
  url: string,
  { target, body, answer }: Kind,
  agent: Agent | false,
): Promise<Pick<Sent, 'reused' | 'outcome'>> {
  return new Promise((resolve) => {
    const done = (outcome: string) => resolve({ reused: sending.reusedSocket, outcome })
    const headers = { 'content-type': 'application/json' }
    const options = body === undefined ? { agent } : { agent, method: 'POST', headers }
    const sending = request(url + target, options, (response) => {
      void read(response).then((text) =>
        done(response.statusCode === 200 && answer.test(text) ? 'ok' : `${response.statusCode} ${text}`),
      )
    })
    const late = setTimeout(() => sending.destroy(new Error('no answer')), PATIENCE)
    sending.on('close', () => clearTimeout(late))
    sending.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    sending.end(body)
  })
}

async function read(response: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    return text
  } catch (error) {
    return `${text} and then ${error}`
  }
}
