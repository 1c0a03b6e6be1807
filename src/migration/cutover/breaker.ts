// Notices that the old service is down, so that no request waits for it, and that it is back. Requests of one
// client may fail while the service is well: before it counts as down, it is asked what it has answered
// before.

import { setTimeout as pause } from 'node:timers/promises'

/** Failures in a row, without an answer since the first of them began. */
const MAX_FAILURES = 3
/** Milliseconds that a service which others say is down has to answer. */
const DOUBT_MS = 250
/** Milliseconds between two looks at a service that is down. */
const PROBE_INTERVAL_MS = 250

interface Breaker {
  /** Whether the service is down, as far as is known. */
  readonly isOpen: () => boolean
  readonly noteAnswer: () => void
  /** @param began when the request was sent (`performance.now()`) */
  readonly noteFailure: (began: number, reason: string) => void
  readonly close: () => void
}

interface BreakerOptions {
  /** Asks the service. @returns whether any answer came */
  readonly probe: (signal: AbortSignal) => Promise<boolean>
  readonly onOut: (reason: string) => void
  readonly onBack: () => void
}

export function createBreaker({ probe, onOut, onBack }: BreakerOptions): Breaker {
  const closing = new AbortController()
  const { signal } = closing
  let failures = 0
  let answered = Number.NEGATIVE_INFINITY
  let open = false
  let isInDoubt = false

  function noteAnswer(): void {
    answered = performance.now()
    failures = 0
    if (!open) return
    open = false
    onBack()
  }

  async function ask(reason: string): Promise<void> {
    isInDoubt = true
    const asked = performance.now()
    if (await probe(AbortSignal.any([signal, AbortSignal.timeout(DOUBT_MS)]))) noteAnswer()
    isInDoubt = false
    if (answered > asked || signal.aborted) return
    open = true
    onOut(reason)
    await look()
  }

  async function look(): Promise<void> {
    while (open && !signal.aborted) {
      if (await probe(signal)) noteAnswer()
      else await pause(PROBE_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  function noteFailure(began: number, reason: string): void {
    // It has answered others meanwhile: the failure is that of this request.
    if (open || isInDoubt || answered > began || ++failures < MAX_FAILURES) return
    void ask(reason)
  }

  return { isOpen: () => open, noteAnswer, noteFailure, close: () => closing.abort() }
}
