// Attacks a gateway, from a separate process, so that pauses of the test do not spare the gateway.
//
// node neighbours-attack.ts URL KIND CLIENTS

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const [, , url = '', kind = '', clients = '1'] = process.argv
const { hostname, port } = new URL(url)
const values = Array.from({ length: 1000 }, (_, at) => at + 1)

/** A GraphQL response of 1.9 MB: 1,000 users, nine long aliases. */
const body = JSON.stringify({
  query: `query($v:[ID!]!){users(values:$v){${[...'abcdefghi'].map((letter) => `${letter}${'_'.repeat(199)}:displayName`).join(' ')}}}`,
  variables: { v: values.map(String) },
})
const graphql = (version: string) =>
  `POST /graphql HTTP/${version}\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const list = (version: string) =>
  `GET /?Event=ProfileLookup&Users=${values.join(':')}&n=${Math.random()} HTTP/${version}\r\nHost: a\r\n\r\n`

const introspection = JSON.stringify({
  query: '{__schema{types{name fields{name args{name type{name}} type{name ofType{name ofType{name}}}}}}}',
})
const post = `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`

const requests: Readonly<Record<string, () => string>> = {
  'GraphQL, on a kept connection': () => graphql('1.1'),
  'GraphQL, on new connections': () => graphql('1.0'),
  'lists, on a kept connection': () => list('1.1'),
  'lists, on new connections': () => list('1.0'),
  'one user, on new connections': () =>
    `GET /?Event=ProfileLookup&Users=${Math.ceil(Math.random() * 2_000)} HTTP/1.0\r\n\r\n`,
  introspections: () => `${post}Content-Length: ${introspection.length}\r\n\r\n${introspection}`,
}

const open = () => connect({ port: Number(port), host: hostname }).on('error', () => {})

/** Requests large responses and reads nothing. Connects again after it was cut. */
function stayDeaf(): void {
  const socket = open().pause()
  socket.write(graphql('1.1').repeat(3))
  // The socket is not read, so only a write shows that it was cut.
  const writing = setInterval(() => socket.write(' '), 200)
  socket.once('close', () => {
    clearInterval(writing)
    setTimeout(stayDeaf, 10)
  })
}

const some = 'GET /?Event=X HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000)

/** Pipelines a packet of small requests, and leaves with the first response. */
function pipelineOnce(): void {
  const socket = open().once('data', () => socket.destroy())
  socket.write(some)
  socket.once('close', () => setTimeout(pipelineOnce, 1))
}

/** Pipelines as many small requests as the gateway takes. */
function pipeline(): void {
  const socket = open().resume()
  const writing = setInterval(() => socket.writableNeedDrain || socket.write(some), 5)
  socket.once('close', () => {
    clearInterval(writing)
    setTimeout(pipeline, 10)
  })
}

/** Sends a request again and again, each when the response to the last one is there. */
async function repeat(request: () => string): Promise<void> {
  for (let socket = open(); ; ) {
    socket.write(request())
    if (await isKept(socket)) continue
    socket.destroy()
    socket = open()
    await pause(1)
  }
}

/** Reads a response. @returns whether the connection can be used again */
function isKept(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    let left: number | null = null
    let keeps = true
    const done = (isOpen: boolean) => {
      socket.off('data', read).off('close', closed)
      resolve(isOpen)
    }
    const closed = () => done(false)
    const read = (chunk: Buffer) => {
      if (left === null) {
        const end = chunk.indexOf('\r\n\r\n')
        const head = chunk.toString('latin1', 0, end).toLowerCase()
        keeps = !head.includes('connection: close')
        left = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0) - (chunk.length - end - 4)
      } else left -= chunk.length
      if (left <= 0) done(keeps)
    }
    socket.on('data', read).on('close', closed)
  })
}

const request = requests[kind]
for (let client = 0; client < Number(clients); client++)
  if (request !== undefined) void repeat(request)
  else if (kind === 'small requests, pipelined') pipeline()
  else if (kind === 'small requests, pipelined on new connections') pipelineOnce()
  else stayDeaf()
