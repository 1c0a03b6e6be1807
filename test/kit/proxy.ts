// TCP proxies of a server: one that joins both sides as a test says, and one that cuts the connection between a
// statement and its response, as a network may.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

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
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
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
