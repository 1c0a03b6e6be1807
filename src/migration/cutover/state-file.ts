// CUTOVER_STATE: the dial in a file, which outlives the process and which several gateways may share. Keys
// may be added, but gateways of two versions may share a file, so no key may change. If a state is lost,
// clients go back to a side that the guard or an operator has left.

import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type Shares, shareEvents } from '../../config/cutover.ts'
import type { Findings } from './guard.ts'

export interface DialState extends Shares {
  /** CUTOVER_SHARE when the dial was set. Another CUTOVER_SHARE sets the dial anew. */
  readonly setting: Shares
  /** Why the guard has turned the dial back; null if it has not. */
  readonly back: GuardTrip | null
}

interface GuardTrip extends Findings {
  readonly from: Shares
  readonly event: string
  readonly since: string
}

export interface StateFile {
  readonly path: string
  /** @returns null if there is no file @throws Error with the reason if the file is something else */
  readonly read: () => DialState | null
  /** Replaces the file: readers see the old text or the new one. @throws Error with the reason */
  readonly write: (state: DialState) => void
}

/** Bytes. A state has about 500. */
const MAX_BYTES = 64 * 1024

export function openStateFile(path: string): StateFile {
  return {
    path,
    read: () => {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found === undefined) return null
      if (!found.isFile()) throw new Error('it is no regular file')
      return parseState(found.size > MAX_BYTES ? '' : readFileSync(path, 'utf8'))
    },
    write: (state) => {
      // A symbolic link, such as one into a shared volume, must stay one.
      const target = existsSync(path) ? realpathSync(path) : path
      const temporary = `${target}.${randomUUID()}`
      try {
        writeFileSync(temporary, `${JSON.stringify(state, null, 2)}\n`, { flush: true })
        renameSync(temporary, target)
      } catch (error) {
        rmSync(temporary, { force: true })
        throw error
      }
    },
  }
}

/** @throws Error if the text is not a state, such as another file by mistake */
function parseState(text: string): DialState {
  try {
    const { setting, back, ...shares }: DialState = JSON.parse(text)
    if ([shares, setting, ...(back === null ? [] : [back.from])].every(areShares)) {
      return { ...shares, setting, back }
    }
  } catch {}
  throw new Error('it is not the state of a dial')
}

function areShares({ share, events }: Shares): boolean {
  const isShare = (value: number) => typeof value === 'number' && value >= 0 && value <= 1
  return (
    isShare(share) &&
    Object.entries(events).every(([name, value]) => shareEvents.includes(name) && isShare(value))
  )
}
