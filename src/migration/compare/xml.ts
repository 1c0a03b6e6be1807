// Reads a legacy XML response as its clients do: the declaration, indentation, the order of attributes,
// `<a/>` or `<a></a>`, and how characters are escaped do not count. The parser is strict, because clients
// refuse a body that is not well-formed.

import { SaxesParser } from 'saxes'
import {
  type EntriesMeaning,
  type EntryMeaning,
  type FieldMeaning,
  isRefusal,
  mayBeEntry,
  type ResponsePart,
  UnreadableBodyError,
  type ValueMeaning,
} from './meaning.ts'

type Attribute = readonly [name: string, value: string]

interface XmlElement {
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly children: XmlElement[]
  text: string
}

/**
 * All other parts get names with a NUL. XML cannot hold a NUL, so no entry has such a name.
 * @returns null for a refusal @throws UnreadableBodyError
 */
export function readXml(text: string): Pick<EntriesMeaning, 'root' | 'entries'> | null {
  const root = parse(text)
  // A page of a proxy or of another site, with whatever status.
  if (/^html$/i.test(root.name)) throw new UnreadableBodyError('an HTML page')
  if (isRefusedBy(root)) return null
  const entries = new Map<string, EntryMeaning>()
  const numberValue = createNumbering()
  const numberElement = createNumbering()
  // .NET declares prefixes of namespaces on each root, and uses none.
  for (const [name, value] of root.attributes)
    if (!name.startsWith('xmlns:') || text.includes(`<${name.slice('xmlns:'.length)}:`))
      entries.set(`\0@${name}`, { type: 'text', text: value })
  if (trimmed(root.text) !== '') entries.set('\0text', { type: 'text', text: trimmed(root.text) })
  for (const child of root.children) {
    const value = child.attributes.find(([name]) => name === 'Value')?.[1] ?? '\0without Value'
    const name = child.name === 'Data' ? numberValue(value) : `\0<${numberElement(child.name)}>`
    entries.set(name, entryOf(child))
  }
  return { root: root.name, entries }
}

function isRefusedBy({ name, children, text }: XmlElement): boolean {
  const parts = children.map(partOf)
  if (isRefusal(parts)) return true
  const isEmpty = children.length === 0 && trimmed(text) === ''
  return /^errors?$/i.test(name) && !isEmpty && !parts.some(({ isEntry }) => isEntry)
}

function partOf({ name, children, text }: XmlElement): ResponsePart {
  if (children.length === 0) return { name, text: trimmed(text), isEntry: name === 'Data' }
  const names = children.map((child) => child.name)
  return { name, text: null, isEntry: mayBeEntry(name, names) }
}

/** Levels of elements: legacy responses have three. */
const MAX_XML_DEPTH = 32
/** The longest list has ten thousand users with eight elements each. */
const MAX_XML_ELEMENTS = 100_000

function parse(text: string): XmlElement {
  // Most of the time of a huge body would go into its first 100,000 elements.
  let tags = 0
  for (const _ of text.matchAll(/<[^/!?]/g))
    if (++tags > MAX_XML_ELEMENTS)
      throw new UnreadableBodyError(`XML with more than ${MAX_XML_ELEMENTS} elements`)
  const document: XmlElement = { name: '', attributes: [], children: [], text: '' }
  const open = [document]
  // The type argument selects the types of a parser that does not resolve namespaces.
  const parser = new SaxesParser<{ xmlns: false }>()
  parser.on('error', () => {
    throw new UnreadableBodyError(`not well-formed XML: ${text.trimStart().slice(0, 60)}`)
  })
  let attributes: Attribute[] = []
  parser.on('attribute', ({ name, value }) => void attributes.push([name, value]))
  parser.on('opentag', ({ name }) => {
    if (open.length > MAX_XML_DEPTH)
      throw new UnreadableBodyError(`XML nested deeper than ${MAX_XML_DEPTH} levels`)
    const element: XmlElement = { name, attributes, children: [], text: '' }
    attributes = []
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  const add = (more: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += more
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(text.trimStart()).close()
  const [root] = document.children
  if (root === undefined) throw new UnreadableBodyError('XML without an element')
  return root
}

function entryOf({ name, attributes, children, text }: XmlElement): EntryMeaning {
  const others = attributes.filter(([attribute]) => name !== 'Data' || attribute !== 'Value')
  if (children.length === 0 && others.length === 0) return { type: 'text', text: withoutIndentation(text) }
  const numberField = createNumbering()
  const fields = others.map(
    ([attribute, value]): FieldMeaning => [`@${attribute}`, { type: 'text', text: value }],
  )
  if (trimmed(text) !== '') fields.push(['\0text', { type: 'text', text: trimmed(text) }])
  for (const child of children) fields.push([numberField(child.name), fieldValue(child)])
  return fields
}

/** The text of a field; the whole element if it has attributes or elements, which no legacy field has. */
function fieldValue(element: XmlElement): ValueMeaning {
  const { attributes, children, text } = element
  if (children.length === 0 && attributes.length === 0) return { type: 'text', text }
  return { type: 'text', text: JSON.stringify(whole(element)), isNested: true }
}

/** An element as lists, for one JSON text: JSON texts within texts would double with each level. */
function whole({ name, attributes, children, text }: XmlElement): unknown {
  const sorted = attributes.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [name, sorted, children.length === 0 ? text : trimmed(text), children.map(whole)]
}

/** Returns a function that adds a number to a repeated name, so that no repeated element is lost. */
function createNumbering(): (name: string) => string {
  const counts = new Map<string, number>()
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}\0(${count})`
  }
}

const isSpace = (character: string | undefined) =>
  character === ' ' || character === '\n' || character === '\t' || character === '\r'

/** Without the white space of XML at both ends. A no-break space is text. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text[start])) start++
  while (end > start && isSpace(text[end - 1])) end--
  return text.slice(start, end)
}

/** Removes line breaks, and the blanks beside them, at both ends. Other blanks are part of a value. */
function withoutIndentation(text: string): string {
  const bare = trimmed(text)
  const start = text.slice(0, text.indexOf(bare))
  const end = text.slice(start.length + bare.length)
  return [start, bare, end].filter((part) => part === bare || !part.includes('\n')).join('')
}
