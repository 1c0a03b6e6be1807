// Builds the bytes of a response in a buffer that is reused. Joined strings would be a tree of small objects,
// which Node copies once more when it sends the response.

/** Adds a character beyond ASCII. */
export type Add = (out: AsciiText, codePoint: number) => void

/** How characters are escaped. */
export interface Escapes {
  /** By ASCII code: the replacement of up to eight bytes, or null for the character itself. */
  readonly ascii: readonly (Uint8Array | null)[]
  /** Adds up to eight bytes for each UTF-16 unit. Lone surrogates come as U+FFFD. */
  readonly beyond: Add
}

/** The replacements of `Escapes`, by what is written for each character. */
export function replacements(write: (character: string) => string): Escapes['ascii'] {
  return Array.from({ length: 0x80 }, (_, code) => {
    const character = String.fromCharCode(code)
    const written = write(character)
    return written === character ? null : ascii(written)
  })
}

/** The form of a number in hexadecimal. */
interface HexReference {
  readonly before: Uint8Array
  /** The sixteen digits. */
  readonly digits: Uint8Array
  /** The least number of digits. */
  readonly least: number
  readonly after: Uint8Array
}

/** Bytes that one UTF-16 unit can become. */
const MAX_ESCAPE_LENGTH = 8
const INITIAL_BYTES = 64 * 1024
/** Longer buffers are not reused. */
const MAX_REUSED_BYTES = 1024 * 1024

/** The buffer of the last text, for the next one. */
let free: Buffer | null = null

/** Encodes a text whose characters are bytes, such as ASCII. */
export const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1')

export class AsciiText {
  #space: Buffer
  #length = 0

  constructor() {
    this.#space = free ?? Buffer.allocUnsafeSlow(INITIAL_BYTES)
    free = null
  }

  /** Adds a text of ASCII characters. */
  add(text: string): void {
    this.#reserve(text.length)
    const space = this.#space
    let end = this.#length
    for (let at = 0; at < text.length; at++) space[end++] = text.charCodeAt(at)
    this.#length = end
  }

  addBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    const space = this.#space
    let end = this.#length
    for (let at = 0; at < bytes.length; at++) space[end++] = bytes[at] ?? 0
    this.#length = end
  }

  addEscaped(text: string, { ascii, beyond }: Escapes): void {
    this.#reserve(text.length * MAX_ESCAPE_LENGTH)
    const space = this.#space
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

  /** Adds a number in hexadecimal. Only for `Escapes.beyond`: `addEscaped` has reserved the space. */
  addHex(value: number, { before, digits, least, after }: HexReference): void {
    this.addBytes(before)
    let places = least
    while (value >>> (4 * places) !== 0) places++
    for (let place = places - 1; place >= 0; place--)
      this.#space[this.#length++] = digits[(value >>> (4 * place)) & 0xf] ?? 0
    this.addBytes(after)
  }

  /** Adds a character beyond ASCII in UTF-8. Only for `Escapes.beyond`. */
  addUtf8(codePoint: number): void {
    const space = this.#space
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

  /** Returns the text, one character for each byte, and gives the buffer away: add nothing later. */
  take(): string {
    const text = this.#space.toString('latin1', 0, this.#length)
    if (this.#space.length <= MAX_REUSED_BYTES) free = this.#space
    return text
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#space.length) return
    const longer = Buffer.allocUnsafeSlow(2 * needed)
    longer.set(this.#space.subarray(0, this.#length))
    this.#space = longer
  }
}

/** Encodes a text in UTF-8, one character for each byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

/** Writes a text with a value in the place of each `{value}`. */
export type FillTemplate = (out: AsciiText, value: string) => void

/** @param escapesAfter how the value is escaped after a part of the text */
export function filler(text: string, escapesAfter: (before: string) => Escapes): FillTemplate {
  const [first = '', ...others] = text.split('{value}')
  const start = ascii(utf8(first))
  let before = first
  const parts = others.map((part) => {
    const escapes = escapesAfter(before)
    before += part
    return { escapes, bytes: ascii(utf8(part)) }
  })
  const [only, ...more] = parts
  // The start of each entry is such a text; without a loop, 100 entries take 2 % less time.
  if (only !== undefined && more.length === 0)
    return (out, value) => {
      out.addBytes(start)
      out.addEscaped(value, only.escapes)
      out.addBytes(only.bytes)
    }
  return (out, value) => {
    out.addBytes(start)
    for (const { escapes, bytes } of parts) {
      out.addEscaped(value, escapes)
      out.addBytes(bytes)
    }
  }
}

/** Whether a text of markup ends inside a tag. */
export const isInTag = (text: string): boolean => text.lastIndexOf('<') > text.lastIndexOf('>')
