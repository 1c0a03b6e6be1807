// One dial for all workers, over the messages of node:cluster: the first process keeps the dial, and each
// worker follows it.

import type { Worker } from 'node:cluster'
import type { Shares } from '../../config/cutover.ts'
import type { ShadowVerdict } from '../shadow/comparer.ts'
import type { Dial, DialLink, DialShares } from './dial.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Milliseconds that a worker waits for the shares when it starts. */
const START_TIMEOUT_MS = 5_000

/** A message of a worker to the first process. */
interface WorkerMessage {
  readonly dial:
    | { readonly type: 'hello' }
    | { readonly type: 'compared'; readonly verdict: ShadowVerdict }
    | { readonly type: 'old'; readonly isUp: boolean }
}

/** A message of the first process to a worker. */
interface DialMessage {
  readonly dialShares: DialShares
}

/** In the first process: sends the shares to every worker. */
export function sendShares(dialShares: DialShares): void {
  for (const worker of Object.values(cluster.workers ?? {})) sendTo(worker, dialShares)
}

/** The callback ignores the error of a message to a worker that has just died. */
function sendTo(worker: Worker | undefined, dialShares: DialShares): void {
  worker?.send({ dialShares } satisfies DialMessage, () => {})
}

/** In the first process: listens to the workers. @returns a function that ends this */
export function serveWorkers(dial: Dial): () => void {
  /** Workers that cannot reach the old service. A worker that has ended does not count. */
  const cutOff = new Set<number>()
  const note = (worker: Worker, isUp: boolean) => {
    if (isUp || worker.isDead()) cutOff.delete(worker.id)
    else cutOff.add(worker.id)
    dial.oldIsUp(cutOff.size === 0)
  }
  const forget = (worker: Worker) => note(worker, true)
  const listen = (worker: Worker, { dial: message }: Partial<WorkerMessage>) => {
    if (message?.type === 'hello') sendTo(worker, dial.shares())
    else if (message?.type === 'compared') dial.compared(message.verdict)
    else if (message?.type === 'old') note(worker, message.isUp)
  }
  cluster.on('message', listen).on('exit', forget)
  return () => void cluster.off('message', listen).off('exit', forget)
}

/**
 * In a worker: follows the dial of the first process.
 * @param configured CUTOVER_SHARE, until the first process sends the shares in force. It has no dial if it
 * was started without CUTOVER_URL and has not been reloaded since
 */
export async function followDial(configured: Shares): Promise<DialLink> {
  const send = (dial: WorkerMessage['dial']) => process.send?.({ dial } satisfies WorkerMessage, () => {})
  const { promise: first, resolve } = Promise.withResolvers<void>()
  let shares: DialShares = { ...configured, generation: 0 }
  process.on('message', ({ dialShares }: Partial<DialMessage>) => {
    if (dialShares === undefined) return
    shares = dialShares
    resolve()
  })
  const timer = setTimeout(resolve, START_TIMEOUT_MS)
  send({ type: 'hello' })
  await first
  clearTimeout(timer)
  return {
    shares: () => shares,
    compared: (verdict) => send({ type: 'compared', verdict }),
    oldIsUp: (isUp) => send({ type: 'old', isUp }),
  }
}
