// A restart without a failed request: each worker gets a successor, and then time to finish.

import type { Observe } from '../observe/events.ts'
import { untilListening, type WorkerProcess } from './worker-process.ts'
import type { WorkerSlot } from './worker-slot.ts'

interface RestartOptions {
  readonly start: () => WorkerProcess
  readonly observe: Observe
  readonly closing: AbortSignal
}

/** @returns asks for a restart; one more follows when that happens during a restart */
export function createRestart(slots: readonly WorkerSlot[], options: RestartOptions): () => void {
  const { closing } = options
  let wanted = false
  let busy = false

  async function work(): Promise<void> {
    busy = true
    while (wanted && !closing.aborted) {
      wanted = false
      await restartAll(slots, options)
    }
    busy = false
  }

  return () => {
    wanted = true
    if (!busy) void work()
  }
}

async function restartAll(
  slots: readonly WorkerSlot[],
  { start, observe, closing }: RestartOptions,
): Promise<void> {
  observe({ type: 'restarting' })
  const retiring: Promise<void>[] = []

  /** @returns why there is no successor */
  async function replace(slot: WorkerSlot): Promise<string | null> {
    // Asked to stop meanwhile: a worker that starts now would be left behind.
    if (closing.aborted) return null
    const successor = start()
    const failure = await untilListening(successor)
    if (failure !== null || closing.aborted) return failure
    const predecessor = slot.current()
    slot.put(successor)
    retiring.push(predecessor.retire())
    return null
  }

  // The first worker is replaced alone: if its successor cannot start, no other successor can, and all workers stay.
  const [first, ...others] = slots
  const early = first === undefined ? null : await replace(first)
  const late = early === null ? await Promise.all(others.map(replace)) : []
  await Promise.all(retiring)
  if (closing.aborted) return
  const failure = early ?? late.find((one) => one !== null) ?? null
  observe(failure === null ? { type: 'restarted' } : { type: 'restart-failed', reason: failure })
}
