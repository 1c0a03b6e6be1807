// One dial for all workers: the first process keeps it, and each worker follows.

import type { Worker } from 'node:cluster'
import type { Shares } from '../../config/cutover.ts'
import type { Verdict } from '../shadow/comparer.ts'
import type { Dial, DialLink } from './dial.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Milliseconds that a worker waits for the shares when it starts. */
const REPLY_TIMEOUT_MS = 5_000

/** A message of a worker to the first process. */
interface Report {
  readonly dial:
    | { readonly type: 'hello' }
    | { readonly type: 'compared'; readonly compared: Verdict }
    | { readonly type: 'old'; readonly isUp: boolean }
}

/** A message of the first process to a worker. */
interface Order {
  readonly dialShares: Shares
}

/** In the first process: sends the shares to every worker. */
export function sendShares({ share, events }: Shares): void {
  for (const worker of Object.values(cluster.workers ?? {})) sendTo(worker, { share, events })
}

/** The callback ignores the error of a message to a worker that has just died. */
function sendTo(worker: Worker | undefined, dialShares: Shares): void {
  worker?.send({ dialShares } satisfies Order, () => {})
}

/** In the first process: listens to the workers. @returns a function that ends this */
export function serveWorkers(dial: Dial): () => void {
  /** Workers that cannot reach the old service. A worker that has ended does not count. */
  const without = new Set<number>()
  const note = (worker: Worker, isUp: boolean) => {
    if (isUp || worker.isDead()) without.delete(worker.id)
    else without.add(worker.id)
    dial.oldIsUp(without.size === 0)
  }
  const forget = (worker: Worker) => note(worker, true)
  const listen = (worker: Worker, { dial: report }: Partial<Report>) => {
    if (report?.type === 'hello') sendTo(worker, dial.shares())
    else if (report?.type === 'compared') dial.compared(report.compared)
    else if (report?.type === 'old') note(worker, report.isUp)
  }
  cluster.on('message', listen).on('exit', forget)
  return () => void cluster.off('message', listen).off('exit', forget)
}

/** In a worker: follows the dial. @returns null if the first process keeps none */
export async function followDial(): Promise<DialLink | null> {
  let shares: Shares | null = null
  const report = (dial: Report['dial']) => process.send?.({ dial } satisfies Report, () => {})
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, REPLY_TIMEOUT_MS)
    process.on('message', ({ dialShares }: Partial<Order>) => {
      if (dialShares === undefined) return
      shares = dialShares
      clearTimeout(late)
      resolve()
    })
    report({ type: 'hello' })
  })
  if (shares === null) return null
  return {
    shares: () => shares ?? { share: 0, events: {} },
    compared: (compared) => report({ type: 'compared', compared }),
    oldIsUp: (isUp) => report({ type: 'old', isUp }),
  }
}
