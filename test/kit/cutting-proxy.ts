// A proxy of a server that cuts the connection between a statement and its answer, as a network may.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  readonly port: number
  readonly close: () => void
}

/** @param statement what the client sends; the server carries it out, and its answer is lost */
export async function startCuttingProxy(port: number, statement: string): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let isSent = false
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    client.on('data', (data) => {
      isSent ||= data.includes(statement)
      upstream.write(data)
    })
    upstream.on('data', (data) => (isSent ? cut() : client.write(data)))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', cut)
    }
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
