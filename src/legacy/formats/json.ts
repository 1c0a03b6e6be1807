import type { Entry, Field } from '../events/event.ts'
import { AsciiText, type Escapes } from './ascii.ts'
import type { Format } from './format.ts'

/** The bytes of PHP 8's `json_encode($answer, JSON_FORCE_OBJECT)`. */
export const json: Format = {
  contentType: 'application/json; charset=utf-8',

  // Written by hand: a JavaScript object would move integer-like keys to the front and swallow `__proto__`.
  answers: ({ fields }, { unknown }) => {
    const writers = fields.map((field, index) => fieldWriter(field, index === 0 ? '{' : ','))
    return (values, entries) => {
      const out = new AsciiText()
      let before = '{'
      for (let index = 0; index < values.length; index++) {
        const entry = entries[index] ?? null
        if (entry === null && unknown === 'omit') continue
        out.add(before)
        before = ','
        addString(out, values[index] ?? '')
        out.add(':')
        if (entry === null) out.add('null')
        else {
          for (const write of writers) write(out, entry)
          out.add('}')
        }
      }
      out.add(before === '{' ? '{}' : '}')
      return out.take()
    }
  },

  error: (code, message) => {
    const out = new AsciiText()
    out.add('{"Error":{"Code":')
    addString(out, code)
    out.add(',"Message":')
    addString(out, message)
    out.add('}}')
    return out.take()
  },
}

function fieldWriter({ name, source, type }: Field, before: string): (out: AsciiText, entry: Entry) => void {
  const start = `${before}${JSON.stringify(name)}:`
  return type === 'string'
    ? (out, entry) => {
        out.add(start)
        addString(out, String(entry[source]))
      }
    : (out, entry) => {
        out.add(start)
        out.add(String(entry[source]))
      }
}

function addString(out: AsciiText, text: string): void {
  out.add('"')
  out.addEscaped(text, escapes)
  out.add('"')
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

// PHP escapes the slash and everything beyond ASCII, in lower-case hex and UTF-16 units. It has no lone surrogates;
// they become U+FFFD, so that every client can read the answer.
const escapes: Escapes = {
  ascii: Array.from({ length: 0x80 }, (_, code) => {
    const replacement = short[String.fromCharCode(code)] ?? null
    return replacement === null && code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : replacement
  }),
  beyond: (out, codePoint) => {
    if (codePoint > 0xffff) addUnit(out, 0xd7c0 + (codePoint >> 10))
    addUnit(out, codePoint > 0xffff ? 0xdc00 + (codePoint & 0x3ff) : codePoint)
  },
}

function addUnit(out: AsciiText, unit: number): void {
  out.add('\\u')
  out.addHex(unit, '0123456789abcdef', 4)
}
