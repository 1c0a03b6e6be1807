// The circuit breaker: notices that the old service is down, so that no request waits for it, and that it is
// back. Requests of one client may fail while the service is well, so the health check decides.

import { setTimeout as pause } from 'node:timers/promises'

/** Failures in a row, without a response since the first of them began. */
const MAX_FAILURES = 3
/** Milliseconds for the first health check. */
const DOUBT_MS = 250
/** Milliseconds between two health checks of a service that is down. */
const PROBE_INTERVAL_MS = 250

interface BreakerOptions {
  /** @returns whether the health check got any response */
  readonly probe: (signal: AbortSignal) => Promise<boolean>
  readonly onOut: (reason: string) => void
  readonly onBack: () => void
}

export function createBreaker({ probe, onOut, onBack }: BreakerOptions) {
  const closing = new AbortController()
  const { signal } = closing
  let failures = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  let isOut = false
  let isInDoubt = false

  function noteAnswer(): void {
    answeredAt = performance.now()
    failures = 0
    if (!isOut) return
    isOut = false
    onBack()
  }

  async function check(reason: string): Promise<void> {
    isInDoubt = true
    const began = performance.now()
    if (await probe(AbortSignal.any([signal, AbortSignal.timeout(DOUBT_MS)]))) noteAnswer()
    isInDoubt = false
    if (answeredAt > began || signal.aborted) return
    isOut = true
    onOut(reason)
    while (isOut && !signal.aborted) {
      if (await probe(signal)) noteAnswer()
      else await pause(PROBE_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** @param began when the request was sent (`performance.now()`) */
  function noteFailure(began: number, reason: string): void {
    // If the service has answered others meanwhile, only this request failed.
    if (isOut || isInDoubt || answeredAt > began || ++failures < MAX_FAILURES) return
    void check(reason)
  }

  return { isOpen: () => isOut, noteAnswer, noteFailure, close: () => closing.abort() }
}
