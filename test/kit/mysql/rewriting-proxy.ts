// What may stand between a gateway and its server: a proxy that rewrites statements, and mixes up connections.

import { type PacketProxy, QUERY, splitPackets, startPacketProxy } from './packet-proxy.ts'
import type { MysqlServer } from './server.ts'

/** A packet that belongs to no query: "OK", of a number that is never the next one. */
const stray = Buffer.from([7, 0, 0, 99, 0, 0, 0, 2, 0, 0, 0])

/** @param rewrite the statement that the server gets; `null` for the same one, after a packet of another query */
export function startRewritingProxy(
  server: MysqlServer,
  rewrite: (statement: string) => string | null,
): Promise<PacketProxy> {
  return startPacketProxy(server, (client, upstream) => {
    upstream.on('data', (data) => client.write(data))
    client.on(
      'data',
      splitPackets((packet) => {
        if (packet[3] !== 0 || packet[4] !== QUERY) {
          upstream.write(packet)
          return
        }
        // MySQL may have attributes of the statement before it: none, of one set.
        const start = packet[5] === 0 ? 7 : 5
        const statement = packet.subarray(start).toString()
        const rewritten = rewrite(statement)
        if (rewritten === null) client.write(stray)
        const body = Buffer.concat([packet.subarray(4, start), Buffer.from(rewritten ?? statement)])
        upstream.write(Buffer.concat([Buffer.from([body.length & 0xff, body.length >> 8, 0, 0]), body]))
      }),
    )
  })
}
