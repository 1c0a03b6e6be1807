import type { Entry, Field } from '../events/event.ts'
import type { Format } from './format.ts'

/** The bytes of PHP 8's `json_encode($answer, JSON_FORCE_OBJECT)`. */
export const json: Format = {
  contentType: 'application/json; charset=utf-8',

  // Written by hand: a JavaScript object would move integer-like keys to the front and swallow `__proto__`.
  answers: ({ fields }, { unknown }) => {
    const writers = fields.map((field, index) => fieldWriter(field, index === 0 ? '{' : ','))
    return (values, entries) => {
      let members = ''
      for (let index = 0; index < values.length; index++) {
        const entry = entries[index] ?? null
        if (entry === null && unknown === 'omit') continue
        members += `${members === '' ? '' : ','}${quote(values[index] ?? '')}:`
        if (entry === null) members += 'null'
        else {
          for (const write of writers) members += write(entry)
          members += '}'
        }
      }
      return `{${members}}`
    }
  },

  error: (code, message) => `{"Error":{"Code":${quote(code)},"Message":${quote(message)}}}`,
}

function fieldWriter({ name, source, type }: Field, before: string): (entry: Entry) => string {
  const start = `${before}${quote(name)}:`
  return type === 'string'
    ? (entry) => start + quote(String(entry[source]))
    : (entry) => start + String(entry[source])
}

const special = /["\\/\x00-\x1f\x80-\uffff]/
const everySpecial = /["\\/\x00-\x1f\x80-\uffff]/g
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

// PHP escapes the slash and everything beyond ASCII, in lower-case hex. It has no lone surrogates; they become
// U+FFFD, so that every client can read the answer.
function quote(text: string): string {
  if (!special.test(text)) return `"${text}"`
  return `"${text.toWellFormed().replace(everySpecial, escapeUnit)}"`
}

function escapeUnit(unit: string): string {
  return short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
