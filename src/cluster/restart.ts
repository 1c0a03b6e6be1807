// A restart without a failed request: each worker in turn gets a successor, and then time to finish.

import type { Observe } from '../observation.ts'
import { retire, untilListening, type WorkerProcess } from './worker-process.ts'
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
  for (const slot of slots) {
    // Asked to stop meanwhile: a worker that starts now would be left behind.
    if (closing.aborted) return
    const successor = start()
    const failure = await untilListening(successor)
    if (closing.aborted) return
    if (failure !== null) {
      // The others would fail, too. Those that run are left alone.
      observe({ type: 'restart-failed', reason: failure })
      return
    }
    const predecessor = slot.current()
    slot.put(successor)
    await retire(predecessor)
  }
  observe({ type: 'restarted' })
}
