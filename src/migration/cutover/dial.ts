// The dial: the share of the clients that the new side serves. Operators set it, a new CUTOVER_SHARE or
// another gateway may change it, and the guard resets it to 0. The first process has it for all workers.

import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../config/config.ts'
import type { Shares } from '../../config/cutover.ts'
import type { Observe } from '../../observe/events.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { messageOf } from '../../text.ts'
import type { ShadowVerdict } from '../shadow/comparer.ts'
import { createGuard, type Findings } from './guard.ts'
import { type DialState, openStateFile, type StateFile } from './state-file.ts'

/** The shares in force. */
export interface DialShares extends Shares {
  /** Counts how often the dial was set: the guard ignores comparisons of an earlier generation. */
  readonly generation: number
}

/** The part of the dial that a process with client connections needs. */
export interface DialLink {
  readonly shares: () => DialShares
  /** Counts a comparison for the guard. */
  readonly compared: (verdict: ShadowVerdict) => void
  /** Reports whether this process reaches the old service. */
  readonly oldIsUp: (isUp: boolean) => void
}

export type Dial = ReturnType<typeof createDial>

type DialSource = 'settings' | 'admin port' | 'state file' | 'guard'

/** Milliseconds until a change by another gateway is seen. */
const POLL_INTERVAL_MS = 1_000
const noFindings: Findings = { compared: 0, bad: 0, clients: 0, badClients: 0 }

/** @param onSet is called when the dial is set @throws CommandError if CUTOVER_STATE cannot be used */
export function createDial(
  { share: configured, guard: allowed, guardWindow, state: path }: Config['cutover'],
  observe: Observe,
  onSet: (shares: DialShares) => void,
) {
  const guard = allowed === 'off' ? null : createGuard(allowed, guardWindow)
  const file = path === null ? null : openStateFile(path)
  let isOldUp = true
  let fileProblem: string | null = null
  let state: DialState = { share: 0, events: {}, setting: configured, back: null }
  /** The state in the file when it was last read or written. */
  let saved: DialState | null = null
  let shares: DialShares = { share: 0, events: {}, generation: 0 }

  function adopt(next: DialState, source: DialSource): void {
    const before = state.share
    state = next
    const { share, events, back } = next
    shares = { share, events, generation: shares.generation + 1 }
    guard?.reset()
    onSet(shares)
    if (back === null) observe({ type: 'cutover-set', share, events, before, source })
    else {
      const { from, event, bad, compared, badClients: clients } = back
      observe({ type: 'cutover-turned-back', before: shareOf(from, event), event, bad, compared, clients })
    }
  }

  function open(): void {
    try {
      saved = file?.read() ?? null
      if (saved !== null && isDeepStrictEqual(saved.setting, configured)) adopt(saved, 'state file')
      else {
        adopt({ ...configured, setting: configured, back: null }, 'settings')
        if (file !== null) save(file)
      }
    } catch (error) {
      const problem = `CUTOVER_STATE: the file ${path} cannot be used: ${messageOf(error)}.`
      throw new CommandError(`${problem} Name another file.`)
    }
  }

  /** @returns null if the file cannot be used, or the result is null */
  function tryFile<Result>(use: (file: StateFile) => Result): Result | null {
    if (file === null) return null
    try {
      const result = use(file)
      fileProblem = null
      return result
    } catch (error) {
      const reason = messageOf(error)
      if (reason !== fileProblem) observe({ type: 'cutover-state-failed', path: file.path, reason })
      fileProblem = reason
      return null
    }
  }

  function change(source: DialSource, next: (latest: DialState) => DialState): void {
    // Another gateway may have changed the file since the last read.
    const latest = tryFile(readOther) ?? state
    adopt(next(latest), source)
    if (state !== latest) tryFile(save)
  }

  /** @returns the state that another gateway has written since the last read, or null */
  function readOther({ read }: StateFile): DialState | null {
    const found = read()
    const isKnown = isDeepStrictEqual(found, saved)
    saved = found
    return isKnown ? null : found
  }

  function save({ write }: StateFile): void {
    write(state)
    saved = state
  }

  /** Adopts a change by another gateway, or writes the file if it was lost or could not be written. */
  function poll(opened: StateFile): void {
    const other = readOther(opened)
    if (other !== null && !isDeepStrictEqual(other, state)) adopt(other, 'state file')
    else if (!isDeepStrictEqual(saved, state)) save(opened)
  }

  open()
  const polling = file === null ? undefined : setInterval(() => tryFile(poll), POLL_INTERVAL_MS).unref()
  return {
    shares: () => shares,
    compared: (verdict: ShadowVerdict) => {
      if (verdict.generation !== shares.generation) return
      const findings = guard?.record(verdict) ?? null
      // At 0, there is nothing to reset: the guard only counts the comparisons of the mirror.
      if (findings === null || shareOf(state, verdict.event) === 0) return
      const since = new Date().toISOString()
      change('guard', (latest) => {
        // Another gateway has set the dial since these comparisons.
        if (!isDeepStrictEqual(latest, state)) return latest
        const { share, events, setting } = latest
        const back = { from: { share, events }, event: verdict.event, since, ...findings }
        return { share: 0, events: {}, setting, back }
      })
    },
    oldIsUp: (isUp: boolean) => {
      isOldUp = isUp
    },
    state: () => state,
    findings: (): Findings => state.back ?? guard?.findings() ?? noFindings,
    /** Whether no process has found the old service down. */
    isOldUp: () => isOldUp,
    /** Why CUTOVER_STATE does not hold the state; null if it does. */
    fileProblem: () => fileProblem,
    /** @param event null for all events */
    set: (share: number, event: string | null) =>
      change('admin port', ({ setting, ...latest }) =>
        event === null
          ? { share, events: {}, setting, back: null }
          : { share: latest.share, events: { ...latest.events, [event]: share }, setting, back: null },
      ),
    /** Sets the dial if CUTOVER_SHARE is not what it was when the dial was set. */
    renew: (latest: Shares) => {
      if (!isDeepStrictEqual(latest, state.setting))
        change('settings', () => ({ ...latest, setting: latest, back: null }))
    },
    close: () => clearInterval(polling),
  }
}

function shareOf({ share, events }: Shares, event: string): number {
  return events[event] ?? share
}
