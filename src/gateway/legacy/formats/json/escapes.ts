// How the characters of texts are written in JSON.

import type { Dialect } from '../../../../settings.ts'
import { hexEscapes } from '../../habits/json-hex.ts'
import { isOfOthers } from '../../habits/json-layout.ts'
import { type AsciiText, ascii, type Escapes } from '../ascii.ts'

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}
const DELETE = 0x7f
const LINE_SEPARATOR = 0x2028
const PARAGRAPH_SEPARATOR = 0x2029

/**
 * PHP escapes the slash and everything beyond ASCII, in lower-case hex and UTF-16 units. It has no lone
 * surrogates; they become U+FFFD, so that every client can read the answer. What others write, which have
 * another layout, is told from it: Python escapes DEL, too, and no slash; there, `unescaped-slashes` is set
 * as well.
 */
export function escapesOf({ jsonFlags }: Pick<Dialect, 'jsonFlags'>): Escapes {
  const [unicode, slashes] = (['unescaped-unicode', 'unescaped-slashes'] as const).map((flag) =>
    jsonFlags.includes(flag),
  )
  const isOther = isOfOthers(jsonFlags)
  const hex = hexEscapes(jsonFlags)
  const key = `${unicode} ${slashes} ${isOther} ${[...hex.values()].join('')}`
  const known = made.get(key)
  if (known !== undefined) return known
  const isEscaped = (code: number) => code < 0x20 || (code === DELETE && isOther && !unicode)
  const table = Array.from({ length: 0x80 }, (_, code) => {
    const character = String.fromCharCode(code)
    if (character === '/' && slashes) return null
    const other = isEscaped(code) ? `\\u${code.toString(16).padStart(4, '0')}` : character
    const written = hex.get(character) ?? short[character] ?? other
    return written === character ? null : ascii(written)
  })
  const escapes = { ascii: table, beyond: unicode ? (isOther ? asUtf8 : asUtf8ButLineEnds) : asUnits }
  made.set(key, escapes)
  return escapes
}

/** A refusal needs a table as well, and must not cost the making of one. */
const made = new Map<string, Escapes>()

const unit = { before: ascii('\\u'), digits: ascii('0123456789abcdef'), least: 4, after: ascii('') }

function asUnits(out: AsciiText, codePoint: number): void {
  if (codePoint > 0xffff) out.addHex(0xd7c0 + (codePoint >> 10), unit)
  out.addHex(codePoint > 0xffff ? 0xdc00 + (codePoint & 0x3ff) : codePoint, unit)
}

function asUtf8(out: AsciiText, codePoint: number): void {
  out.addUtf8(codePoint)
}

/** PHP's JSON_UNESCAPED_UNICODE leaves two escaped, which end a line in old JavaScript. */
function asUtf8ButLineEnds(out: AsciiText, codePoint: number): void {
  if (codePoint === LINE_SEPARATOR || codePoint === PARAGRAPH_SEPARATOR) out.addHex(codePoint, unit)
  else out.addUtf8(codePoint)
}
