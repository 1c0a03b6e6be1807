// Sends each distinct request to both services, and settles what came of it.

import { type Clock, systemClock } from '../../clock.ts'
import type { Noise } from '../../config/noise.ts'
import type { Call, Reply } from '../../stores/old-service/call.ts'
import { compareReplies, compareWithBoth, LEARN_DELAY_MS } from '../compare/compare.ts'
import { allowanceFor } from '../compare/difference.ts'
import { askedBy } from '../logs/legacy.ts'
import { type Pace, wait } from '../pace.ts'
import { answerOf, Failure, untilAnswered } from './ask.ts'
import type { Ledger } from './ledger.ts'
import type { CountedRequest, ResponsePair } from './settled.ts'

interface ReplayOptions {
  readonly old: Call
  readonly new: Call
  readonly noise: Noise
  readonly pace: Pace
  /** Requests under way at a time, to each of the two. */
  readonly connections: number
  /** Distinct requests that are sent at most in this run. */
  readonly most: number
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
  readonly onProgress: (sent: number) => void
}

/**
 * Requests in a row that fail, after which it is asked whether anything still works: otherwise more of them
 * are no use.
 */
const FAILURES_UNTIL_CHECK = 20

/** Requests are taken from the disk by so many. */
const BATCH_REQUESTS = 100

/**
 * Requests that wait until the old service is asked again while others are sent, and bytes of their two
 * answers: 32 MiB together. Whatever is beyond waits in the place of the next one.
 */
const MAX_HELD = 256
const MAX_HELD_BYTES = 128 * 1024

/**
 * How it ended: all is sent, it was interrupted, one of the two services is in trouble, or nothing was
 * answered, and one cannot be asked under its address.
 */
export type Ending = 'sent' | 'interrupted' | { readonly failure: string } | { readonly unusable: string }

/** A request whose answers differ, until the old service is asked again. */
interface Held {
  readonly request: CountedRequest
  readonly old: Reply
  readonly fresh: Reply
  readonly due: number
}

export async function runReplay(ledger: Ledger, options: ReplayOptions): Promise<Ending> {
  const { pace, connections, signal, clock = systemClock, onProgress } = options
  let waiting: CountedRequest[] = []
  /** In the order in which they are due. */
  const held: Held[] = []
  let allowed = options.most
  let sent = 0
  let failedInARow = 0
  let failure: string | null = null
  let redirected: string | null = null
  let control: string | null = null

  function nextRequest(): CountedRequest | undefined {
    if (waiting.length === 0) waiting = ledger.take(Math.min(BATCH_REQUESTS, allowed))
    allowed -= waiting.length > 0 ? 1 : 0
    return waiting.shift()
  }

  async function work(): Promise<void> {
    while (!signal.aborted && failure === null) {
      const isDue = held[0] !== undefined && held[0].due <= clock.now()
      const request = isDue ? undefined : nextRequest()
      const again = request === undefined ? held.shift() : undefined
      if (request !== undefined) await compareFirst(request)
      else if (again !== undefined) await compareAgain(again)
      else return
    }
  }

  async function compareFirst(request: CountedRequest): Promise<void> {
    const answers = await askBoth(request.query, options)
    if (answers instanceof Failure) return fail(request, answers)
    const { old, fresh } = answers
    const comparison = compareReplies(old, fresh, allowanceOf(request, options))
    if (!options.noise.learn || comparison.verdict !== 'different')
      return settle(request, { comparison, old, fresh })
    const one = { request, old, fresh, due: clock.now() + LEARN_DELAY_MS }
    if (held.length < MAX_HELD && old.body.length + fresh.body.length <= MAX_HELD_BYTES) held.push(one)
    else await compareAgain(one)
  }

  async function compareAgain({ request, old, fresh, due }: Held): Promise<void> {
    await wait(Math.max(0, due - clock.now()), signal, clock)
    const again = await untilAnswered(() => answerOf('old', options.old, request.query, signal), options)
    if (again instanceof Failure) return fail(request, again)
    const comparison = compareWithBoth({ old, again, fresh }, allowanceOf(request, options))
    settle(request, { comparison, old, fresh })
  }

  function settle(request: CountedRequest, compared: ResponsePair): void {
    if (signal.aborted) return
    onProgress(++sent)
    failedInARow = 0
    control = request.query
    ledger.settle(request, compared)
  }

  async function fail(request: CountedRequest, { reason, isRedirected }: Failure): Promise<void> {
    if (signal.aborted) return
    onProgress(++sent)
    ledger.fail(request, reason)
    if (isRedirected) redirected ??= reason
    if (++failedInARow % FAILURES_UNTIL_CHECK === 0 && !(await isWell(options, control))) failure ??= reason
  }

  const ask = async () => {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  await pace(signal).catch(() => {})
  await Promise.all(Array.from({ length: connections }, ask))
  if (signal.aborted) return 'interrupted'
  if (redirected !== null && control === null) return { unusable: redirected }
  return failure === null ? 'sent' : { failure }
}

function allowanceOf({ query }: CountedRequest, { noise }: ReplayOptions) {
  return allowanceFor(noise, askedBy(query).event)
}

/** At the same moment, so that the data has no time to change in between. */
async function askBoth(
  query: string,
  options: ReplayOptions,
): Promise<{ readonly old: Reply; readonly fresh: Reply } | Failure> {
  return untilAnswered(async () => {
    const [old, fresh] = await askOnce(query, options)
    if (!(old instanceof Failure || fresh instanceof Failure)) return { old, fresh }
    const failures = [old, fresh].filter((answer) => answer instanceof Failure)
    const [{ reason, isRedirected } = new Failure('')] = failures
    return new Failure(reason, Math.max(...failures.map(({ wait }) => wait)), isRedirected)
  }, options)
}

function askOnce(query: string, { old, new: fresh, signal }: ReplayOptions) {
  return Promise.all([answerOf('old', old, query, signal), answerOf('new', fresh, query, signal)])
}

/**
 * Whether both answer a request that they have answered before: some requests may be too much for one of
 * them.
 */
async function isWell(options: ReplayOptions, control: string | null): Promise<boolean> {
  if (control === null) return false
  await options.pace(options.signal)
  const answers = await askOnce(control, options)
  return answers.every((answer) => !(answer instanceof Failure))
}
