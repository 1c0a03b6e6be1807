// A legacy XML response, read as its clients read it: the declaration, indentation, the order of attributes,
// `<a/>` or `<a></a>`, and how characters are escaped do not count. The parser is strict: clients cannot read
// half a body.

import { SaxesParser } from 'saxes'
import { type Entries, type Entry, type Field, isErrorName, UnreadableBody, type Value } from './meaning.ts'

type Attribute = readonly [name: string, value: string]

interface Element {
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly children: Element[]
  text: string
}

/**
 * Everything beside the entries gets a name with a NUL, which no XML can hold: no entry has such a name.
 * @returns null for a refusal. @throws UnreadableBody
 */
export function readXml(text: string): Pick<Entries, 'root' | 'entries'> | null {
  const root = parse(text)
  // An error beside entries is a part of the response.
  const isError = ({ name }: Element) => isErrorName(name)
  if (root.children.some(isError) && !root.children.some(({ name }) => name === 'Data')) return null
  if (isMessage(root)) return null
  const entries = new Map<string, Entry>()
  const values = createNames()
  const elements = createNames()
  // .NET declares prefixes of namespaces on each root, and uses none.
  for (const [name, value] of root.attributes)
    if (!name.startsWith('xmlns:')) entries.set(`\0@${name}`, { type: 'text', text: value })
  if (root.text.trim() !== '') entries.set('\0text', { type: 'text', text: root.text.trim() })
  for (const child of root.children) {
    const isEntry = child.name === 'Data'
    const name = isEntry ? values(identifierOf(child) ?? '\0without Value') : `\0<${elements(child.name)}>`
    entries.set(name, entryOf(child))
  }
  return { root: root.name, entries }
}

/** A text for people, and only texts about it; or a root that is an error itself. */
function isMessage({ name, children, text }: Element): boolean {
  const isOne = (element: Element) =>
    /^(?:error_?)?message$|^detail$/i.test(element.name) && element.text.trim() !== ''
  if (children.some((child) => child.name === 'Data' || child.children.length > 0)) return false
  return children.some(isOne) || (/^errors?$/i.test(name) && text.trim() !== '')
}

/** Levels of elements: legacy responses have three. */
const MAX_XML_DEPTH = 32
/** The longest list has ten thousand users with eight elements each. */
const MAX_XML_ELEMENTS = 200_000

function parse(text: string): Element {
  const document: Element = { name: '', attributes: [], children: [], text: '' }
  const open = [document]
  // Without this, the types are those of a parser that resolves namespaces.
  const parser = new SaxesParser<{ xmlns: false }>()
  parser.on('error', () => {
    throw new UnreadableBody(`not well-formed XML: ${text.trimStart().slice(0, 60)}`)
  })
  let attributes: Attribute[] = []
  let elements = 0
  parser.on('attribute', ({ name, value }) => void attributes.push([name, value]))
  parser.on('opentag', ({ name }) => {
    if (open.length > MAX_XML_DEPTH)
      throw new UnreadableBody(`XML nested deeper than ${MAX_XML_DEPTH} levels`)
    if (++elements > MAX_XML_ELEMENTS)
      throw new UnreadableBody(`XML with more than ${MAX_XML_ELEMENTS} elements`)
    const element: Element = { name, attributes, children: [], text: '' }
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
  if (root === undefined) throw new UnreadableBody('XML without an element')
  return root
}

function identifierOf({ attributes }: Element): string | undefined {
  return attributes.find(([name]) => name === 'Value')?.[1]
}

function entryOf({ name, attributes, children, text }: Element): Entry {
  const others = attributes.filter(([attribute]) => name !== 'Data' || attribute !== 'Value')
  if (children.length === 0 && others.length === 0) return { type: 'text', text: withoutIndentation(text) }
  const free = createNames()
  const fields = others.map(([attribute, value]): Field => [`@${attribute}`, { type: 'text', text: value }])
  if (text.trim() !== '') fields.push(['\0text', { type: 'text', text: text.trim() }])
  for (const child of children) fields.push([free(child.name), valueIn(child)])
  return fields
}

/**
 * The text of a field; all of the element if it has attributes or elements, which legacy responses do not.
 */
function valueIn(element: Element): Value {
  const { attributes, children, text } = element
  if (children.length === 0 && attributes.length === 0) return { type: 'text', text }
  return { type: 'text', text: JSON.stringify(whole(element)), isNested: true }
}

/** An element as lists, for one JSON text: JSON texts within texts would double with each level. */
function whole({ name, attributes, children, text }: Element): unknown {
  const sorted = attributes.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [name, sorted, children.length === 0 ? text : text.trim(), children.map(whole)]
}

/** The result adds a number to a name that it got before: an element that comes twice is not lost. */
function createNames(): (name: string) => string {
  const counts = new Map<string, number>()
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name}\0(${count})`
  }
}

/** Removes line breaks, and the blanks beside them, at both ends. Other blanks are part of a value. */
function withoutIndentation(text: string): string {
  const bare = text.trim()
  const start = text.slice(0, text.indexOf(bare))
  const end = text.slice(start.length + bare.length)
  return [start, bare, end].filter((part) => part === bare || !part.includes('\n')).join('')
}
