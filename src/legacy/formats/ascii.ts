/** What becomes of characters that cannot be written as they are. */
export interface Escapes {
  /** By ASCII code: the replacement, or `null` for a character that stays. Up to six characters long. */
  readonly ascii: readonly (string | null)[]
  /** Adds a character beyond ASCII; lone surrogates come as U+FFFD. Up to eight characters for each UTF-16 unit. */
  readonly beyond: (out: AsciiText, codePoint: number) => void
}

/** How much a UTF-16 unit may grow to. */
const LONGEST = 8
/** Bytes to begin with, and the most that is kept for the next text. */
const START = 64 * 1024
const KEPT = 1024 * 1024

// Where texts are written: one at a time, since nothing is awaited between the first `add` and `take`.
let bytes = Buffer.allocUnsafeSlow(START)

/**
 * A text of ASCII characters in the making. It goes byte by byte into memory that is there already: joining strings
 * would make a tree of small objects, which is walked and copied again when it is sent.
 */
export class AsciiText {
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Adds ASCII characters as they are. */
  add(text: string): void {
    this.#reserve(text.length)
    let end = this.#length
    for (let at = 0; at < text.length; at++) bytes[end++] = text.charCodeAt(at)
    this.#length = end
  }

  addEscaped(text: string, { ascii, beyond }: Escapes): void {
    this.#reserve(text.length * LONGEST)
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit < 0x80) {
        const replacement = ascii[unit] ?? null
        if (replacement === null) bytes[this.#length++] = unit
        else this.add(replacement)
      } else if (unit < 0xd800 || unit > 0xdfff) beyond(this, unit)
      else {
        const codePoint = text.codePointAt(at) ?? unit
        if (codePoint > 0xffff) at++
        beyond(this, codePoint > 0xffff ? codePoint : 0xfffd)
      }
    }
  }

  /** Adds a number in hexadecimal, with at least so many digits (their characters are given). */
  addHex(value: number, digits: string, least: number): void {
    let places = least
    while (value >>> (4 * places) !== 0) places++
    for (let place = places - 1; place >= 0; place--) {
      bytes[this.#length++] = digits.charCodeAt((value >>> (4 * place)) & 0xf)
    }
  }

  /** The whole text. */
  take(): string {
    const text = bytes.toString('latin1', 0, this.#length)
    if (bytes.length > KEPT) bytes = Buffer.allocUnsafeSlow(START)
    return text
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= bytes.length) return
    const longer = Buffer.allocUnsafeSlow(2 * needed)
    longer.set(bytes.subarray(0, this.#length))
    bytes = longer
  }
}
