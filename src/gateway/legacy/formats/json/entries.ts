// The writers of an entry's fields.

import type { Dialect } from '../../../../settings.ts'
import type { Entry, Field } from '../../events/event.ts'
import { booleanForm, digitsOf } from '../../habits/booleans.ts'
import { isTextIn } from '../../habits/numbers.ts'
import { escaperIn } from '../../habits/text-escapes.ts'
import { type AsciiText, ascii } from '../ascii.ts'
import { escapesOf } from './escapes.ts'
import { layoutOf } from './layout.ts'
import { areTextsChecked, textWriter, writtenText } from './texts.ts'

type WriteEntry = (out: AsciiText, entry: Entry) => void

/** @param before what stands between an entry's name and the entry, from the quotation mark on */
export function entryWriter(fields: readonly Field[], dialect: Dialect, before: string): WriteEntry {
  const { close } = layoutOf(dialect)
  const writers = fields.map((field, index) => fieldWriter(field, fields[index - 1], dialect, before))
  const end = ascii(`${quoteOf(fields.at(-1), dialect)}${close(2)}}`)
  return (out, entry) => {
    for (const write of writers) write(out, entry)
    out.addBytes(end)
  }
}

// What stands between two values is written at once, quotation marks included.
function fieldWriter(
  field: Field,
  previous: Field | undefined,
  dialect: Dialect,
  beforeEntry: string,
): WriteEntry {
  const { name, source, type, xml } = field
  const { open, next, colon } = layoutOf(dialect)
  const before =
    previous === undefined ? `${beforeEntry}{${open(2)}` : `${quoteOf(previous, dialect)}${next(2)}`
  const start = ascii(`${before}"${name}"${colon}${quoteOf(field, dialect)}`)
  if (type === 'string') {
    const escapes = escapesOf(dialect)
    const escapeText = escaperIn(dialect.textEscapes, 'JSON')
    if (areTextsChecked(dialect)) {
      const write = textWriter(dialect)
      return (out, entry) => {
        const text = String(entry[source])
        out.addBytes(start)
        write(out, escapeText === null ? text : escapeText(text))
      }
    }
    if (escapeText !== null)
      return (out, entry) => {
        out.addBytes(start)
        out.addEscaped(escapeText(String(entry[source])), escapes)
      }
    return (out, entry) => {
      out.addBytes(start)
      out.addEscaped(String(entry[source]), escapes)
    }
  }
  const digits = type === 'boolean' ? digitsOf(dialect.booleans, xml) : null
  if (digits !== null) {
    const [no, yes] = digits.map((text) =>
      ascii(areTextsChecked(dialect) ? writtenText(text, dialect) : text),
    )
    return (out, entry) => {
      out.addBytes(start)
      out.addBytes((entry[source] ? yes : no) ?? start)
    }
  }
  return (out, entry) => {
    out.addBytes(start)
    out.add(String(entry[source]))
  }
}

/** Which quotation marks a value stands in, whatever it is. */
export function quoteOf(field: Field | undefined, { numbers, booleans, jsonFlags }: Dialect): string {
  if (field === undefined || areTextsChecked({ jsonFlags })) return ''
  const form = booleanForm(booleans, field.xml)
  const isText = {
    string: true,
    integer: isTextIn(numbers, field.name),
    boolean: form === 'string' || form === 'strval',
  }
  return isText[field.type] ? '"' : ''
}
