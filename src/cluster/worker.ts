// What a worker has to do with the first process.

import type { Socket } from 'node:net'
import type { Counted } from '../gateway/observe/metrics.ts'

const cluster = process.getBuiltinModule('node:cluster')
const net = process.getBuiltinModule('node:net')

/** What the first process asks for: all metrics, or those that the operator's page shows. */
export type Asked = 'metrics' | 'look'

/** Whether this process is a worker. */
export const isWorker = cluster.isWorker

/** Takes the connections that have waited while no worker was there. */
export function takeWaiting(take: (socket: Socket) => void): void {
  process.on('message', (message: { waited?: number }, socket) => {
    // It may have gone meanwhile.
    if (message.waited === undefined || !(socket instanceof net.Socket)) return
    process.send?.({ taken: message.waited }, () => {})
    take(socket)
  })
}

/** Tells the first process what was counted here, when it asks: for a scrape, or for a look between two. */
export function reportMetrics(asked: Readonly<Record<Asked, () => Promise<Counted>>>): void {
  process.on('message', async (message) => {
    if (message === 'metrics' || message === 'look')
      process.send?.({ counted: await asked[message](), asked: message }, () => {})
  })
}

/**
 * Says what was counted, for the last time, and asks for no more connections. The first process answers after
 * those that are on their way, and has the server closed. Would it be closed here, they would be late: sent
 * back, and lost where this is the last worker.
 */
export async function release(counts: Promise<Counted>): Promise<void> {
  process.send?.({ counted: await counts }, () => {})
  process.send?.('release', () => {})
}
