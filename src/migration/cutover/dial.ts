// The dial of all processes: how much of the traffic the new side answers, and what may turn it back.

import type { Observe, ShadowResult } from '../../observe/events.ts'
import { type Compared, createGuard } from './guard.ts'
import { addTally, emptyTally, type Tally } from './tally.ts'

/** What a process that answers requests has to do with the dial. */
export interface DialLink {
  /** The share in force. */
  readonly share: () => number
  /** Says what comparing answers came to. */
  readonly compared: (result: ShadowResult, count: number) => void
  readonly answered: (tally: Tally) => void
  /** Says whether the old service is up, as this process sees it. */
  readonly oldIsUp: (isUp: boolean) => void
}

/** Where the dial stands. */
interface DialState {
  /** In force. */
  readonly share: number
  readonly set: number
  readonly guard: Compared & {
    /** `back`: it has turned the dial back. */
    readonly state: 'off' | 'watching' | 'back'
    /** Since when it is back. */
    readonly since: string | null
  }
  readonly tally: Tally
  /** Whether no process has found the old service down. */
  readonly isOldUp: boolean
}

export interface Dial extends DialLink {
  readonly state: () => DialState
  readonly set: (share: number, source: 'settings' | 'admin port') => void
}

interface DialOptions {
  readonly share: number
  readonly guard: number | 'off'
  readonly guardWindow: number
  readonly observe: Observe
  /** Called with each share that comes into force. */
  readonly onShare: (share: number) => void
}

/** What the comparisons say; the others say nothing of the new side. */
const isBad: Partial<Record<ShadowResult, boolean>> = {
  bytes: false,
  meaning: false,
  ignored: false,
  different: true,
  'gateway-failed': true,
}

export function createDial({
  share: start,
  guard: allowed,
  guardWindow,
  observe,
  onShare,
}: DialOptions): Dial {
  const guard = allowed === 'off' ? null : createGuard(allowed, guardWindow)
  const tally = emptyTally()
  let chosen = start
  let back: (Compared & { readonly since: string }) | null = null
  let isOldUp = true

  const share = () => (back === null ? chosen : 0)

  function set(wanted: number, source: 'settings' | 'admin port'): void {
    const before = share()
    chosen = wanted
    back = null
    guard?.forget()
    onShare(share())
    observe({ type: 'cutover-set', share: wanted, before, source })
  }

  function compared(result: ShadowResult, count: number): void {
    const bad = isBad[result]
    // What is still on its way when the dial has been turned back says nothing new.
    if (guard === null || bad === undefined || share() === 0) return
    if (!guard.note(bad, count)) return
    back = { ...guard.now(), since: new Date().toISOString() }
    onShare(0)
    observe({ type: 'cutover-turned-back', before: chosen, bad: back.bad, compared: back.compared })
  }

  observe({ type: 'cutover-set', share: start, before: 0, source: 'settings' })
  return {
    share,
    set,
    compared,
    answered: (more) => addTally(tally, more),
    oldIsUp: (isUp) => {
      isOldUp = isUp
    },
    state: () => ({
      share: share(),
      set: chosen,
      guard: {
        ...(back ?? guard?.now() ?? { compared: 0, bad: 0 }),
        state: guard === null ? 'off' : back === null ? 'watching' : 'back',
        since: back?.since ?? null,
      },
      tally,
      isOldUp,
    }),
  }
}
