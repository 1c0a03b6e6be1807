// Entries → XML: by default the bytes of PHP 8's SimpleXMLElement::asXML().

import { type Add, AsciiText, ascii, type Escapes, filler, isInTag, replacements, utf8 } from './ascii.ts'
import { type Dialect, rootOf, type Subject } from './dialect.ts'
import { entriesWriter, type WriteEntries, type WriteField } from './entries.ts'
import { type Field, fieldNamed } from './events.ts'
import { htmlEscapers } from './text.ts'

export function xmlWriter(dialect: Dialect, subject: Subject): WriteEntries {
  const { xml, fields, missing, cdata, serviceName } = dialect
  const { line, fieldLines, quotes } = xml
  const before = lineOf(xml)
  const { inField, inText, inValue } = xmlEscapes(xml)
  const inSingleQuotes = xmlEscapes({ ...xml, quotes: "'" }).inValue
  const head = headOf(dialect)
  const name = nameOf(rootOf(dialect))
  const writers = fields[subject].xml.map((field) => {
    const shown = field.replace(/^Service/, serviceName)
    const when = cdata[field.replace(/^Service/, '') as keyof typeof cdata] ?? 'never'
    return fieldWriter(fieldNamed(field), xml, { name: shown, before: before(2), when, inField })
  })
  const missingText = missing[subject].xml
  const escapesAfter = (text: string) => {
    if (!isInTag(text)) return inText
    return text.lastIndexOf("'") > text.lastIndexOf('"') ? inSingleQuotes : inValue
  }
  const emptyRoot =
    xml.emptyRoot === 'on two lines' ? `>${line ?? '\n'}</${name}>` : emptyEnd(xml.emptyRoot, name)
  return entriesWriter({
    empty: utf8(head) + emptyRoot + xml.end,
    first: `${utf8(head)}>`,
    next: '',
    start: filler(`${before(1)}<Data Value=${quotes}{value}${quotes}>`, () => inValue),
    fields: writers,
    endOfEntry: `${fieldLines ? before(1) : ''}</Data>`,
    missing: missingText === null ? null : filler(before(1) + missingText, escapesAfter),
    end: `${before(0)}</${name}>${xml.end}`,
    charset: xml.charset,
  })
}

/** The line end and the indentation before an element. */
function lineOf({ line, indent, fieldLines }: Dialect['xml']): (depth: number) => string {
  return (depth) => (line === null || (depth > 1 && !fieldLines) ? '' : line + indent.repeat(depth))
}

/** The declaration and the start tag of the root, without its `>`, and what comes before them. */
function headOf(dialect: Dialect): string {
  const { before, declaration, afterDeclaration } = dialect.xml
  return `${before}${declaration === '' ? '' : declaration + afterDeclaration}<${rootOf(dialect)}`
}

/** The name of an element that may have attributes. */
const nameOf = (root: string): string => root.replace(/\s[\s\S]*/, '')

/** The error of the contract, in the layout of the dialect, with `{code}` and `{message}`. */
export function xmlError(dialect: Dialect): string {
  const { xml } = dialect
  const line = lineOf(xml)
  const members = `${line(2)}<Code>{code}</Code>${line(2)}<Message>{message}</Message>`
  const error = `<Error>${members}${xml.fieldLines ? line(1) : ''}</Error>`
  return `${headOf(dialect)}>${line(1)}${error}${line(0)}</${nameOf(rootOf(dialect))}>${xml.end}`
}

function emptyEnd(form: '<a/>' | '<a></a>' | '<a />', name: string): string {
  return form === '<a></a>' ? `></${name}>` : form === '<a />' ? ' />' : '/>'
}

interface Element {
  readonly name: string
  readonly before: string
  readonly when: Dialect['cdata']['Title']
  readonly inField: Escapes
}

function fieldWriter(
  { source, kind }: Field,
  xml: Dialect['xml'],
  { name, before, when, inField }: Element,
): WriteField {
  const empty = ascii(`${before}<${name}${emptyEnd(xml.emptyFields, name)}`)
  const [start, end] = [ascii(`${before}<${name}>`), ascii(`</${name}>`)]
  if (kind === 'confirmed' || kind === 'banned') {
    const elementOf = (text: string) => (text === '' ? empty : ascii(`${before}<${name}>${text}</${name}>`))
    const [no, yes] = booleans[xml[kind]]
    const [elementOfNo, elementOfYes] = [elementOf(no), elementOf(yes)]
    return (out, row) => out.addBytes(row[source] ? elementOfYes : elementOfNo)
  }
  const escapeHtml = htmlEscapers[kind === 'text' ? xml.html : 'plain']
  const inSection = kind === 'text' && when !== 'never' ? sectionEscapes(xml) : null
  const [startOfSection, endOfSection] = [ascii(`${before}<${name}><![CDATA[`), ascii(`]]></${name}>`)]
  return (out, row) => {
    const text = escapeHtml(String(row[source]))
    if (inSection !== null && isInSection(when, text)) {
      out.addBytes(startOfSection)
      out.addEscaped(text.includes(']]>') ? text.replaceAll(']]>', ']]]]><![CDATA[>') : text, inSection)
      out.addBytes(endOfSection)
    } else if (text === '') out.addBytes(empty)
    else {
      out.addBytes(start)
      out.addEscaped(text, inField)
      out.addBytes(end)
    }
  }
}

