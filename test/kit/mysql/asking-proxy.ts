// A server that asks its client for a file, as one may that somebody has taken over: a proxy of a real one.

import { type PacketProxy, QUERY, splitPackets, startPacketProxy } from './packet-proxy.ts'
import type { MysqlServer } from './server.ts'

const FILE_WANTED = 0xfb

export interface AskingProxy extends PacketProxy {
  /** What the client has sent, for each time that it was asked. */
  readonly got: readonly string[]
}

/**
 * @param at a part of the statements that are answered by asking for `file`; the server gets them after that
 * @param passed how many of them go by before
 */
export async function startAskingProxy(
  server: MysqlServer,
  at: string,
  file: string,
  passed = 0,
): Promise<AskingProxy> {
  let left = passed
  const got: string[] = []
  const proxy = await startPacketProxy(server, (client, upstream) => {
    /** What it was that was not passed on yet, and how many packets the server knows nothing of. */
    let withheld: Buffer | null = null
    let hidden = 0

    upstream.on(
      'data',
      splitPackets((packet) => client.write(renumber(packet, hidden))),
    )
    client.on(
      'data',
      splitPackets((packet) => {
        const [sequence, body] = [packet[3] ?? 0, packet.subarray(4)]
        if (withheld !== null) {
          hidden++
          got.push((got.pop() ?? '') + body.toString())
          if (body.length > 0) return
          upstream.write(withheld)
          withheld = null
          return
        }
        if (sequence === 0) hidden = 0
        if (sequence !== 0 || body[0] !== QUERY || !body.includes(at) || left-- > 0) {
          upstream.write(renumber(packet, -hidden))
          return
        }
        withheld = packet
        hidden = 1
        got.push('')
        const question = Buffer.from([FILE_WANTED, ...Buffer.from(file)])
        client.write(Buffer.concat([Buffer.from([question.length, 0, 0, 1]), question]))
      }),
    )
  })
  return { ...proxy, got }
}

function renumber(packet: Buffer, by: number): Buffer {
  packet[3] = ((packet[3] ?? 0) + by) & 0xff
  return packet
}
