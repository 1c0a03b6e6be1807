// A proxy of a real server of MySQL that rewrites or counts statements.

import type { DatabaseServer } from '../database-server.ts'
import { startProxy } from '../proxy.ts'

/** The first byte of a packet that holds a statement. */
const QUERY = 0x03

/** @param rewrite returns the statement that the server gets */
export async function startRewritingProxy(server: DatabaseServer, rewrite: (statement: string) => string) {
  const { port, close } = await startProxy(server.port, (client, upstream) => {
    upstream.on('data', (data) => client.write(data))
    const pass = splitPackets((packet) => {
      // MySQL may have attributes of the statement before it: none, of one set.
      const start = packet[5] === 0 ? 7 : 5
      const statement = packet.subarray(start).toString()
      const rewritten = packet[3] === 0 && packet[4] === QUERY ? rewrite(statement) : statement
      if (rewritten === statement) {
        upstream.write(packet)
        return
      }
      const body = Buffer.concat([packet.subarray(4, start), Buffer.from(rewritten)])
      upstream.write(Buffer.concat([Buffer.from([body.length & 0xff, body.length >> 8, 0, 0]), body]))
    })
    client.on('data', pass)
  })
  return { url: (database: string) => server.url(database).replace(`:${server.port}/`, `:${port}/`), close }
}

/** Hands over whole packets: three bytes of length, one of its number, and the body. */
function splitPackets(take: (packet: Buffer) => void): (data: Buffer) => void {
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
