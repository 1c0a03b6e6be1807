// Entries → XML: by default the bytes of PHP 8's SimpleXMLElement::asXML(). Old clients depend on every byte.

import { ascii, type Escapes, filler, isInTag, utf8 } from './ascii.ts'
import { type Dialect, type LookupSubject, rootOf } from './dialect.ts'
import { entriesWriter, type WriteEntries, type WriteField } from './entries.ts'
import { type EventField, fieldNamed, plainName, withServiceName } from './events.ts'
import { htmlEscapers } from './text.ts'
import { sectionEscapes, xmlEscapes } from './xml-escapes.ts'

export function xmlWriter(dialect: Dialect, subject: LookupSubject): WriteEntries {
  const { xml, fields, missing, cdata, serviceName } = dialect
  const { line, fieldLines, quotes } = xml
  const before = lineOf(xml)
  const { inField, inText, inValue } = xmlEscapes(xml)
  const inSingleQuotes = xmlEscapes({ ...xml, quotes: "'" }).inValue
  const head = headOf(dialect)
  const name = nameOf(rootOf(dialect))
  const writers = fields[subject].xml.map((field) => {
    const when = cdata[plainName(field) as keyof typeof cdata] ?? 'never'
    const element = { name: withServiceName(field, serviceName), before: before(2), when, inField }
    return fieldWriter(fieldNamed(field), xml, element)
  })
  const missingText = missing[subject].xml
  /** The escapes of the value in `missing`: it may stand in an attribute, in either quotation marks. */
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

interface FieldElement {
  readonly name: string
  /** The line end and the indentation. */
  readonly before: string
  /** When the text is in a CDATA section. */
  readonly when: Dialect['cdata']['Title']
  readonly inField: Escapes
}

function fieldWriter(
  { source, kind }: EventField,
  xml: Dialect['xml'],
  { name, before, when, inField }: FieldElement,
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

function isInSection(when: FieldElement['when'], text: string): boolean {
  return when === 'if needed' ? /[&<>]/.test(text) : when === 'always' || text !== ''
}

const booleans = {
  '0 or 1': ['0', '1'],
  'empty or 1': ['', '1'],
  'false or true': ['false', 'true'],
} as const
