import { fingerprint } from '../../../fingerprint.ts'

/** Characters up to which a list is so short that looking through what was found is the fastest. */
const MAX_LIST_FOR_SCAN = 64

/**
 * The segments of a colon-separated list that are not empty, each at its first place; of more than `most`,
 * one more than that. A Set would do the same at several times the cost: here a segment is compared only with
 * those that share its slot of a table.
 */
export function distinctSegments(list: string, most: number): string[] {
  const distinct: string[] = []
  // A segment and its colon are two characters at least, so half of the slots stay free.
  const slots =
    list.length < MAX_LIST_FOR_SCAN ? null : new Uint16Array(2 ** Math.ceil(Math.log2(list.length + 1)))
  let start = 0
  while (start < list.length && distinct.length <= most) {
    const colon = list.indexOf(':', start)
    const end = colon === -1 ? list.length : colon
    if (end > start) {
      const segment = list.slice(start, end)
      if (slots === null ? !distinct.includes(segment) : addIfNew(segment, slots, distinct))
        distinct.push(segment)
    }
    start = end + 1
  }
  return distinct
}

/** The segments that are not empty, as often as they come; of more than `most`, one more than that. */
export function allSegments(list: string, most: number): string[] {
  const segments: string[] = []
  let start = 0
  while (start < list.length && segments.length <= most) {
    const colon = list.indexOf(':', start)
    const end = colon === -1 ? list.length : colon
    if (end > start) segments.push(list.slice(start, end))
    start = end + 1
  }
  return segments
}

/**
 * Notes in the table that a segment comes next among the distinct ones, unless it is there. @returns whether
 * it is new
 */
function addIfNew(segment: string, slots: Uint16Array, distinct: readonly string[]): boolean {
  const last = slots.length - 1
  let slot = fingerprint(segment) & last
  for (let place = slots[slot] ?? 0; place !== 0; place = slots[slot] ?? 0) {
    if (distinct[place - 1] === segment) return false
    slot = (slot + 1) & last
  }
  slots[slot] = distinct.length + 1
  return true
}
