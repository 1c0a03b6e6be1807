import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { openSocket, readAll } from '../../gateway/http/raw.ts'
import { type Answering, startAnswering } from '../../kit/answering.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'

/** Proxies on this machine name the clients of these tests. */
export const behindProxy = { TRUSTED_PROXIES: 'loopback' }

export async function cutOver(
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const gateway = await startGateway({ CUTOVER_URL: url, ...settings })
  onTestFinished(gateway.close)
  return gateway
}

/** An old service whose answers are told from those of the gateway. */
export async function startOld(): Promise<Answering> {
  const old = await startAnswering((_, response) => void response.end('old'))
  onTestFinished(old.close)
  return old
}

/** Which side answers a client, by its headers. */
export async function sideOf(url: string, headers: Readonly<Record<string, string>>): Promise<'old' | 'new'> {
  const body = await (await fetch(`${url}/?Event=AppLookup&Apps=1`, { headers })).text()
  return body === 'old' ? 'old' : 'new'
}

/** The places of those clients that the new side answers. */
export async function newOnes(
  url: string,
  clients: readonly Readonly<Record<string, string>>[],
): Promise<Set<number>> {
  const found = new Set<number>()
  for (const [at, headers] of clients.entries()) if ((await sideOf(url, headers)) === 'new') found.add(at)
  return found
}

export const addresses = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ 'X-Forwarded-For': `10.0.${at >> 8}.${at & 255}` }))

/** The status line, the headers and the body of an answer as they came; the connection ends with it. */
export async function bytesOf(url: string, request: string): Promise<{ head: string[]; body: string }> {
  const socket = await openSocket(url)
  socket.write(request, 'latin1')
  const received = await readAll(socket)
  const end = received.indexOf('\r\n\r\n')
  return { head: received.slice(0, end).split('\r\n'), body: received.slice(end + 4) }
}

export const closing = ['Host: gateway', 'Connection: close']

/** A server that answers every connection with these bytes, and tells what it was sent. */
export async function startRaw(answer: string) {
  const requests: string[] = []
  const url = await listen((socket) => {
    let received = ''
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (data) => {
      received += data
      if (!received.includes('\r\n\r\n')) return
      requests.push(received)
      socket.end(answer, 'latin1')
      received = ''
    })
  })
  return { url, requests }
}

/** A server of bytes, on a free port. @returns its address, with a slash at its end */
export async function listen(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer(onConnection)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return `http://127.0.0.1:${port}/`
}
