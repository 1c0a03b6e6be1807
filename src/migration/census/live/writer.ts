import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Visit, WriterPlace, Written } from './visit.ts'

export interface Writer {
  /** One batch at a time. @returns why it was not written, or `null` where it was */
  readonly write: (visits: readonly Visit[]) => Promise<Written>
  readonly close: () => void
}

/** Memory of the thread: far more than a batch takes, since a thread at its limit may end the process. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }

/** What the thread runs: beside this file, and compiled like it. */
const THREAD = new URL(`./write-thread${extname(import.meta.filename)}`, import.meta.url)

/** Starts its thread for the first batch. The thread does not keep the process alive. */
export function createWriter(place: WriterPlace): Writer {
  let thread: Worker | null = null

  function startThread(): Worker {
    // Neither flags nor environment: what is loaded beside the gateway, by --import say, has no part in this.
    const started = new Worker(THREAD, { execArgv: [], env: {}, resourceLimits, workerData: place })
    started.unref()
    // Without a listener, its error would end the process.
    started.on('error', () => {})
    started.on('exit', () => {
      if (thread === started) thread = null
    })
    return started
  }

  return {
    write: async (visits) => {
      thread ??= startThread()
      const ended = new AbortController()
      const end = () => ended.abort()
      thread.once('exit', end)
      try {
        thread.postMessage(visits)
        const [said]: Written[] = await once(thread, 'message', { signal: ended.signal })
        return said ?? null
      } catch (error) {
        return `the thread that writes it ended: ${error instanceof Error ? error.message : error}`
      } finally {
        thread?.off('exit', end)
      }
    },
    close: () => void thread?.terminate(),
  }
}
