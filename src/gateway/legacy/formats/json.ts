import type { Entry, Field } from '../events/event.ts'
import { AsciiText, ascii, type Escapes } from './ascii.ts'
import type { Format } from './format.ts'

/** The bytes of PHP 8's `json_encode($answer, JSON_FORCE_OBJECT)`. */
export const json: Format = {
  contentType: 'application/json; charset=utf-8',

  // Written by hand: a JavaScript object would move integer-like keys to the front and swallow `__proto__`.
  answers: ({ fields }, { unknown }) => {
    const writers = fields.map((field, index) => fieldWriter(field, fields[index - 1]))
    const endOfEntry = ascii(`${quoteOf(fields.at(-1))}}`)
    return (values, entries) => {
      const out = new AsciiText()
      let before = first
      for (let index = 0; index < values.length; index++) {
        const entry = entries[index] ?? null
        if (entry === null && unknown === 'omit') continue
        out.addBytes(before)
        before = next
        out.addEscaped(values[index] ?? '', escapes)
        if (entry === null) out.addBytes(noEntry)
        else {
          for (const write of writers) write(out, entry)
          out.addBytes(endOfEntry)
        }
      }
      out.addBytes(before === first ? nothing : end)
      return out.take()
    }
  },

  error: (code, message) => {
    const out = new AsciiText()
    out.add('{"Error":{"Code":"')
    out.addEscaped(code, escapes)
    out.add('","Message":"')
    out.addEscaped(message, escapes)
    out.add('"}}')
    return out.take()
  },
}

// What stands between two values is written at once, quotation marks included.
const [nothing, first, next, noEntry, end] = [
  ascii('{}'),
  ascii('{"'),
  ascii(',"'),
  ascii('":null'),
  ascii('}'),
]

const quoteOf = (field: Field | undefined): string => (field?.type === 'string' ? '"' : '')

function fieldWriter(field: Field, previous: Field | undefined): (out: AsciiText, entry: Entry) => void {
  const { name, source, type } = field
  const before = previous === undefined ? '":{' : `${quoteOf(previous)},`
  const start = ascii(`${before}${JSON.stringify(name)}:${quoteOf(field)}`)
  return type === 'string'
    ? (out, entry) => {
        out.addBytes(start)
        out.addEscaped(String(entry[source]), escapes)
      }
    : (out, entry) => {
        out.addBytes(start)
        out.add(String(entry[source]))
      }
}

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

// PHP escapes the slash and everything beyond ASCII, in lower-case hex and UTF-16 units. It has no lone
// surrogates; they become U+FFFD, so that every client can read the answer.
const escapes: Escapes = {
  ascii: Array.from({ length: 0x80 }, (_, code) => {
    const character = String.fromCharCode(code)
    const written = short[character] ?? (code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : character)
    return written === character ? null : ascii(written)
  }),
  beyond: (out, codePoint) => {
    if (codePoint > 0xffff) out.addHex(0xd7c0 + (codePoint >> 10), unit)
    out.addHex(codePoint > 0xffff ? 0xdc00 + (codePoint & 0x3ff) : codePoint, unit)
  },
}
const unit = { before: ascii('\\u'), digits: ascii('0123456789abcdef'), least: 4, after: ascii('') }
