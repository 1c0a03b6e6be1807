// What a worker has to do with the first process.

import type { Counted } from '../gateway/observe/metrics.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** What the first process asks for: all metrics, or those that the operator's page shows. */
export type Asked = 'metrics' | 'look'

/** Whether this process is a worker. */
export const isWorker = cluster.isWorker

/**
 * Tells the first process what was counted here, when it asks: for a scrape, or for a look between two.
 * @returns says it for the last time, and lets go of the first process, which keeps this one running
 */
export function reportMetrics(
  asked: Readonly<Record<Asked, () => Promise<Counted>>>,
): (counted: Counted) => Promise<void> {
  async function answer(message: unknown): Promise<void> {
    if (message === 'metrics' || message === 'look')
      process.send?.({ counted: await asked[message](), asked: message }, () => {})
  }
  process.on('message', answer)
  return (counted) => {
    process.off('message', answer)
    return new Promise((resolve) => {
      process.send?.({ counted }, () => {
        cluster.worker?.disconnect()
        resolve()
      })
    })
  }
}
