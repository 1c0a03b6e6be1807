/** What becomes of characters that cannot be written as they are. */
export interface Escapes {
  /** By ASCII code: the replacement, or `null` for a character that stays. Up to eight bytes long. */
  readonly ascii: readonly (Uint8Array | null)[]
  /**
   * Adds a character beyond ASCII; lone surrogates come as U+FFFD. Up to eight bytes for each UTF-16 unit.
   */
  readonly beyond: (out: AsciiText, codePoint: number) => void
}

/** How a number is written in hexadecimal, and between what. */
export interface HexReference {
  readonly before: Uint8Array
  /** The sixteen digits. */
  readonly digits: Uint8Array
  readonly least: number
  readonly after: Uint8Array
}

/** How much a UTF-16 unit may grow to. */
const MAX_ESCAPE_LENGTH = 8
/** Bytes to begin with, and the most that is kept for the next text. */
const INITIAL_BYTES = 64 * 1024
const MAX_KEPT_BYTES = 1024 * 1024

// Where texts are written: one at a time, since nothing is awaited between the first `add` and `take`.
let space = Buffer.allocUnsafeSlow(INITIAL_BYTES)

/**
 * The bytes of text that is written again and again, a character for each: of ASCII, but for parts of UTF-8.
 */
export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (unit) => unit.charCodeAt(0))

/**
 * A text of ASCII characters, or of UTF-8, in the making. It goes byte by byte into memory that is there
 * already: joining strings would make a tree of small objects, which is walked and copied again when it is
 * sent.
 */
export class AsciiText {
  #length = 0

  /** Adds text of which it is certain that it is ASCII. */
  add(text: string): void {
    this.#reserve(text.length)
    let end = this.#length
    for (let at = 0; at < text.length; at++) space[end++] = text.charCodeAt(at)
    this.#length = end
  }

  addBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    let end = this.#length
    for (let at = 0; at < bytes.length; at++) space[end++] = bytes[at] ?? 0
    this.#length = end
  }

  addEscaped(text: string, { ascii, beyond }: Escapes): void {
    this.#reserve(text.length * MAX_ESCAPE_LENGTH)
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (unit < 0x80) {
        const replacement = ascii[unit] ?? null
        if (replacement === null) space[this.#length++] = unit
        else this.addBytes(replacement)
      } else if (unit < 0xd800 || unit > 0xdfff) beyond(this, unit)
      else {
        const codePoint = text.codePointAt(at) ?? unit
        if (codePoint > 0xffff) at++
        beyond(this, codePoint > 0xffff ? codePoint : 0xfffd)
      }
    }
  }

  /** Adds a number where there is room for it already: inside `beyond`. */
  addHex(value: number, { before, digits, least, after }: HexReference): void {
    let end = this.#length
    for (let at = 0; at < before.length; at++) space[end++] = before[at] ?? 0
    let places = least
    while (value >>> (4 * places) !== 0) places++
    for (let place = places - 1; place >= 0; place--)
      space[end++] = digits[(value >>> (4 * place)) & 0xf] ?? 0
    for (let at = 0; at < after.length; at++) space[end++] = after[at] ?? 0
    this.#length = end
  }

  /**
   * Adds a character beyond ASCII as it is, in UTF-8, where there is room for it already: inside `beyond`.
   */
  addUtf8(codePoint: number): void {
    let end = this.#length
    if (codePoint < 0x800) space[end++] = 0xc0 | (codePoint >> 6)
    else {
      if (codePoint <= 0xffff) space[end++] = 0xe0 | (codePoint >> 12)
      else {
        space[end++] = 0xf0 | (codePoint >> 18)
        space[end++] = 0x80 | ((codePoint >> 12) & 0x3f)
      }
      space[end++] = 0x80 | ((codePoint >> 6) & 0x3f)
    }
    space[end++] = 0x80 | (codePoint & 0x3f)
    this.#length = end
  }

  /** The whole text, a character for each byte. */
  take(): string {
    const text = space.toString('latin1', 0, this.#length)
    if (space.length > MAX_KEPT_BYTES) space = Buffer.allocUnsafeSlow(INITIAL_BYTES)
    return text
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= space.length) return
    const longer = Buffer.allocUnsafeSlow(2 * needed)
    longer.set(space.subarray(0, this.#length))
    space = longer
  }
}
