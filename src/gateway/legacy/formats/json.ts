import type { Dialect } from '../../../settings.ts'
import { byName } from '../habits/fields.ts'
import { AsciiText, ascii } from './ascii.ts'
import type { Format } from './format.ts'
import { entryWriter } from './json/entries.ts'
import { errorWriter } from './json/error.ts'
import { escapesOf } from './json/escapes.ts'
import { layoutOf } from './json/layout.ts'
import { unknownWriter } from './json/unknown.ts'

function emptyIn({ empty }: Dialect): string {
  return empty === '[]' || empty === 'null' ? empty : '{}'
}

/** The bytes of PHP 8's `json_encode($answer, JSON_FORCE_OBJECT)`, and of what other services write. */
export const json: Format = {
  contentType: ({ jsonType }) => jsonType,

  // Written by hand: a JavaScript object would move integer-like keys to the front and swallow `__proto__`.
  answers: (event, dialect) => {
    const fields = dialect.jsonFlags.includes('sorted') ? byName(event.fields) : event.fields
    const layout = layoutOf(dialect)
    const escapes = escapesOf(dialect)
    const writeEntry = entryWriter(fields, dialect)
    const writeUnknown = unknownWriter({ ...event, fields }, dialect)
    const [first, next] = [ascii(`{${layout.open(1)}"`), ascii(`${layout.next(1)}"`)]
    const end = ascii(`${layout.close(1)}}${layout.end}`)
    const nothing = ascii(`${emptyIn(dialect)}${layout.end}`)
    return (values, entries) => {
      const out = new AsciiText()
      let before = first
      for (let index = 0; index < values.length; index++) {
        const entry = entries[index] ?? null
        if (entry === null && writeUnknown === null) continue
        const value = values[index] ?? ''
        out.addBytes(before)
        before = next
        out.addEscaped(value, escapes)
        if (entry === null) writeUnknown?.(out, value)
        else writeEntry(out, entry)
      }
      out.addBytes(before === first ? nothing : end)
      return out.take()
    }
  },

  errors: errorWriter,
}
