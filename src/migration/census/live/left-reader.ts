import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Said } from './left-thread.ts'

/** Memory of the thread: it keeps sums only. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }
/** Milliseconds for which what was read is good: gateways write each minute. */
const KEPT_MS = 60_000
/** A file that takes long to read is read less often: one part in so many of the time. */
const SPARED = 20

const THREAD = new URL(`./left-thread${extname(import.meta.filename)}`, import.meta.url)

/** @returns what reads the file, unless it was read lately */
export function createLeftReader(file: string): () => Promise<Said> {
  let reading: Promise<Said> | null = null
  return () => {
    if (reading !== null) return reading
    const start = performance.now()
    reading = readInThread(file).finally(() => {
      const took = performance.now() - start
      setTimeout(
        () => {
          reading = null
        },
        Math.max(KEPT_MS, SPARED * took),
      ).unref()
    })
    return reading
  }
}

async function readInThread(file: string): Promise<Said> {
  const thread = new Worker(THREAD, { execArgv: [], env: {}, resourceLimits, workerData: file })
  thread.unref()
  try {
    const [said]: Said[] = await once(thread, 'message')
    return said ?? { reason: 'the thread that reads it said nothing' }
  } catch (error) {
    return { reason: `the thread that reads it ended: ${error instanceof Error ? error.message : error}` }
  } finally {
    void thread.terminate()
  }
}
