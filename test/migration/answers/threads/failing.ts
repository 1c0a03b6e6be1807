// A worker thread that does to a comparer whatever the old reply says.

import { parentPort } from 'node:worker_threads'
import type { Task } from '../../../../src/migration/answers/comparer.ts'

parentPort?.on('message', ({ old }: Task) => {
  switch (Buffer.from(old.body).toString()) {
    case 'compute for ever':
      for (;;);
    case 'throw':
      throw new Error('a mistake of ours')
    case 'exit':
      return process.exit(3)
    case 'exit later':
      setTimeout(() => process.exit(3), 20)
  }
  parentPort?.postMessage({ differences: [], ignored: [], unsteady: [], duration: 0 })
})
