// Compares numbers without rounding, as JSON writes them.

const ZERO = 0x30

/** Beyond this, a double cannot hold the sum of an exponent and a length exactly. */
const MAX_EXPONENT = 1e15

/** Most numbers have this spelling already. */
const wholeNumber = /^-?[1-9]\d{0,99}$/

/** A JSON number. Some services pad the text of a number with zeros. */
const decimalNumber = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

/**
 * One spelling for each number: `1`, `1.0` and `10e-1` become `1`, `15e-1` becomes `1.5`. Takes time linear
 * in the length: a regex that strips zeros backtracks.
 * @param source a JSON number; one with an exponent beyond 10^15 is returned as it is
 */
export function canonical(source: string): string {
  if (wholeNumber.test(source)) return source
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = decimalNumber.exec(source) ?? []
  const digits = whole + fraction
  const start = digits.search(/[1-9]/)
  if (start === -1) return '0'
  let end = digits.length
  while (digits.charCodeAt(end - 1) === ZERO) end--
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > MAX_EXPONENT) return source
  const significant = digits.slice(start, end)
  const power = exponent - fraction.length + (digits.length - end)
  if (power >= 0 && power < 100) return sign + significant + '0'.repeat(power)
  // Reports show the number: people do not write 15e-1.
  if (power < 0 && power > -100) {
    const padded = significant.padStart(1 - power, '0')
    return `${sign}${padded.slice(0, power)}.${padded.slice(power)}`
  }
  return `${sign}${significant}e${power}`
}

/** Characters of numbers that are subtracted, and the power of ten of their last digits: time has a limit. */
const MAX_SUBTRACTED_LENGTH = 64
const MAX_POWER = 100

/**
 * Whether two numbers differ by `by` at most, exactly. False if one is not a number or has over 64
 * characters.
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

/** digits * 10^power */
interface Decimal {
  readonly digits: bigint
  readonly power: number
}

function decimalOf(text: string): Decimal | null {
  if (text.length > MAX_SUBTRACTED_LENGTH) return null
  const [whole, sign = '', digits = '', fraction = '', exponent = '0'] = decimalNumber.exec(text) ?? []
  const power = Number(exponent) - fraction.length
  if (whole === undefined || Math.abs(power) > MAX_POWER) return null
  return { digits: BigInt(sign + digits + fraction), power }
}
