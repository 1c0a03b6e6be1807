import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Observation } from '../../../src/observe/events.ts'
import { openSocket, readAll, readAnswers, requestFor } from '../../http/raw.ts'
import { type Answering, startAnswering } from '../../kit/answering.ts'
import { filledFile, type Gateway, startGateway } from '../../kit/gateway.ts'
import { type Switches, startOldService } from '../../kit/old-service.ts'
import { listenOn } from '../../kit/proxy.ts'
import { startServe } from '../../kit/served.ts'
import type { Workplace } from '../../kit/workplace.ts'

/** Proxies on this machine name the clients of these tests. */
export const behindProxy = { TRUSTED_PROXIES: 'loopback' }

export const lookup = '/?Event=AppLookup&Apps=1'

export async function cutOver(
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const gateway = await startGateway({ CUTOVER_URL: url, ...settings })
  onTestFinished(gateway.close)
  return gateway
}

type Client = Readonly<Record<string, string>>

/** The headers of a client behind the proxy. */
export const clientAt = (number: number): Client => ({ 'X-Forwarded-For': `10.9.0.${number}` })

/** A service that the end of the test closes. */
export async function answering(answer: Parameters<typeof startAnswering>[0]): Promise<Answering> {
  const service = await startAnswering(answer)
  onTestFinished(service.close)
  return service
}

/** The old service of the kit, which differs from the gateway only by these switches. */
export async function startTwin(switches: Switches = {}) {
  const old = await startOldService({ xmlDeclaration: false, ...switches })
  onTestFinished(old.close)
  return old
}

/** An old service whose responses differ from those of the gateway. */
export const startOld = () => answering((_, response) => void response.end('old'))
/** One that fails, as the store or as the old service. */
export const startFailing = () => answering((_, response) => void response.writeHead(500).end())

export const bodyOf = async (url: string, headers: Client = {}) => (await fetch(url, { headers })).text()

export const ofType = <Type extends Observation['type']>(
  { observations }: { readonly observations: readonly Observation[] },
  type: Type,
) => observations.filter((one): one is Extract<Observation, { type: Type }> => one.type === type)

/** The results of comparisons, in their order. */
export const results = (gateway: { readonly observations: readonly Observation[] }) =>
  ofType(gateway, 'shadow-compared').map(({ result }) => result)

/** Requests on one connection at a time: each of them may wait for the old service. */
const PIPELINED = 25

/** For each client, whether the new side responds to it. */
export async function areNew(url: string, clients: readonly Client[], target = lookup): Promise<boolean[]> {
  const found: boolean[] = []
  for (let at = 0; at < clients.length; at += PIPELINED) {
    const requests = clients.slice(at, at + PIPELINED).map((headers) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      return requestFor(target, ['Host: gateway', ...lines])
    })
    const socket = await openSocket(url)
    socket.write(requests.join('') + requestFor('/nothing', closing))
    const responses = readAnswers(await readAll(socket)).slice(0, requests.length)
    if (responses.some(({ status }) => status > 499)) throw new Error('the old service failed')
    found.push(...responses.map(({ body }) => body !== 'old'))
  }
  return found
}

/** How many of them the new side responds to. */
export const countNew = async (url: string, clients: readonly Client[]) =>
  (await areNew(url, clients)).filter((isNew) => isNew).length

export const addresses = (count: number): readonly Client[] =>
  Array.from({ length: count }, (_, at) => ({ 'X-Forwarded-For': `10.0.${at >> 8}.${at & 255}` }))

/** The status line, the headers and the body of a response as they came; the connection ends with it. */
export async function bytesOf(url: string, request: string): Promise<{ head: string[]; body: string }> {
  const socket = await openSocket(url)
  socket.write(request, 'latin1')
  const received = await readAll(socket)
  const end = received.indexOf('\r\n\r\n')
  return { head: received.slice(0, end).split('\r\n'), body: received.slice(end + 4) }
}

export const closing = ['Host: gateway', 'Connection: close']

/** A server that sends these bytes on every connection, and keeps what it received. */
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
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${await listenOn(server)}/`
}

/** `lookup serve` beside an old service that has none of the data. */
export async function serveBeside(place: Workplace, oldUrl: string, settings: Client) {
  await filledFile(join(place.path, 'lookup.db'))
  const served = await startServe({ ...behindProxy, CUTOVER_URL: oldUrl, ...settings }, place.path)
  let stopping: Promise<void> | null = null
  const stop = () => {
    stopping ??= served.stop()
    return stopping
  }
  onTestFinished(stop)
  return {
    ...{ ...served, stop },
    get: (path: string) => bodyOf(served.admin + path),
    state: async () => JSON.parse(await bodyOf(`${served.admin}/cutover`)),
    logged: (type: string) => served.log().filter((line) => line.type === type),
  }
}
