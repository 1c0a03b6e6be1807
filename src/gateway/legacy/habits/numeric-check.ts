// PHP's JSON_NUMERIC_CHECK: json_encode writes each text that is_numeric takes as the number that it is.
// Written for PHP 8 on 64 bits, with serialize_precision = -1, as php.ini has it.

import type { Said } from './heard.ts'
import { fieldsIn } from './heard.ts'
import { digitsIn, floatIn, isAlone, type Span, signAt, spanOf } from './php-numbers.ts'

/** What JSON has for a text; `null` where it stays a text, as what no float holds does. */
export function numberIn(text: string): string | null {
  const span = spanOf(text)
  if (!isAlone(text, span)) return null
  return wholeIn(text, span) ?? floatText(floatIn(text, span))
}

/** The number whose digits no negative integer exceeds. */
const MOST = '9223372036854775808'

/** An integer of 64 bits; `null` for any other number. */
function wholeIn(text: string, span: Span): string | null {
  if (!span.isWhole) return null
  const digits = digitsIn(text, span)
  if (digits === '') return '0'
  const sign = signAt(text, span.start)
  // PHP compares all that is left of the text: the smallest integer with a blank behind it is a float.
  const isLeast = sign === '-' && digits === MOST && span.end === text.length
  const fits = digits.length < MOST.length || (digits.length === MOST.length && digits < MOST)
  return fits || isLeast ? sign + digits : null
}

/** Digits before the point, and zeros behind it, with which PHP still writes no exponent. */
const MOST_DIGITS = 17
const MOST_ZEROS = 3

function floatText(number: number): string | null {
  if (!Number.isFinite(number)) return null
  const sign = number < 0 || Object.is(number, -0) ? '-' : ''
  if (number === 0) return `${sign}0`
  const [mantissa = '', exponent] = Math.abs(number).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  // Where the point stands: 1 behind the first digit.
  const point = Number(exponent) + 1
  if (point > MOST_DIGITS || point < -MOST_ZEROS)
    return `${sign}${digits.slice(0, 1)}.${digits.slice(1) || '0'}e${point > 0 ? '+' : ''}${point - 1}`
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  const fraction = digits.slice(point)
  return sign + digits.slice(0, point).padEnd(point, '0') + (fraction === '' ? '' : `.${fraction}`)
}

const texts = /^(?:Username|DisplayName|Title|Version|ChangelogLink|\w{0,100}DownloadLink)$/
const booleans = ['IsConfirmed', 'Banned']

/**
 * Whether texts that came are numbers: one of a text field, or a boolean that is 1 for one user and `""` for
 * another.
 */
export function isCheckSeen(all: readonly Said[]): boolean {
  const seen = new Set<string>()
  for (const [name, { type, text }] of all.flatMap((said) => fieldsIn(said) ?? [])) {
    if (type === 'number' && texts.test(name)) return true
    if (booleans.includes(name) && (type === 'number' || text === '')) seen.add(`${name} ${type}`)
  }
  return booleans.some((name) => seen.has(`${name} number`) && seen.has(`${name} string`))
}
