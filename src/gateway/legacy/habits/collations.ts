// How texts are compared that entries are in the order of: as PHP and SQLite compare them, and as MySQL does.

import { isNumeric } from './php-numbers.ts'

export type Compare<Item> = (one: Item, other: Item) => number

/** Of two texts no more is compared than this, as with MySQL's max_sort_length. */
const MAX_COMPARED = 1024

/** As PHP compares texts: by the bytes of UTF-8, which have the order of code points. */
export const compareBytes: Compare<string> = comparing(weightOf, -1)

/** SQLite's NOCASE, PHP's strcasecmp(): A to Z count as a to z, which come after `_`. */
export const compareNoCase: Compare<string> = comparing(
  (unit) => (unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : weightOf(unit)),
  -1,
)

/**
 * MySQL's utf8_general_ci: letters without their case and accents, as capital letters, which come before `_`;
 * blanks at the end do not count. Letters that are newer than MySQL's table are taken for what they are today.
 */
export function generalCi(): Compare<string> {
  weights ??= Uint16Array.from({ length: 0x10000 }, (_, unit) => generalWeightOf(unit))
  const known = weights
  return comparing((unit) => known[unit] ?? unit, 0x20)
}

/** Made where it is needed first: few services have it. */
let weights: Uint16Array | null = null

/**
 * PHP's ksort(), whose keys are numbers where they look like one: two numbers are compared as such, all else
 * as texts.
 */
export function compareKeys(one: string, other: string): number {
  if (!isNumeric(one) || !isNumeric(other)) return compareBytes(one, other)
  const [first, second] = [Number(one), Number(other)]
  if (first !== second) return first - second
  // Whole numbers that a float rounds are told apart as texts; 2 and 02 are the same.
  return Number.isSafeInteger(first) || !Number.isInteger(first)
    ? 0
    : one.length - other.length || compareBytes(one, other)
}

/** @param end the weight of what is not there, where one text is longer */
function comparing(weigh: (unit: number) => number, end: number): Compare<string> {
  return (one, other) => {
    const length = Math.min(Math.max(one.length, other.length), MAX_COMPARED)
    for (let at = 0; at < length; at++) {
      const weight = at < one.length ? weigh(one.charCodeAt(at)) : end
      const difference = weight - (at < other.length ? weigh(other.charCodeAt(at)) : end)
      if (difference !== 0) return difference
    }
    return 0
  }
}

/** Halves of code points beyond U+FFFF come after what is before them. */
function weightOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}

function generalWeightOf(unit: number): number {
  // All that is beyond U+FFFF is one character to it.
  if (unit >= 0xd800 && unit < 0xe000) return 0xfffd
  const upper = String.fromCharCode(unit).toUpperCase()
  // Of Cyrillic letters with accents, only this one is a letter of its own.
  if (upper === 'Й') return 0x419
  if (isAccented(unit)) return upper.normalize('NFD').charCodeAt(0)
  return upper.length === 1 ? upper.charCodeAt(0) : unit
}

/** Latin, Greek and Cyrillic letters, whose accents do not count. */
function isAccented(unit: number): boolean {
  return unit < 0x0530 || (unit >= 0x1e00 && unit < 0x2000)
}
