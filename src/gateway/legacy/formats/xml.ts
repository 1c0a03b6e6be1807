import { errorBodyIn } from '../habits/error-body-xml.ts'
import { AsciiText, ascii } from './ascii.ts'
import type { Format, WriteError } from './format.ts'
import { elementWriter, fieldWriter } from './xml/elements.ts'
import { xmlEscapes } from './xml/escapes.ts'
import { layoutOf, type XmlDialect } from './xml/layout.ts'
import { missingWriter } from './xml/missing.ts'

/**
 * By default, the bytes of PHP 8's `SimpleXMLElement::asXML()`: libxml2's, for a document that names no
 * encoding.
 */
export const xml: Format = {
  contentType: ({ xmlType }) => xmlType,

  // What stands between two values is made once, and written at once.
  answers: (event, dialect) => {
    const [layout, escapes] = [layoutOf(dialect), xmlEscapes(dialect)]
    const writers = event.fields.map((field) => fieldWriter(field, dialect, layout, escapes))
    const writeMissing = missingWriter(event, dialect, layout, escapes)
    const { inAttribute } = escapes
    const name = `${dialect.serviceName}API`
    const startOfNext = `${layout.before(1)}<Data Value=${layout.quote}`
    // An element without content may close itself, so that the root stays open until there is some.
    const [root, first, next] = [
      ascii(layout.head + layout.root),
      ascii(`>${startOfNext}`),
      ascii(startOfNext),
    ]
    const [startOfData, endOfData] = [ascii(`${layout.quote}>`), ascii(`${layout.beforeEnd}</Data>`)]
    const end = ascii(`${layout.before(0)}</${name}>${layout.end}`)
    const { inEmptyRoot } = layout
    const endOfEmpty = inEmptyRoot === null ? layout.emptyEnd(name, 'root') : `>${inEmptyRoot}</${name}>`
    const emptyRoot = ascii(`${endOfEmpty}${layout.end}`)
    return (values, entries) => {
      const out = new AsciiText()
      out.addBytes(root)
      let before = first
      for (let index = 0; index < values.length; index++) {
        const entry = entries[index] ?? null
        if (entry === null && writeMissing === null) continue
        const value = values[index] ?? ''
        out.addBytes(before)
        before = next
        out.addEscaped(value, inAttribute)
        if (entry === null) writeMissing?.(out, value)
        else {
          out.addBytes(startOfData)
          for (const write of writers) write(out, entry)
          out.addBytes(endOfData)
        }
      }
      out.addBytes(before === first ? emptyRoot : end)
      return out.take()
    }
  },

  errors: errorWriter,
}

function errorWriter(dialect: XmlDialect): WriteError {
  const [layout, escapes] = [layoutOf(dialect), xmlEscapes(dialect)]
  const name = `${dialect.serviceName}API`
  const root = ascii(`${layout.head}${layout.root}>`)
  const endOfRoot = ascii(`${layout.before(0)}</${name}>${layout.end}`)
  if (errorBodyIn('XML', dialect) !== 'object') {
    const writeError = elementWriter('Error', layout, escapes, 1)
    return (_, message) => {
      const out = new AsciiText()
      out.addBytes(root)
      writeError(out, message)
      out.addBytes(endOfRoot)
      return out.take()
    }
  }
  const [start, end] = [ascii(`${layout.before(1)}<Error>`), ascii(`${layout.beforeEnd}</Error>`)]
  const writeCode = elementWriter('Code', layout, escapes)
  const writeMessage = elementWriter('Message', layout, escapes)
  return (code, message) => {
    const out = new AsciiText()
    out.addBytes(root)
    out.addBytes(start)
    writeCode(out, code)
    writeMessage(out, message)
    out.addBytes(end)
    out.addBytes(endOfRoot)
    return out.take()
  }
}
