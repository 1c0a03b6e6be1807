// The worker thread that comparer.ts starts: compares the replies that it is handed. An error ends it.

import { parentPort } from 'node:worker_threads'
import type { Reply } from '../../stores/old-service/call.ts'
import { compareReplies } from './compare.ts'
import type { Result, SentReply, Task } from './comparer.ts'

parentPort?.on('message', ({ old, fresh }: Task) => {
  const started = performance.now()
  const { differences } = compareReplies(received(old), received(fresh))
  const told = differences.map(({ field, kind }) => ({ field, kind }))
  const result: Result = { differences: told, duration: performance.now() - started }
  parentPort?.postMessage(result)
})

function received({ status, headers, body }: SentReply): Reply {
  return { status, headers, body: Buffer.from(body.buffer) }
}
