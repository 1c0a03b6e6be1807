// TCP proxies of a server: one that joins both sides as a test says, and one that cuts the connection between
// a statement and its response, as a network may.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Listens on 127.0.0.1, on a free port by default. @returns the port */
export async function listenOn(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}

export interface Proxy {
  readonly port: number
  readonly close: () => void
}

/** @param join gets both sides of each connection */
export async function startProxy(
  port: number,
  join: (client: Socket, upstream: Socket) => void,
): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => (socket === client ? upstream : client).destroy())
    }
    join(client, upstream)
  })
  return {
    port: await listenOn(proxy),
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

/** @param statement what the client sends; the server carries it out, and its response is lost */
export function startCuttingProxy(port: number, statement: string): Promise<Proxy> {
  return startProxy(port, (client, upstream) => {
    let isSent = false
    client.on('data', (data) => {
      isSent ||= data.includes(statement)
      upstream.write(data)
    })
    upstream.on('data', (data) => (isSent ? client.destroy() : client.write(data)))
  })
}
