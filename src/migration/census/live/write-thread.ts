// A thread that writes: a disk that hangs keeps no request waiting.

import { parentPort, workerData } from 'node:worker_threads'
import type { Visit, Written } from './visit.ts'
import { writeVisits } from './write.ts'

parentPort?.on('message', (visits: readonly Visit[]) => {
  let said: Written = null
  try {
    writeVisits(workerData, visits)
  } catch (error) {
    said = error instanceof Error ? error.message : String(error)
  }
  parentPort?.postMessage(said)
})
