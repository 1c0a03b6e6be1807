// A TCP server that is far away: what goes through takes its time.

import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listenOn } from './proxy.ts'

/**
 * Puts a distance before a port of 127.0.0.1 until the end of the test. Connections to it are made at once;
 * the bytes over them are late.
 * @param roundTrip milliseconds
 * @param renamed what the server hears in the place of a word, of as many characters
 * @returns the port to connect to
 */
export async function putFarAway(
  port: number,
  roundTrip: number,
  renamed: readonly [word: string, other: string] | null = null,
): Promise<number> {
  const heard = (data: string | Buffer) =>
    renamed === null ? data : Buffer.from(data.toString('latin1').replaceAll(...renamed), 'latin1')
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      const later = (act: () => void) => setTimeout(() => to.destroyed || act(), roundTrip / 2)
      from.setNoDelay().on('data', (data) => later(() => to.write(from === near ? heard(data) : data)))
      from.on('end', () => later(() => to.end()))
      from.on('error', () => {}).on('close', () => later(() => to.destroy()))
    }
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return listenOn(server)
}
