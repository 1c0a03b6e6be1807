// The texts of CUTOVER_SHARE and CUTOVER_PINS.

import { fieldNames } from '../legacy/events.ts'
import { isAddressRange, parseShare } from './kinds.ts'
import { readAll, shown } from './lists.ts'
import { headerName } from './old-service.ts'

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
  const read = readAll(text, (entry) => {
    const [, event = null, written = ''] = /^(?:([^=]*?)\s*=\s*)?([^=]*)$/.exec(entry) ?? []
    const share = parseShare(written)
    if (share === undefined) return `${shown(entry)} has no number from 0 to 1`
    const isEvent = event === null || shareEvents.includes(event)
    return isEvent ? { event, share } : `there is no event ${shown(event)}`
  })
  if (typeof read === 'string') return read
  if (new Set(read.map(({ event }) => event)).size < read.length) return 'an event has two shares'
  const events = read.flatMap(({ event, share }) => (event === null ? [] : [[event, share] as const]))
  const general = read.find(({ event }) => event === null)
  return { share: general?.share ?? 0, events: Object.fromEntries(events) }
}

/** @returns the reason if the text has no pins */
export const readPins = (text: string) => readAll(text, readPin)

function readPin(entry: string): SidePin | string {
  const [, who = '', side] = /^(.*\S)\s*=\s*(old|new)$/.exec(entry) ?? []
  if (side !== 'old' && side !== 'new') return `${shown(entry)} ends neither with =old nor with =new`
  if (isAddressRange(who)) return { side, range: who }
  const [, name, text] = headerWithText.exec(who) ?? []
  if (name === undefined || text === undefined || likeAddress.test(who))
    return `${shown(who)} is neither a valid address or range, nor a header with a text`
  return { side, header: name.toLowerCase(), text }
}

const headerWithText = new RegExp(String.raw`^(${headerName}):\s*(.{1,200})$`)
/** Most misspelt addresses of IPv6, and those with a port, could also be a header with a text. */
const likeAddress = /^\d|^[\da-f:]*::/i
