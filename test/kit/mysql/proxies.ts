// Proxies of a real server of MySQL that see whole packets of its protocol: a server that asks its client for
// a file, and one whose statements are rewritten or counted.

import type { DatabaseServer } from '../database-server.ts'
import { startProxy } from '../proxy.ts'

/** The first byte of a packet that holds a statement, and of a response that wants a file. */
const [QUERY, FILE_WANTED] = [0x03, 0xfb]
/** A packet "OK" that belongs to no query: its number is never the next one. */
const stray = Buffer.from([7, 0, 0, 99, 0, 0, 0, 2, 0, 0, 0])

export interface PacketProxy {
  readonly url: (database: string) => string
  readonly close: () => void
}

const proxyOf = (server: DatabaseServer, { port, close }: { port: number; close: () => void }) => ({
  url: (database: string) => server.url(database).replace(`:${server.port}/`, `:${port}/`),
  close,
})

/**
 * @param at a part of the statements that the proxy answers with a request for `file`; the server gets them
 * after that
 * @returns what the client has sent, for each time that it was asked
 */
export async function startAskingProxy(server: DatabaseServer, at: string, file: string) {
  const got: string[] = []
  const proxy = await startProxy(server.port, (client, upstream) => {
    /** The statement that was not passed on yet, and how many packets the server knows nothing of. */
    let withheld: Buffer | null = null
    let hidden = 0
    const answer = splitPackets((packet) => client.write(renumber(packet, hidden)))
    const pass = splitPackets((packet) => {
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
      if (sequence !== 0 || body[0] !== QUERY || !body.includes(at)) {
        upstream.write(renumber(packet, -hidden))
        return
      }
      withheld = packet
      hidden = 1
      got.push('')
      const question = Buffer.from([FILE_WANTED, ...Buffer.from(file)])
      client.write(Buffer.concat([Buffer.from([question.length, 0, 0, 1]), question]))
    })
    upstream.on('data', answer)
    client.on('data', pass)
  })
  return { ...proxyOf(server, proxy), got }
}

function renumber(packet: Buffer, by: number): Buffer {
  packet[3] = ((packet[3] ?? 0) + by) & 0xff
  return packet
}

/**
 * @param rewrite the statement that the server gets; `null` for the same one, after a packet of another query
 */
export async function startRewritingProxy(
  server: DatabaseServer,
  rewrite: (statement: string) => string | null,
): Promise<PacketProxy> {
  const proxy = await startProxy(server.port, (client, upstream) => {
    upstream.on('data', (data) => client.write(data))
    const pass = splitPackets((packet) => {
      // MySQL may have attributes of the statement before it: none, of one set.
      const start = packet[5] === 0 ? 7 : 5
      const statement = packet.subarray(start).toString()
      const rewritten = packet[3] === 0 && packet[4] === QUERY ? rewrite(statement) : statement
      if (rewritten === null) client.write(stray)
      if (rewritten === null || rewritten === statement) {
        upstream.write(packet)
        return
      }
      const body = Buffer.concat([packet.subarray(4, start), Buffer.from(rewritten)])
      upstream.write(Buffer.concat([Buffer.from([body.length & 0xff, body.length >> 8, 0, 0]), body]))
    })
    client.on('data', pass)
  })
  return proxyOf(server, proxy)
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
