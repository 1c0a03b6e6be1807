// What PHP 8 reads as a number in a text: its `is_numeric` and its cast to int, on 64 bits. By hand and in
// one go: texts come from outside, and may be 64 KiB long.

const [PLUS, MINUS, POINT, SMALL_E] = [0x2b, 0x2d, 0x2e, 0x65]

/** Where the number at the start of a text begins and ends; nowhere where there is none. */
interface Span {
  readonly start: number
  readonly end: number
  /** Whether it has neither a point nor an exponent. */
  readonly isWhole: boolean
}

/** PHP's `is_numeric`: a number with blanks around it, in PHP 8 also behind it. */
export function isNumeric(text: string): boolean {
  return isAlone(text, spanOf(text))
}

/** Whether a text has nothing but blanks beside a number. */
function isAlone(text: string, { start, end }: Span): boolean {
  return end > start && skip(text, end, isBlank) === text.length
}

/**
 * PHP's `(int)`: the number that a text starts with, cut at its point; 0 where it starts with none. What does
 * not fit becomes the largest number, or the smallest; what no float holds becomes 0.
 */
export function castToInt(text: string): string {
  const span = spanOf(text)
  const { start, end, isWhole } = span
  const number = Math.trunc(floatIn(text, span))
  // 0 for -0, too.
  if (number === 0 || !Number.isFinite(number)) return '0'
  if (Number.isSafeInteger(number)) return String(number)
  // A float rounds whole numbers of more than 53 bits. Of those that might fit, twenty digits are left.
  const isExact = isWhole && Math.abs(number) < 2 ** 64
  return clamped(BigInt(isExact ? withoutZeros(text, start, end) : number))
}

/** PHP reads no larger exponent, which matters to texts that are as long. */
const MOST_EXPONENT = 19_999

/** The number of a span as a float: infinite where none is as large. */
function floatIn(text: string, { start, end }: Span): number {
  const number = text.slice(start, end)
  const mark = number.search(/e/i)
  if (mark === -1) return Number(number)
  const exponent = Number(number.slice(mark + 1))
  const read = Math.max(-MOST_EXPONENT, Math.min(exponent, MOST_EXPONENT))
  return Number(`${number.slice(0, mark)}e${read}`)
}

const MOST_INTEGER = 2n ** 63n - 1n
const LEAST_INTEGER = -(2n ** 63n)

function clamped(number: bigint): string {
  return String(number > MOST_INTEGER ? MOST_INTEGER : number < LEAST_INTEGER ? LEAST_INTEGER : number)
}

function withoutZeros(text: string, start: number, end: number): string {
  return signAt(text, start) + digitsIn(text, { start, end })
}

/** The sign of a number, without a plus. */
function signAt(text: string, start: number): '-' | '' {
  return text.charCodeAt(start) === MINUS ? '-' : ''
}

/** The digits of a whole number, from the first that is not 0 on. */
function digitsIn(text: string, { start, end }: Pick<Span, 'start' | 'end'>): string {
  return text.slice(skip(text, isSign(text.charCodeAt(start)) ? start + 1 : start, isZero), end)
}

function spanOf(text: string): Span {
  const start = skip(text, 0, isBlank)
  const first = isSign(text.charCodeAt(start)) ? start + 1 : start
  let end = skip(text, first, isDigit)
  let isWhole = true
  if (text.charCodeAt(end) === POINT && (end > first || isDigit(text.charCodeAt(end + 1)))) {
    end = skip(text, end + 1, isDigit)
    isWhole = false
  }
  if (end === first) return { start: 0, end: 0, isWhole: true }
  if ((text.charCodeAt(end) | 0x20) === SMALL_E) {
    const exponent = isSign(text.charCodeAt(end + 1)) ? end + 2 : end + 1
    if (isDigit(text.charCodeAt(exponent))) {
      end = skip(text, exponent, isDigit)
      isWhole = false
    }
  }
  return { start, end, isWhole }
}

function skip(text: string, from: number, isSkipped: (unit: number) => boolean): number {
  let at = from
  while (at < text.length && isSkipped(text.charCodeAt(at))) at++
  return at
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39
const isZero = (unit: number) => unit === 0x30
const isSign = (unit: number) => unit === PLUS || unit === MINUS
/** Space, tab, line feed, vertical tab, form feed, carriage return. */
const isBlank = (unit: number) => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)

/** The number that JSON has for a text. Returns null if the text stays a text, as 1e999 does. */
export function numberIn(text: string): string | null {
  const span = spanOf(text)
  if (!isAlone(text, span)) return null
  return wholeIn(text, span) ?? floatText(floatIn(text, span))
}

/** The digits of the smallest integer of 64 bits. */
const MOST_DIGITS_OF_INTEGER = '9223372036854775808'

/** An integer of 64 bits; `null` for any other number. */
function wholeIn(text: string, span: Span): string | null {
  if (!span.isWhole) return null
  const digits = digitsIn(text, span)
  if (digits === '') return '0'
  const sign = signAt(text, span.start)
  // PHP compares all that is left of the text: the smallest integer with a blank behind it is a float.
  const isLeast = sign === '-' && digits === MOST_DIGITS_OF_INTEGER && span.end === text.length
  const fits =
    digits.length < MOST_DIGITS_OF_INTEGER.length ||
    (digits.length === MOST_DIGITS_OF_INTEGER.length && digits < MOST_DIGITS_OF_INTEGER)
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
