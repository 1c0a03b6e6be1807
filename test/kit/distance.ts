// A TCP server that is far away: what goes through takes its time.

import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { startProxy } from './proxy.ts'

/**
 * Puts a distance before a port of 127.0.0.1 until the end of the test. Connections to it are made and ended
 * at once; the bytes over them are late.
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
  const proxy = await startProxy(port, (near, far) => {
    const pass = (from: Socket, to: Socket, change: (data: string | Buffer) => string | Buffer) =>
      from
        .setNoDelay()
        .on('data', (data) => setTimeout(() => to.destroyed || to.write(change(data)), roundTrip / 2))
    pass(near, far, heard)
    pass(far, near, (data) => data)
  })
  onTestFinished(proxy.close)
  return proxy.port
}
