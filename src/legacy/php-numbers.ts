// Reads numbers in texts as PHP 8 does on 64 bits, for ids, JSON and sort orders: `is_numeric`, the cast to
// int, and comparison. Each regex can match in one way only, because clients may send 64 KiB.

const blanks = String.raw`[ \t\n\v\f\r]*`
const aloneInText = new RegExp(String.raw`^${blanks}[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?${blanks}$`)
const atStart = new RegExp(String.raw`^${blanks}([+-]?)(\d*)(\.\d*)?([eE][+-]?\d+)?`)
/** PHP limits the exponent, which matters for a text of thousands of digits. */
const MAX_EXPONENT = 19_999
const MAX_INTEGER = 2n ** 63n - 1n
const MIN_INTEGER = -(2n ** 63n)
/** With more digits before the point, or more zeros after it, PHP writes an exponent. */
const MAX_DIGITS = 17
const MAX_ZEROS = 3

/** PHP's `is_numeric`: a number with blanks around it. Before PHP 8, blanks after it were not numeric. */
export function isNumeric(text: string): boolean {
  return aloneInText.test(text)
}

interface Numeral {
  /** Without a plus. */
  readonly sign: '-' | ''
  /** The digits before the point, without zeros at the start. */
  readonly digits: string
  /** Whether it has neither a point nor an exponent. */
  readonly isWhole: boolean
  /** Infinity if no float is as large. */
  readonly float: number
}

/** The number that a text starts with. */
function numeralIn(text: string): Numeral | null {
  const [, sign = '', digits = '', fraction = '', exponent = ''] = atStart.exec(text) ?? []
  if (digits === '' && fraction.length < 2) return null
  const power = Math.max(-MAX_EXPONENT, Math.min(Number(exponent.slice(1)), MAX_EXPONENT))
  return {
    sign: sign === '-' ? '-' : '',
    digits: digits.replace(/^0+/, ''),
    isWhole: fraction === '' && exponent === '',
    float: Number(`${sign}${digits}${fraction}e${power}`),
  }
}

/**
 * PHP's `(int)`: the number at the start of the text, cut at its point, or 0. A number beyond 64 bits becomes
 * the largest or smallest integer; an infinite one becomes 0.
 */
export function castToInt(text: string): string {
  // Almost every id is written like this.
  if (/^[1-9]\d{0,14}$/.test(text)) return text
  const numeral = numeralIn(text)
  if (numeral === null) return '0'
  const { sign, digits, isWhole, float } = numeral
  const number = Math.trunc(float)
  // 0 for -0, too.
  if (number === 0 || !Number.isFinite(number)) return '0'
  if (Number.isSafeInteger(number)) return String(number)
  // A float rounds integers of more than 53 bits, so BigInt reads the digits: 20 at most.
  const isExact = isWhole && Math.abs(number) < 2 ** 64
  const integer = BigInt(isExact ? sign + digits : number)
  return String(integer > MAX_INTEGER ? MAX_INTEGER : integer < MIN_INTEGER ? MIN_INTEGER : integer)
}

/** Returns the number that PHP writes to JSON for a text; null if the text stays a text, such as 1e999. */
export function jsonNumberOf(text: string): string | null {
  const numeral = isNumeric(text) ? numeralIn(text) : null
  if (numeral === null) return null
  return integerIn(text, numeral) ?? floatText(numeral.float)
}

/** An integer of 64 bits; null for any other number. */
function integerIn(text: string, { sign, digits, isWhole }: Numeral): string | null {
  if (!isWhole) return null
  if (digits === '') return '0'
  // PHP compares the rest of the text, so the smallest integer with a blank after it is a float.
  const isMinimum = sign + digits === String(MIN_INTEGER) && /\d$/.test(text)
  const fits = digits.length < 19 || (digits.length === 19 && digits <= String(MAX_INTEGER))
  return fits || isMinimum ? sign + digits : null
}

/**
 * Compares two texts that are numbers, as PHP does. Returns null if PHP compares them as texts: two numbers
 * with the same float that are both integers beyond 64 bits, or both infinite.
 */
export function compareNumbers(one: string, other: string): number | null {
  const [first, second] = [Number(one), Number(other)]
  if (first !== second) return first < second ? -1 : 1
  if (Number.isSafeInteger(first)) return 0
  const [numeral, otherNumeral] = [numeralIn(one), numeralIn(other)]
  if (numeral === null || otherNumeral === null || !Number.isFinite(first)) return null
  const [integer, otherInteger] = [integerIn(one, numeral), integerIn(other, otherNumeral)]
  if (integer !== null && otherInteger !== null) return Number(BigInt(integer) - BigInt(otherInteger))
  const areBeyond = integer === null && otherInteger === null && numeral.isWhole && otherNumeral.isWhole
  return areBeyond ? null : 0
}

function floatText(number: number): string | null {
  if (!Number.isFinite(number)) return null
  const sign = number < 0 || Object.is(number, -0) ? '-' : ''
  if (number === 0) return `${sign}0`
  const [mantissa = '', exponent] = Math.abs(number).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  // The position of the point: 1 is after the first digit.
  const point = Number(exponent) + 1
  if (point > MAX_DIGITS || point < -MAX_ZEROS)
    return `${sign}${digits.slice(0, 1)}.${digits.slice(1) || '0'}e${point > 0 ? '+' : ''}${point - 1}`
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  const fraction = digits.slice(point)
  return sign + digits.slice(0, point).padEnd(point, '0') + (fraction === '' ? '' : `.${fraction}`)
}
