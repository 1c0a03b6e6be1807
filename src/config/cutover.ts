// The texts of CUTOVER_SHARE and CUTOVER_PINS.

import { fieldNames } from '../legacy/events.ts'
import { nearest } from '../spelling.ts'
import { shorten, visible } from '../text.ts'
import { isAddressRange, parseShare } from './kinds.ts'

/** The dial: the share of the clients on the new side, and the shares of events that have their own. */
export interface Shares {
  readonly share: number
  readonly events: Readonly<Record<string, number>>
}

/** Requests that have a side of their own: those of an address or a range, or those with a header. */
export type SidePin = { readonly side: 'old' | 'new' } & (
  | { readonly range: string }
  /** The name in lower case. */
  | { readonly header: string; readonly text: string }
)

export const allowedPins =
  'ADDRESS=SIDE, user-agent:TEXT=SIDE or HEADER:VALUE=SIDE, comma-separated, such as 203.0.113.0/24=new, x-team:qa=old'
export const allowedShares =
  'a number from 0 to 1, and others for events after it, such as 0.1, AppLookup=0.5'
/** The names of events that may have a share. */
export const shareEvents: readonly string[] = Object.keys(fieldNames)

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

/** @returns the reason if the text has no pins */
export function readPins(text: string): readonly SidePin[] | string {
  const pins: SidePin[] = []
  for (const part of partsOf(text)) {
    const [, who = '', side] = /^(.*\S)\s*=\s*(old|new)$/.exec(part) ?? []
    if (side !== 'old' && side !== 'new') return `${shown(part)} ends neither with =old nor with =new`
    const [, name, value] = /^([\w!#$%&'*+.^|~`-]{1,64}):\s*(.{1,200})$/.exec(who) ?? []
    if (isAddressRange(who)) pins.push({ side, range: who })
    else if (likeAddress.test(who)) return `${shown(who)} is not a valid address or range`
    else if (name !== undefined && value !== undefined)
      pins.push({ side, header: name.toLowerCase(), text: value })
    else return `${shown(who)} is neither an address nor a header with a text`
  }
  return pins
}

/** Most misspelt addresses of IPv6, and those with a port, could also be a header with a text. */
const likeAddress = /^\d|^[\da-f:]*::/i

const partsOf = (text: string) => text.split(',').map((part) => part.trim())

function meant(name: string): string {
  const like = nearest(name, shareEvents)
  return like === null ? ` (there are ${shareEvents.join(', ')})` : ` (did you mean ${like}?)`
}

const shown = (text: string) => visible(shorten(text, 40)) || 'nothing'
