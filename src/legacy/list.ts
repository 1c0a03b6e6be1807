// The list of values: text → values.

import { fingerprint } from '../fingerprint.ts'
import type { Dialect } from './dialect.ts'

/** Splits a list. A list of more than `most` values may end early, with one value more than that. */
type SplitList = (list: string, most: number) => string[]

export function listSplitter({ commas, trim, emptyValues, repeatedValues }: Dialect['read']): SplitList {
  if (!commas && !trim && emptyValues === 'drop' && repeatedValues === 'once') return distinctValues
  const separator = commas ? /[:,]/ : ':'
  return (list) => {
    if (list === '') return []
    let values = list.split(separator)
    // The split of Java, Perl and Ruby does this by itself, before a service can trim what it returns.
    if (emptyValues === 'drop at the end')
      values = values.slice(0, values.findLastIndex((value) => value !== '') + 1)
    if (trim) values = values.map(trimmed)
    if (emptyValues === 'drop') values = values.filter((value) => value !== '')
    return repeatedValues === 'once' ? [...new Set(values)] : values
  }
}

/** What PHP's trim() removes. */
const BLANKS = ' \t\n\r\0\v'

function trimmed(text: string): string {
  let start = 0
  while (start < text.length && BLANKS.includes(text.charAt(start))) start++
  return withoutEnd(text.slice(start), BLANKS)
}

/**
 * A text without these characters at its end. A regex takes quadratic time on a run of blanks: 3 s for the
 * 60 KB that a request may have.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Characters of a list up to which a scan of the values found so far is faster than a hash table. */
const MAX_SCANNED_LIST = 64

/**
 * The values of a colon-separated list without empty and repeated ones, up to one more than `most`. A Set
 * costs several times as much: here a value is compared only with the values in its slot of a hash table.
 */
function distinctValues(list: string, most: number): string[] {
  const distinct: string[] = []
  // A value and its colon are at least two characters, so at least half of the slots are free.
  const slots =
    list.length < MAX_SCANNED_LIST ? null : new Uint16Array(2 ** Math.ceil(Math.log2(list.length + 1)))
  let start = 0
  while (start < list.length && distinct.length <= most) {
    const colon = list.indexOf(':', start)
    const end = colon === -1 ? list.length : colon
    if (end > start) {
      const value = list.slice(start, end)
      if (slots === null ? !distinct.includes(value) : addIfNew(value, slots, distinct)) distinct.push(value)
    }
    start = end + 1
  }
  return distinct
}

/** Adds a value to the hash table. Returns false if the table has the value. */
function addIfNew(value: string, slots: Uint16Array, distinct: readonly string[]): boolean {
  const last = slots.length - 1
  let slot = fingerprint(value) & last
  for (let place = slots[slot] ?? 0; place !== 0; place = slots[slot] ?? 0) {
    if (distinct[place - 1] === value) return false
    slot = (slot + 1) & last
  }
  slots[slot] = distinct.length + 1
  return true
}
