import type { Entry, Field, FieldValue } from '../../events/event.ts'
import { escaperIn } from '../../habits/text-escapes.ts'
import { cdataOf, needsCdata } from '../../habits/xml-cdata.ts'
import { type AsciiText, ascii } from '../ascii.ts'
import { addCdata, type XmlEscapes } from './escapes.ts'
import type { Layout, XmlDialect } from './layout.ts'

export type WriteText = (out: AsciiText, text: string) => void

/** Writes an element of a Data element, or of Error; or one that is less deep, or deeper. */
export function elementWriter(name: string, layout: Layout, { inText }: XmlEscapes, depth = 2): WriteText {
  const before = layout.before(depth)
  const [start, end] = [ascii(`${before}<${name}>`), ascii(`</${name}>`)]
  const empty = ascii(`${before}<${name}${layout.emptyEnd(name, 'fields')}`)
  return (out, text) => {
    if (text === '') out.addBytes(empty)
    else {
      out.addBytes(start)
      out.addEscaped(text, inText)
      out.addBytes(end)
    }
  }
}

/**
 * A CDATA section may stay where there is nothing in it: createCDATASection and strings make no difference.
 */
function cdataWriter(name: string, layout: Layout, isForEmpty: boolean): WriteText {
  const empty = isForEmpty ? null : ascii(`${layout.before(2)}<${name}${layout.emptyEnd(name, 'fields')}`)
  const [start, end] = [ascii(`${layout.before(2)}<${name}><![CDATA[`), ascii(`]]></${name}>`)]
  return (out, text) => {
    if (text === '' && empty !== null) {
      out.addBytes(empty)
      return
    }
    out.addBytes(start)
    addCdata(out, text)
    out.addBytes(end)
  }
}

export function textWriter(
  { name, type }: Field,
  dialect: XmlDialect,
  layout: Layout,
  escapes: XmlEscapes,
): WriteText {
  const cdata = type === 'string' ? cdataOf(dialect.xmlFlags, name) : null
  if (cdata === null) return elementWriter(name, layout, escapes)
  const section = cdataWriter(name, layout, cdata === 'cdata')
  if (cdata !== 'needed-cdata') return section
  const bare = elementWriter(name, layout, { ...escapes, inText: escapes.inBareText })
  return (out, text) => (needsCdata(text) ? section : bare)(out, text)
}

export function fieldWriter(
  field: Field,
  dialect: XmlDialect,
  layout: Layout,
  escapes: XmlEscapes,
): (out: AsciiText, entry: Entry) => void {
  const { source } = field
  const write = textWriter(field, dialect, layout, escapes)
  const text = textOf(field, dialect)
  return (out, entry) => write(out, text(entry[source]))
}

function textOf(
  { type, xml }: Field,
  { textEscapes }: XmlDialect,
): (value: FieldValue | undefined) => string {
  if (xml === 'digit') return (value) => (value ? '1' : '0')
  if (xml === 'flag') return (value) => (value ? '1' : '')
  const escapeText = type === 'string' ? escaperIn(textEscapes, 'XML') : null
  return escapeText === null ? String : (value) => escapeText(String(value))
}
