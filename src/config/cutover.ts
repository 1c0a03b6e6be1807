// The text of CUTOVER_SHARE.

import { fieldNames } from '../legacy/events.ts'
import { nearest } from '../spelling.ts'
import { shorten, visible } from '../text.ts'

/** The dial: the share of the clients on the new side, and the shares of events that have their own. */
export interface Shares {
  readonly share: number
  readonly events: Readonly<Record<string, number>>
}

export const allowedShares =
  'a number from 0 to 1, and others for events after it, such as 0.1, AppLookup=0.5'
/** The names of events that may have a share. */
export const shareEvents: readonly string[] = Object.keys(fieldNames)

export function parseShare(text: string): number | undefined {
  return /^(?:0|1|[01]?\.\d{1,9}|1\.0+)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined
}

/** @returns the reason if the text has no shares */
export function readShares(text: string): Shares | string {
  const events: Record<string, number> = {}
  let general: number | null = null
  for (const part of partsOf(text)) {
    const [, event = null, written = ''] = /^(?:([^=]*?)\s*=\s*)?([^=]*)$/.exec(part) ?? []
    const share = parseShare(written)
    if (share === undefined) return `${shown(part)} has no number from 0 to 1`
    if (event !== null && !shareEvents.includes(event))
      return `no event is called ${shown(event)}${meant(event)}`
    if (event === null ? general !== null : event in events) return `${shown(part)} is the second one`
    if (event === null) general = share
    else events[event] = share
  }
  return { share: general ?? 0, events }
}

const partsOf = (text: string) => text.split(',').map((part) => part.trim())

function meant(name: string): string {
  const like = nearest(name, shareEvents)
  return like === null ? ` (there are ${shareEvents.join(', ')})` : ` (did you mean ${like}?)`
}

const shown = (text: string) => visible(shorten(text, 40)) || 'nothing'
