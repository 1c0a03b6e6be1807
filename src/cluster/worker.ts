// What a worker has to do with the first process.

import type { Counts } from '../observe/counts.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** What the first process asks for: all metrics, or those that the operator's page shows. */
export type Asked = 'metrics' | 'look'

/** Whether this process is a worker. */
export const isWorker = cluster.isWorker

/**
 * Sends the counts of this worker whenever the first process asks for them.
 * @returns sends the last counts and closes the channel to the first process, which would keep this one running
 */
export function reportMetrics(
  asked: Readonly<Record<Asked, () => Promise<Counts>>>,
): (counted: Counts) => Promise<void> {
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
