// Compares live replies in a worker thread, so that no request waits for it: whatever an old service sends,
// the event loop only copies it.

import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Noise, noNoise } from '../../noise.ts'
import type { Reply } from '../../stores/old-service/call.ts'
import type { Comparison, Difference, Ignored } from './difference.ts'
import { isSame } from './text.ts'

/** A reply as it is handed over: only the header that says how to read the body, and a buffer of its own. */
export interface SentReply {
  readonly status: number
  readonly headers: Pick<Reply['headers'], 'content-type'>
  readonly body: Uint8Array<ArrayBuffer>
}

/** What does not count in a comparison. */
export interface Circumstances {
  /** Of the request, as the client wrote it. */
  readonly event: string
  readonly noise: Pick<Noise, 'ignore' | 'tolerate'>
  /** What the old service answered the second time, where it was asked again. */
  readonly again: Reply | null
}

export interface Task extends Pick<Circumstances, 'event' | 'noise'> {
  readonly old: SentReply
  readonly again: SentReply | null
  readonly fresh: SentReply
}

/** A difference without its examples: they hold personal data, and are not shown. */
export type Told = Pick<Difference, 'field' | 'kind'>

export type ToldIgnored = Pick<Ignored, 'field' | 'kind' | 'reason'>

interface ToldComparison {
  readonly differences: readonly Told[]
  readonly ignored: readonly ToldIgnored[]
  /** Where the old service contradicts itself. */
  readonly unsteady: readonly Told[]
}

export interface LiveComparison extends Pick<Comparison, 'bytes'>, ToldComparison {}

export interface Result extends ToldComparison {
  /** Milliseconds that it took. */
  readonly duration: number
}

/** A comparison that did not come to an end. The message is for the log, and holds no data. */
export class ComparisonFailed extends Error {}

export interface Comparer {
  /** Comparisons are made one after the other. @throws ComparisonFailed */
  readonly compare: (old: Reply, fresh: Reply, circumstances?: Circumstances) => Promise<LiveComparison>
  /** Ends the thread. What has not been compared fails. */
  readonly close: () => void
}

/**
 * Milliseconds for a comparison, and for the start of the thread before the first one: 5 to 100, and some
 * 200.
 */
const COMPARE_TIMEOUT_MS = 5_000

/**
 * How much longer than a comparison the thread rests after it, so that it takes a quarter of a processor at
 * most: a gateway may have only one.
 */
const REST_FACTOR = 3

/**
 * Memory of the thread. A comparison within the limits of shadowing needs less than 70 MB. A thread that
 * reaches its limit may end the whole process, so that the limit is far above what is needed.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

const everythingCounts: Circumstances = { event: '', noise: noNoise, again: null }

/** What the thread runs: beside this file, and compiled like it. */
const THREAD = new URL(`./compare-thread${extname(import.meta.filename)}`, import.meta.url)

/**
 * A comparer that starts its thread for the first replies that differ. The thread does not keep the process
 * alive.
 */
export function createComparer(file = THREAD, limit = COMPARE_TIMEOUT_MS): Comparer {
  const closing = new AbortController()
  let thread: Worker | null = null
  let last = Promise.resolve()

  async function compare(
    old: Reply,
    fresh: Reply,
    circumstances: Circumstances = everythingCounts,
  ): Promise<LiveComparison> {
    if (isSame(old, fresh)) return { bytes: 'same', differences: [], ignored: [], unsteady: [] }
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    let busy = limit
    try {
      const { duration, ...told } = await compareInThread(old, fresh, circumstances)
      busy = duration
      return { bytes: 'different', ...told }
    } finally {
      const rest = sleep(REST_FACTOR * busy, undefined, { ref: false, signal: closing.signal })
      void rest.catch(() => {}).then(resolve)
    }
  }

  async function compareInThread(
    old: Reply,
    fresh: Reply,
    { event, noise, again }: Circumstances,
  ): Promise<Result> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(limit)])
    try {
      signal.throwIfAborted()
      thread ??= startThread()
      const { ignore, tolerate } = noise
      const sentAgain = again === null ? null : sent(again)
      const replies = { old: sent(old), again: sentAgain, fresh: sent(fresh) }
      const task: Task = { ...replies, event, noise: { ignore, tolerate } }
      const bodies = Object.values(replies).flatMap((reply) => (reply === null ? [] : [reply.body.buffer]))
      thread.postMessage(task, bodies)
      const [result]: Result[] = await once(thread, 'message', { signal })
      if (result === undefined) throw new Error('it has no result')
      return result
    } catch (error) {
      // One at a time: the next thread is started when this one has ended.
      await thread?.terminate()
      thread = null
      throw new ComparisonFailed(signal.aborted ? `comparing took longer than ${limit} ms` : reasonOf(error))
    }
  }

  function startThread(): Worker {
    // Neither flags nor environment: what is loaded beside the gateway, by --import say, has no part in this.
    const started = new Worker(file, { execArgv: [], env: {}, resourceLimits })
    started.unref()
    // A thread that ends between two comparisons is replaced. Without a listener, its error would end the
    // process.
    started.on('error', () => {})
    started.on('exit', () => {
      if (thread === started) thread = null
    })
    return started
  }

  return {
    compare,
    close: () => {
      closing.abort()
      void thread?.terminate()
    },
  }
}

/**
 * Copied, which takes some 20 µs: small buffers share their memory with others, and an answer is kept to be
 * sent again.
 */
function sent({ status, headers, body }: Reply): SentReply {
  const { 'content-type': type } = headers
  return {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
    body: new Uint8Array(body),
  }
}

function reasonOf(error: unknown): string {
  return `comparing failed: ${error instanceof Error ? error.message : 'for an unknown reason'}`
}