function isInSection(when: Element['when'], text: string): boolean {
  return when === 'if needed' ? /[&<>]/.test(text) : when === 'always' || text !== ''
}

const booleans = {
  '0 or 1': ['0', '1'],
  'empty or 1': ['', '1'],
  'false or true': ['false', 'true'],
} as const

const markup = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

interface XmlEscapes {
  /** In fields of rows. */
  readonly inField: Escapes
  /** In other texts. A value of a client is always escaped: a browser would run a script in it. */
  readonly inText: Escapes
  /** In the attribute Value. */
  readonly inValue: Escapes
}

export function xmlEscapes(xml: Dialect['xml']): XmlEscapes {
  const apostrophe: Readonly<Record<string, string>> =
    xml.apostrophes === 'plain' ? {} : { "'": xml.apostrophes }
  const controls = controlsOf(xml)
  const inText = {
    ...markup,
    ...(xml.quotesInTexts !== 'plain' && { '"': xml.quotesInTexts }),
    ...apostrophe,
    ...controls.inText,
  }
  // A value in single quotes would end at an apostrophe.
  const single = xml.quotes === "'" && xml.apostrophes === 'plain' ? { "'": '&#039;' } : apostrophe
  const inValue = {
    ...markup,
    '"': xml.quotesInValues,
    ...single,
    ...controls.inValue,
  }
  return {
    inField: escapes(xml.markup === 'plain' ? {} : inText, xml.lettersInTexts),
    inText: escapes(inText, xml.lettersInTexts),
    inValue: escapes(inValue, xml.lettersInValues),
  }
}

function controlsOf({ controls, lettersInTexts }: Dialect['xml']) {
  const inHexadecimal = { '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' }
  if (controls === 'plain') return { inText: {}, inValue: {} }
  if (controls === 'hexadecimal') return { inText: inHexadecimal, inValue: inHexadecimal }
  // libxml2 writes a carriage return in hexadecimal where it writes all letters as references.
  const inText = { '\r': lettersInTexts === 'hexadecimal' ? '&#xD;' : '&#13;' }
  return { inText, inValue: { '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' } }
}

// A DOMDocument with the encoding US-ASCII or ISO-8859-1 writes references in a CDATA section, too, though
// they mean nothing there. One without an encoding writes hexadecimal references, and plain letters in a
// section; Java, with its references beyond U+FFFF, has plain letters there, too.
function sectionEscapes({ lettersInTexts }: Dialect['xml']): Escapes {
  const isPlain = lettersInTexts === 'hexadecimal' || lettersInTexts === 'decimal beyond U+FFFF'
  return escapes({}, isPlain ? 'plain' : lettersInTexts)
}

const hexadecimal = { before: ascii('&#x'), digits: ascii('0123456789ABCDEF'), least: 1, after: ascii(';') }

/** Characters from a code point on are decimal references. */
function decimalFrom(least: number): Add {
  return (out, codePoint) => {
    if (codePoint >= least) out.add(`&#${codePoint};`)
    else out.addUtf8(codePoint)
  }
}

const addLetter: Readonly<Record<Dialect['xml']['lettersInTexts'], Add>> = {
  hexadecimal: (out, codePoint) => out.addHex(codePoint, hexadecimal),
  decimal: decimalFrom(0),
  plain: (out, codePoint) => out.addUtf8(codePoint),
  'decimal beyond Latin-1': decimalFrom(0x100),
  'decimal beyond U+FFFF': decimalFrom(0x10000),
}

function escapes(
  named: Readonly<Record<string, string>>,
  letters: Dialect['xml']['lettersInTexts'],
): Escapes {
  const add = addLetter[letters]
  // XML 1.0 cannot carry C0 controls, U+FFFE and U+FFFF, not even as references: no parser accepts them.
  const replacement = new AsciiText()
  add(replacement, REPLACEMENT_CHARACTER)
  const replaced = replacement.take()
  const table = replacements(
    (character) => named[character] ?? (/[^\t\n\r -\x7f]/.test(character) ? replaced : character),
  )
  const beyond: Add = (out, codePoint) =>
    add(out, codePoint === 0xfffe || codePoint === 0xffff ? REPLACEMENT_CHARACTER : codePoint)
  return { ascii: table, beyond }
}

const REPLACEMENT_CHARACTER = 0xfffd
