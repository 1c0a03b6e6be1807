// Numbers as JSON writes them, compared without rounding.

const ZERO = 0x30

/** Beyond this, a double cannot hold an exponent and what is added to it exactly. */
const MAX_EXPONENT = 1e15

/** Already in its one spelling, as most numbers are. */
const wholeNumber = /^-?[1-9]\d{0,99}$/

/**
 * One spelling for each number: `1`, `1.0` and `10e-1` become `1`, `15e-1` becomes `1.5`; whole numbers stay
 * as they are. Takes time linear in the length, without a regular expression: those that strip zeros
 * backtrack.
 * @param source a JSON number; one with an exponent beyond 10^15 is returned as it is
 */
export function canonical(source: string): string {
  if (wholeNumber.test(source)) return source
  const sign = source.startsWith('-') ? '-' : ''
  const mark = source.search(/e/i)
  const mantissa = source.slice(sign.length, mark === -1 ? source.length : mark)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  let start = 0
  let end = digits.length
  while (digits.charCodeAt(start) === ZERO) start++
  if (start === end) return '0'
  while (digits.charCodeAt(end - 1) === ZERO) end--
  const exponent = mark === -1 ? 0 : Number(source.slice(mark + 1))
  if (Math.abs(exponent) > MAX_EXPONENT) return source
  const significant = digits.slice(start, end)
  const power = exponent - fraction.length + (digits.length - end)
  if (power >= 0 && power < 100) return sign + significant + '0'.repeat(power)
  // As people write it: reports show it.
  if (power < 0 && power > -100) {
    const padded = significant.padStart(1 - power, '0')
    return `${sign}${padded.slice(0, power)}.${padded.slice(power)}`
  }
  return `${sign}${significant}e${power}`
}

/**
 * Characters of the numbers that are subtracted, and the power of ten of their last digits: larger ones cost
 * more.
 */
const MAX_SUBTRACTED_LENGTH = 64
const MAX_POWER = 100

/** A number as JSON writes it; zeros before it are allowed, as some services pad numbers. */
const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i

/**
 * Whether two numbers differ by no more than a third, exactly. False for what is no number, or is longer than
 * 64 characters.
 * @param by not negative
 */
export function isNear(by: string, one: string, other: string): boolean {
  const [limit, first, second] = [by, one, other].map(decimalOf)
  if (!limit || !first || !second) return false
  const power = Math.min(limit.power, first.power, second.power)
  const whole = (number: Decimal) => number.digits * 10n ** BigInt(number.power - power)
  const distance = whole(first) - whole(second)
  return (distance < 0n ? -distance : distance) <= whole(limit)
}

/** digits × 10^power */
interface Decimal {
  readonly digits: bigint
  readonly power: number
}

function decimalOf(text: string): Decimal | null {
  if (text.length > MAX_SUBTRACTED_LENGTH) return null
  const [whole, sign = '', digits = '', fraction = '', exponent = '0'] = decimal.exec(text) ?? []
  const power = Number(exponent) - fraction.length
  if (whole === undefined || Math.abs(power) > MAX_POWER) return null
  return { digits: BigInt(sign + digits + fraction), power }
}
