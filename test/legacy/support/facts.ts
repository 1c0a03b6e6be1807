// What an answer says, apart from how it is written, so that JSON and XML can be compared.

import { validateXML } from 'xmllint-wasm'

/** A field's value: as JSON has it, or as text where it comes from XML. */
type Scalar = string | number | boolean
/**
 * An entry: the value asked for and the fields in order, `null` where nothing matched. An error is one, too.
 */
export type Fact<Value extends Scalar = Scalar> = readonly [
  value: string,
  fields: readonly (readonly [name: string, content: Value])[] | null,
]

/** The facts of a JSON answer, sorted, in the terms of XML. */
export const jsonFacts = (body: string): Fact<string>[] => sorted(asXmlSays(orderedJsonFacts(body)))

const text = String.raw`"(?:[^"\\]|\\.)*"`
const member = new RegExp(String.raw`${text}:(?:null|\{(?:[^"{}]|${text})*\})`, 'y')

/**
 * The facts of a JSON answer in their order, each as often as it is there; throws where there is anything
 * else.
 */
export function orderedJsonFacts(body: string): Fact[] {
  if (body === '{}') return []
  const members: string[] = []
  for (member.lastIndex = 1; member.lastIndex < body.length; member.lastIndex++) {
    const [found] = member.exec(body) ?? []
    if (found === undefined) throw new Error(`not an answer: ${body.slice(0, 1000)}`)
    members.push(found)
  }
  if (`{${members.join(',')}}` !== body) throw new Error(`not an answer: ${body.slice(0, 1000)}`)
  return members.flatMap((one) => {
    const entry: Record<string, Record<string, Scalar> | null> = JSON.parse(`{${one}}`)
    return Object.entries(entry).map(([value, fields]): Fact => [value, fields && Object.entries(fields)])
  })
}

/** JSON facts in the terms of XML: booleans as old clients know them, U+FFFD for what XML cannot carry. */
export function asXmlSays(facts: readonly Fact[]): Fact<string>[] {
  return facts.map(([value, fields]) => [
    xmlText(value),
    fields?.map(([name, content]) => [name, xmlText(inXml(name, content))] as const) ?? null,
  ])
}

function inXml(name: string, content: Scalar): string {
  if (typeof content !== 'boolean') return String(content)
  if (content) return '1'
  return name === 'IsConfirmed' ? '0' : ''
}

export function xmlText(text: string): string {
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd')
}

export function sorted(facts: readonly Fact<string>[]): Fact<string>[] {
  const keyed = facts.map((fact) => ({ key: JSON.stringify(fact), fact }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return keyed.map(({ fact }) => fact)
}

/**
 * Reads XML documents with libxml2: each has to be well-formed, and to validate if there is a schema. What it
 * understood comes back as canonical XML, which can be written in one way only, so that simple patterns read
 * it.
 * @throws with libxml2's complaints
 */
export async function xmlFacts(documents: readonly string[], schema?: string): Promise<Fact<string>[][]> {
  if (documents.length === 0) return []
  const xml = documents.map((contents, index) => ({ fileName: `${index}.xml`, contents }))
  const { valid, errors, normalized } = await validateXML({
    xml,
    ...(schema !== undefined && { schema }),
    normalization: 'c14n',
    maxMemoryPages: 8192,
  })
  if (!valid) {
    const { loc, rawMessage } = errors[0] ?? { loc: null, rawMessage: 'no reason given' }
    const culprit = documents[Number.parseInt(loc?.fileName ?? '', 10)]
    throw new Error(`${rawMessage}: ${JSON.stringify(culprit ?? null)}`)
  }
  const roots = [...normalized.matchAll(/<(\w+API)(?: [^<>]*)?>(.*?)<\/\1>/gs)]
  if (roots.length !== documents.length) throw new Error(`${roots.length} of ${documents.length} came back`)
  return roots.map(([, , content = '']) => canonicalFacts(content))
}

function canonicalFacts(content: string): Fact<string>[] {
  return [...content.matchAll(/<(Data Value="([^"]*)"|Error)>(.*?)<\/(?:Data|Error)>/gs)].map(
    ([, , value, fields = '']) => [
      value === undefined ? 'Error' : unescapeXml(value),
      fields === ''
        ? null
        : [...fields.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(
            ([, name = '', text = '']) => [name, unescapeXml(text)] as const,
          ),
    ],
  )
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

export function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9A-F]+)|#(\d+)|(\w+));/g, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return decimal === undefined ? (named[name] ?? whole) : String.fromCodePoint(Number(decimal))
  })
}
