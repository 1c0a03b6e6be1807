// The worker thread that comparer.ts starts: compares the replies that it is handed. An error ends it.

import { parentPort } from 'node:worker_threads'
import type { Reply } from '../../stores/old-service/call.ts'
import { allowanceFor } from './allowance.ts'
import { compareReplies } from './compare.ts'
import type { Result, SentReply, Task, Told } from './comparer.ts'
import { compareWithBoth, type LearnedComparison } from './learn.ts'

parentPort?.on('message', (task: Task) => {
  const started = performance.now()
  const { differences, ignored, unsteady } = comparisonOf(task)
  const result: Result = {
    differences: differences.map(told),
    ignored: ignored.map(({ reason, ...difference }) => ({ ...told(difference), reason })),
    unsteady: unsteady.map(told),
    duration: performance.now() - started,
  }
  parentPort?.postMessage(result)
})

function comparisonOf({ old, again, fresh, noise, event }: Task): LearnedComparison {
  const allow = allowanceFor(noise, event)
  const replies = { old: received(old), fresh: received(fresh) }
  if (again !== null) return compareWithBoth({ ...replies, again: received(again) }, allow)
  return { ...compareReplies(replies.old, replies.fresh, allow), unsteady: [] }
}

function told({ field, kind }: Told): Told {
  return { field, kind }
}

function received({ status, headers, body }: SentReply): Reply {
  return { status, headers, body: Buffer.from(body.buffer) }
}
