// A proxy before a real server of MySQL, which sees whole packets of its protocol.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { MysqlServer } from './server.ts'

/** The first byte of a packet that holds a statement. */
export const QUERY = 0x03

export interface PacketProxy {
  readonly url: (database: string) => string
  readonly close: () => Promise<void>
}

/** @param join is given both sides of each connection */
export async function startPacketProxy(
  server: MysqlServer,
  join: (client: Socket, upstream: Socket) => void,
): Promise<PacketProxy> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => (socket === client ? upstream : client).destroy())
    }
    join(client, upstream)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    url: (database) => server.url(database).replace(`:${server.port}/`, `:${port}/`),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** Hands over whole packets: three bytes of length, one of its number, and the body. */
export function splitPackets(take: (packet: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (data) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 4 && rest.length >= 4 + rest.readUIntLE(0, 3)) {
      const length = 4 + rest.readUIntLE(0, 3)
      take(Buffer.from(rest.subarray(0, length)))
      rest = rest.subarray(length)
    }
  }
}
