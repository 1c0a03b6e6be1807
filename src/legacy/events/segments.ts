const COLON = 0x3a

/** Characters up to which a list is so short that looking through what was found is the fastest. */
const SHORT = 64

/** Differs from process to process, so that nobody can send segments of which it is known that they share a slot. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0

/**
 * The segments of a colon-separated list that are not empty, each at its first place; of more than `most`, one more
 * than that. A Set would do the same at several times the cost: here each segment is hashed (FNV-1a) while its end is
 * looked for, and compared only with those that share its slot of a table.
 */
export function distinctSegments(list: string, most: number): string[] {
  const distinct: string[] = []
  // A segment and its colon are two characters at least, so half of the slots stay free.
  const slots = list.length < SHORT ? null : new Uint16Array(2 ** Math.ceil(Math.log2(list.length + 1)))
  let start = 0
  let hash = SEED
  for (let at = 0; at <= list.length; at++) {
    const unit = at === list.length ? COLON : list.charCodeAt(at)
    if (unit !== COLON) {
      hash = Math.imul(hash ^ unit, 0x01000193)
      continue
    }
    if (at > start) {
      const segment = list.slice(start, at)
      if (slots === null ? !distinct.includes(segment) : addIfNew(segment, hash, slots, distinct))
        distinct.push(segment)
    }
    if (distinct.length > most) break
    start = at + 1
    hash = SEED
  }
  return distinct
}

/** Notes in the table that a segment comes next among the distinct ones, unless it is there. @returns whether it is new */
function addIfNew(segment: string, hash: number, slots: Uint16Array, distinct: readonly string[]): boolean {
  const last = slots.length - 1
  let slot = (hash ^ (hash >>> 15)) & last
  for (let place = slots[slot] ?? 0; place !== 0; place = slots[slot] ?? 0) {
    if (distinct[place - 1] === segment) return false
    slot = (slot + 1) & last
  }
  slots[slot] = distinct.length + 1
  return true
}
