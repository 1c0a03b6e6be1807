import type { Dialect } from '../../../settings.ts'
import type { LegacyEvent } from '../events/event.ts'
import { byName } from '../habits/fields.ts'
import { AsciiText, ascii } from './ascii.ts'
import type { Format, WriteAnswer } from './format.ts'
import { entryWriter } from './json/entries.ts'
import { errorWriter } from './json/error.ts'
import { escapesOf } from './json/escapes.ts'
import { layoutOf } from './json/layout.ts'
import { isList, mayBeList } from './json/list.ts'
import { unknownWriter } from './json/unknown.ts'

function emptyIn({ empty }: Dialect): string {
  return empty === '[]' || empty === 'null' ? empty : '{}'
}

/** The bytes of PHP 8's `json_encode($answer, JSON_FORCE_OBJECT)`, and of what other services write. */
export const json: Format = {
  contentType: ({ jsonType }) => jsonType,

  answers: (event, dialect) => {
    const writeObject = answerWriter(event, dialect, true)
    if (!mayBeList(dialect)) return writeObject
    const writeList = answerWriter(event, dialect, false)
    const isShown = unknownWriter(event, dialect, '') !== null
    return (values, entries) =>
      isList(values, entries, isShown) ? writeList(values, entries) : writeObject(values, entries)
  },

  errors: errorWriter,
}

/**
 * By hand: a JavaScript object would move integer-like keys to the front and swallow `__proto__`.
 * @param isNamed whether entries have names, as in an object, or have none, as in a list
 */
function answerWriter(event: LegacyEvent, dialect: Dialect, isNamed: boolean): WriteAnswer {
  const fields = dialect.jsonFlags.includes('sorted') ? byName(event.fields) : event.fields
  const layout = layoutOf(dialect)
  const escapes = escapesOf(dialect)
  const [open, close, quote, afterName] = isNamed ? ['{', '}', '"', `"${layout.colon}`] : ['[', ']', '', '']
  const writeEntry = entryWriter(fields, dialect, afterName)
  const writeUnknown = unknownWriter({ ...event, fields }, dialect, afterName)
  const [first, next] = [ascii(`${open}${layout.open(1)}${quote}`), ascii(`${layout.next(1)}${quote}`)]
  const end = ascii(`${layout.close(1)}${close}${layout.end}`)
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
      if (isNamed) out.addEscaped(value, escapes)
      if (entry === null) writeUnknown?.(out, value)
      else writeEntry(out, entry)
    }
    out.addBytes(before === first ? nothing : end)
    return out.take()
  }
}
