// The writers of an entry's fields, and of what stands for an entry that is not there.

import type { Dialect } from '../../../../settings.ts'
import type { Entry, Field } from '../../events/event.ts'
import { booleanForm, digitsOf } from '../../habits/booleans.ts'
import { errorName } from '../../habits/error-body.ts'
import { partsOf } from '../../habits/unknown-text.ts'
import { type AsciiText, ascii } from '../ascii.ts'
import { escapesOf } from './escapes.ts'
import { layoutOf } from './layout.ts'

type WriteEntry = (out: AsciiText, entry: Entry) => void

/** Writes an entry, from the quotation mark that ends its name on. */
export function entryWriter(fields: readonly Field[], dialect: Dialect): WriteEntry {
  const { close } = layoutOf(dialect)
  const writers = fields.map((field, index) => fieldWriter(field, fields[index - 1], dialect))
  const end = ascii(`${quoteOf(fields.at(-1), dialect)}${close(2)}}`)
  return (out, entry) => {
    for (const write of writers) write(out, entry)
    out.addBytes(end)
  }
}

// What stands between two values is written at once, quotation marks included.
function fieldWriter(field: Field, previous: Field | undefined, dialect: Dialect): WriteEntry {
  const { name, source, type, xml } = field
  const { open, next, colon } = layoutOf(dialect)
  const before = previous === undefined ? `"${colon}{${open(2)}` : `${quoteOf(previous, dialect)}${next(2)}`
  const start = ascii(`${before}"${name}"${colon}${quoteOf(field, dialect)}`)
  if (type === 'string') {
    const escapes = escapesOf(dialect)
    return (out, entry) => {
      out.addBytes(start)
      out.addEscaped(String(entry[source]), escapes)
    }
  }
  const digits = type === 'boolean' ? digitsOf(dialect.booleans, xml) : null
  if (digits !== null) {
    const [no, yes] = digits.map((text) => ascii(text))
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

function quoteOf(field: Field | undefined, { numbers, booleans }: Dialect): string {
  if (field === undefined) return ''
  const form = booleanForm(booleans, field.xml)
  const isText = {
    string: true,
    integer: numbers === 'string',
    boolean: form === 'string' || form === 'strval',
  }
  return isText[field.type] ? '"' : ''
}

/**
 * Writes what stands for an entry, from the quotation mark that ends its name on; `null` where nothing does.
 */
export function unknownWriter(
  fields: readonly Field[],
  dialect: Dialect,
): ((out: AsciiText, value: string) => void) | null {
  const { unknown } = dialect
  if (unknown === 'omit' || unknown === 'refuse') return null
  const { open, next, close, colon } = layoutOf(dialect)
  if (unknown === 'error') {
    const [before, after] = partsOf(dialect.unknownText)
    const escapes = escapesOf(dialect)
    const start = ascii(`"${colon}{${open(2)}"${errorName(dialect.errorBody)}"${colon}"`)
    const end = ascii(`"${close(2)}}`)
    return (out, value) => {
      out.addBytes(start)
      out.addEscaped(before, escapes)
      if (after !== undefined) {
        out.addEscaped(value, escapes)
        out.addEscaped(after, escapes)
      }
      out.addBytes(end)
    }
  }
  const nulls = fields.map(({ name }) => `"${name}"${colon}null`).join(next(2))
  const text = ascii(`"${colon}${unknown === 'nulls' ? `{${open(2)}${nulls}${close(2)}}` : unknown}`)
  return (out) => out.addBytes(text)
}
