import type { Entry, Field, FieldValue } from '../events/event.ts'
import type { Format } from './format.ts'

const DECLARATION = '<?xml version="1.0"?>\n'

/** The bytes of PHP 8's `SimpleXMLElement::asXML()`: libxml2's, for a document that names no encoding. */
export const xml: Format = {
  contentType: 'application/xml; charset=utf-8',

  answers: ({ fields }, { serviceName, unknown }) => {
    const writers = fields.map(fieldWriter)
    const root = `${serviceName}API`
    return (values, entries) => {
      let data = ''
      for (let index = 0; index < values.length; index++) {
        const entry = entries[index] ?? null
        if (entry === null && unknown === 'omit') continue
        data += `<Data Value="${escapeAttribute(values[index] ?? '')}"`
        if (entry === null) data += '/>'
        else {
          data += '>'
          for (const write of writers) data += write(entry)
          data += '</Data>'
        }
      }
      return `${DECLARATION}${element(root, data)}\n`
    }
  },

  error: (code, message, { serviceName }) => {
    const error = element('Code', escapeText(code)) + element('Message', escapeText(message))
    return `${DECLARATION}${element(`${serviceName}API`, element('Error', error))}\n`
  },
}

/** An element with ready-made content; one without content closes itself, as libxml2 has it. */
function element(name: string, content: string): string {
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`
}

function fieldWriter({ name, source, type, xml }: Field): (entry: Entry) => string {
  if (type === 'string') return (entry) => element(name, escapeText(String(entry[source])))
  const text: (value: FieldValue | undefined) => string =
    xml === 'digit' ? (value) => (value ? '1' : '0') : xml === 'flag' ? (value) => (value ? '1' : '') : String
  return (entry) => element(name, text(entry[source]))
}

// libxml2 writes a carriage return as &#xD; in text and as &#13; in attributes, quotes bare in text, and every
// character beyond ASCII as an upper-case hexadecimal reference.
const specialInText = /[&<>\x00-\x08\x0b-\x1f\x80-\uffff]/
const everySpecialInText = /[&<>\x00-\x08\x0b-\x1f\u{80}-\u{10ffff}]/gu
const specialInAttribute = /[&<>"\x00-\x1f\x80-\uffff]/
const everySpecialInAttribute = /[&<>"\x00-\x1f\u{80}-\u{10ffff}]/gu
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeText(text: string): string {
  return specialInText.test(text) ? text.replace(everySpecialInText, escapeInText) : text
}

function escapeAttribute(text: string): string {
  return specialInAttribute.test(text) ? text.replace(everySpecialInAttribute, escapeInAttribute) : text
}

function escapeInText(character: string): string {
  return named[character] ?? reference(character)
}

function escapeInAttribute(character: string): string {
  if (character === '\t' || character === '\n' || character === '\r') return `&#${character.charCodeAt(0)};`
  return named[character] ?? reference(character)
}

// What XML 1.0 cannot carry at all (C0 controls, lone surrogates, U+FFFE and U+FFFF) becomes U+FFFD: PHP would
// write a reference to it, and no parser would accept the document.
const forbidden = /[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u

function reference(character: string): string {
  if (forbidden.test(character)) return '&#xFFFD;'
  return `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`
}
