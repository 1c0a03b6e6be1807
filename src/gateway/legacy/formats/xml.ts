import type { Entry, Field, FieldValue } from '../events/event.ts'
import { AsciiText, ascii, type Escapes } from './ascii.ts'
import type { Format } from './format.ts'

const DECLARATION = '<?xml version="1.0"?>\n'

// An element without content closes itself, as libxml2 has it; so the root stays open until there is some.
const [emptyRoot, first] = [ascii('/>\n'), ascii('><Data Value="')]
const [next, startOfData] = [ascii('<Data Value="'), ascii('">')]
const [endOfData, emptyData] = [ascii('</Data>'), ascii('"/>')]

/** The bytes of PHP 8's `SimpleXMLElement::asXML()`: libxml2's, for a document that names no encoding. */
export const xml: Format = {
  contentType: () => 'application/xml; charset=utf-8',

  answers: ({ fields }, { serviceName, unknown }) => {
    const writers = fields.map(fieldWriter)
    const root = ascii(`${DECLARATION}<${serviceName}API`)
    const end = ascii(`</${serviceName}API>\n`)
    return (values, entries) => {
      const out = new AsciiText()
      out.addBytes(root)
      let before = first
      for (let index = 0; index < values.length; index++) {
        const entry = entries[index] ?? null
        if (entry === null && unknown === 'omit') continue
        out.addBytes(before)
        before = next
        out.addEscaped(values[index] ?? '', inAttribute)
        if (entry === null) out.addBytes(emptyData)
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

  error: (code, message, { serviceName, errorBody }) => {
    const out = new AsciiText()
    out.add(`${DECLARATION}<${serviceName}API>`)
    if (errorBody === 'object') {
      out.add('<Error>')
      elementWriter('Code')(out, code)
      elementWriter('Message')(out, message)
      out.add('</Error>')
    } else elementWriter('Error')(out, message)
    out.add(`</${serviceName}API>\n`)
    return out.take()
  },
}

function elementWriter(name: string): (out: AsciiText, text: string) => void {
  const [start, end, empty] = [ascii(`<${name}>`), ascii(`</${name}>`), ascii(`<${name}/>`)]
  return (out, text) => {
    if (text === '') out.addBytes(empty)
    else {
      out.addBytes(start)
      out.addEscaped(text, inText)
      out.addBytes(end)
    }
  }
}

function fieldWriter({ name, source, xml }: Field): (out: AsciiText, entry: Entry) => void {
  const write = elementWriter(name)
  const text: (value: FieldValue | undefined) => string =
    xml === 'digit' ? (value) => (value ? '1' : '0') : xml === 'flag' ? (value) => (value ? '1' : '') : String
  return (out, entry) => write(out, text(entry[source]))
}

// libxml2 writes a carriage return as &#xD; in text and as &#13; in attributes, quotes bare in text, and
// every character beyond ASCII as an upper-case hexadecimal reference. What XML 1.0 cannot carry at all (C0
// controls, lone surrogates, U+FFFE and U+FFFF) becomes U+FFFD: PHP would write a reference to it, and no
// parser would accept the document.
const REPLACEMENT_CHARACTER = 0xfffd
const reference = { before: ascii('&#x'), digits: ascii('0123456789ABCDEF'), least: 1, after: ascii(';') }

const beyond: Escapes['beyond'] = (out, codePoint) =>
  out.addHex(codePoint === 0xfffe || codePoint === 0xffff ? REPLACEMENT_CHARACTER : codePoint, reference)

function escapes(named: Readonly<Record<string, string>>): Escapes {
  const table = Array.from({ length: 0x80 }, (_, code) => {
    const character = String.fromCharCode(code)
    const allowed = code >= 0x20 || character === '\t' || character === '\n'
    const written = named[character] ?? (allowed ? character : '&#xFFFD;')
    return written === character ? null : ascii(written)
  })
  return { ascii: table, beyond }
}

const markup = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const
const inText = escapes({ ...markup, '\r': '&#xD;' })
const inAttribute = escapes({ ...markup, '"': '&quot;', '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' })
