// One dial for all workers: the first process keeps it, and each worker follows.

import type { Worker } from 'node:cluster'
import type { ShadowResult } from '../../observe/events.ts'
import type { Dial, DialLink } from './dial.ts'
import type { Tally } from './tally.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Milliseconds that a worker waits at its start to be told where the dial stands. */
const REPLY_TIMEOUT_MS = 5_000

/** What a worker tells the first process. */
interface Told {
  readonly dial:
    | { readonly type: 'hello' }
    | { readonly type: 'compared'; readonly result: ShadowResult; readonly count: number }
    | { readonly type: 'answered'; readonly tally: Tally }
    | { readonly type: 'old'; readonly isUp: boolean }
}

/** What the first process tells the workers. */
interface Share {
  readonly dialShare: number
}

/** In the first process: tells every worker the share, whenever it changes. */
export function tellWorkers(share: number): void {
  const message: Share = { dialShare: share }
  // One that has just died hears nothing, and that is no error.
  for (const worker of Object.values(cluster.workers ?? {})) worker?.send(message, () => {})
}

/** In the first process: listens to the workers. @returns ends it */
export function serveWorkers(dial: Dial): () => void {
  /** Workers that cannot reach the old service. One that is gone says nothing more of it. */
  const without = new Set<number>()
  const note = (worker: Worker, isUp: boolean) => {
    if (isUp || worker.isDead()) without.delete(worker.id)
    else without.add(worker.id)
    dial.oldIsUp(without.size === 0)
  }
  const forget = (worker: Worker) => note(worker, true)
  const listen = (worker: Worker, message: Partial<Told>) => {
    const { dial: told } = message
    if (told?.type === 'hello') worker.send({ dialShare: dial.share() } satisfies Share, () => {})
    else if (told?.type === 'compared') dial.compared(told.result, told.count)
    else if (told?.type === 'answered') dial.answered(told.tally)
    else if (told?.type === 'old') note(worker, told.isUp)
  }
  cluster.on('message', listen).on('exit', forget)
  return () => void cluster.off('message', listen).off('exit', forget)
}

/** In a worker: follows the dial. @returns `null` where the first process keeps none */
export async function followDial(): Promise<DialLink | null> {
  let share: number | null = null
  const tell = (dial: Told['dial']) => process.send?.({ dial } satisfies Told, () => {})
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, REPLY_TIMEOUT_MS)
    process.on('message', ({ dialShare }: Partial<Share>) => {
      if (dialShare === undefined) return
      share = dialShare
      clearTimeout(late)
      resolve()
    })
    tell({ type: 'hello' })
  })
  return share === null
    ? null
    : {
        share: () => share ?? 0,
        compared: (result, count) => tell({ type: 'compared', result, count }),
        answered: (tally) => tell({ type: 'answered', tally }),
        oldIsUp: (isUp) => tell({ type: 'old', isUp }),
      }
}
