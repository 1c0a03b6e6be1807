// Whether a server is used. A query that fails, or waits too long, makes it suspect: others are preferred, and
// it is probed at once. Only a probe takes it out and only a probe brings it back, so that no client's request
// has to find out. Where lookups go on failing though the probes do not, a breaker keeps it as a last resort.

import { AsyncResource } from 'node:async_hooks'
import type { Observe } from '../../observe/events.ts'
import type { ErrorKinds } from './errors.ts'
import { type ServerState, stateAfter } from './examination.ts'
import { Lag } from './lag.ts'
import { Diverged } from './replication.ts'
import { SilentTable } from './table-probe.ts'

/** Milliseconds between two probes of a server that is used, and of one that is out, or may be soon fit. */
const PAUSE = { used: 1000, out: 250 }
/** So many failures in a row open the breaker, whatever the probes say, */
const FAILURES_UNTIL_OUT = 5
/** for so many milliseconds. */
const OUT_MS = 1000

interface Health {
  /** What its last probe came to. */
  readonly state: () => ServerState
  /** Whether its data are not the primary's. */
  readonly isDiverged: () => boolean
  /** What its last probe found out about a table that gives no answer. */
  readonly silence: () => SilentTable | null
  /** When it could last be used, on the clock of `performance`: now, unless it is out. */
  readonly lastUsed: () => number
  readonly isSuspect: () => boolean
  readonly succeeded: () => void
  readonly failed: (error: unknown) => void
  /** A query has had no answer for a while. */
  readonly suspect: () => void
  /** Probes it now. @throws where it is not fit to be used */
  readonly probe: () => Promise<void>
  readonly close: () => void
}

/**
 * @param examine throws where the server is not fit to be used
 * @param onOut called when it goes out
 */
export function watchHealth(
  address: string,
  examine: () => Promise<void>,
  onOut: () => void,
  observe: Observe,
  errors: ErrorKinds,
): Health {
  let state: ServerState = 'fit'
  /** The state that was logged last. */
  let told: ServerState = 'fit'
  let diverged = false
  let silence: SilentTable | null = null
  let isSuspect = false
  let failures = 0
  let openUntil = 0
  let outSince = 0
  let probing: Promise<void> | null = null
  let closed = false

  function failed(error: unknown): void {
    if (++failures >= FAILURES_UNTIL_OUT && state === 'fit') {
      failures = 0
      openUntil = performance.now() + OUT_MS
      change('faulty', error)
    }
    suspect()
  }

  function suspect(): void {
    isSuspect = true
    probe().catch(() => {})
  }

  // A probe, and those that follow it, are no part of the request whose query was slow: neither in its trace,
  // nor a reason to keep what belongs to it.
  const probe = AsyncResource.bind(startProbe)

  function startProbe(): Promise<void> {
    probing ??= examine()
      .then(
        () => {
          isSuspect = false
          diverged = false
          silence = null
          if (performance.now() >= openUntil) change('fit', null)
        },
        (error: unknown) => {
          judge(error)
          throw error
        },
      )
      .finally(() => {
        probing = null
        schedule()
      })
    return probing
  }

  function judge(error: unknown): void {
    // That it lags is the smaller news.
    const isNews = error instanceof Diverged && !diverged
    diverged ||= isNews
    silence = error instanceof SilentTable ? error : null
    change(stateAfter(error, errors), error, isNews)
  }

  function change(to: ServerState, why: unknown, isNews = false): void {
    if (closed) return
    if (to !== state) {
      state = to
      if (to === 'out') goOut()
    }
    // Soon after the start, a standby that is well may seem to lag.
    const isCertain = !(why instanceof Lag) || why.isCertain
    if (!isCertain || (to === told && !isNews)) return
    told = to
    observe(
      to === 'fit'
        ? { type: 'server-back', server: address }
        : { type: 'server-out', server: address, reason: errors.describeError(why) },
    )
  }

  function goOut(): void {
    outSince = performance.now()
    // Once it is back, it is another server than the one that failed.
    openUntil = 0
    onOut()
  }

  function schedule(): void {
    clearTimeout(next)
    if (closed) return
    const isUnclear = state === 'out' || state !== told || silence !== null
    next = setTimeout(() => probe().catch(() => {}), isUnclear ? PAUSE.out : PAUSE.used).unref()
  }
  let next: NodeJS.Timeout | undefined
  schedule()

  return {
    state: () => state,
    isDiverged: () => diverged,
    silence: () => silence,
    lastUsed: () => (state === 'out' ? outSince : performance.now()),
    isSuspect: () => isSuspect,
    succeeded: () => {
      failures = 0
    },
    failed,
    suspect,
    probe,
    close: () => {
      closed = true
      clearTimeout(next)
    },
  }
}
