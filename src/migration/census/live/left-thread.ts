// A thread that reads a census file: no request waits for it, however large the file is.

import { parentPort, workerData } from 'node:worker_threads'
import { type Left, readLeft } from './left.ts'

/** What was read, `null` where there is no census yet; or why it could not be. */
export type Said = { readonly left: Left | null } | { readonly reason: string }

function said(): Said {
  try {
    return { left: readLeft(workerData) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.postMessage(said())
