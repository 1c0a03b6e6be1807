// JSON and XML as PHP's json_encode and DOMDocument write them: written for tests, not taken from the
// product.

import type { Found, Switches } from './old-service.ts'

/** The fields of an entry, in order; `null` for a text that is not UTF-8. */
export type Fields = readonly (readonly [name: string, value: string | number | boolean | null])[]

/** Whether PHP takes a text for a number. */
export function isNumeric(text: string): boolean {
  return /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \t\n\r\v\f]*$/i.test(text)
}

type JsonStyle = Pick<Required<Switches>, 'unknown' | 'nothing' | 'pretty' | 'numericCheck'>

/** @returns null for a text that PHP cannot encode */
export function toJson(found: Found, { unknown, nothing, pretty, numericCheck }: JsonStyle): string | null {
  if (nothing === 'null' && found.size === 0) return 'null'
  const [line, space] = pretty ? ['\n', ' '] : ['', '']
  const object = (members: readonly string[], indent: string) =>
    members.length === 0
      ? '{}'
      : `{${line}${members.map((member) => (pretty ? `${indent}    ${member}` : member)).join(`,${line}`)}${line}${pretty ? indent : ''}}`
  const scalar = (value: string | number | boolean) =>
    typeof value === 'string' && !(numericCheck && isNumeric(value)) ? quote(value) : String(Number(value))
  const member = (name: string, value: string) => `${quote(name)}:${space}${value}`
  const entry = (fields: Fields) => {
    const members = fields.map(([name, value]) =>
      member(name, typeof value === 'boolean' ? String(value) : scalar(value ?? '')),
    )
    return object(members, '    ')
  }
  let isBroken = false
  const members = [...found].map(([name, fields]) => {
    if (fields === null) return member(name, 'null')
    if (typeof fields === 'string') return member(name, scalar(fields))
    if (fields.length === 0) return member(name, unknown === 'list' ? '[]' : '{}')
    isBroken ||= fields.some(([, value]) => value === null)
    return member(name, entry(fields))
  })
  return isBroken ? null : object(members, '')
}

function quote(text: string): string {
  const escaped = JSON.stringify(text).replaceAll('/', '\\/')
  return escaped.replace(/[\x7f-\uffff]/g, (unit) =>
    unit === '\x7f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

type XmlStyle = Pick<Required<Switches>, 'pretty' | 'serviceName' | 'xmlDeclaration'>

export function toXml(found: Found, { pretty, serviceName, xmlDeclaration }: XmlStyle): string {
  const element = (name: string, content: readonly string[], depth: number, attribute = '') => {
    if (content.length === 0) return `<${name}${attribute}/>`
    const indent = pretty ? `\n${'  '.repeat(depth)}` : ''
    const inside = content.map((child) => `${pretty ? `${indent}  ` : ''}${child}`).join('')
    return `<${name}${attribute}>${inside}${indent}</${name}>`
  }
  const leaf = (name: string, text: string) =>
    text === ''
      ? `<${name}/>`
      : `<${name}>${xmlDeclaration ? escapeText(text) : escapeNodeText(text)}</${name}>`
  const entries = [...found].map(([name, fields]) => {
    if (name === 'error' && typeof fields === 'string') return leaf('Error', fields)
    const children = (typeof fields === 'string' ? [] : (fields ?? [])).map(([field, value]) =>
      // false is an empty text, as ever in PHP; but for IsConfirmed.
      leaf(
        field,
        typeof value === 'boolean' ? (value ? '1' : field === 'IsConfirmed' ? '0' : '') : String(value),
      ),
    )
    return element('Data', children, 1, ` Value="${escapeAttribute(name)}"`)
  })
  const root = element(`${serviceName}API`, entries, 0)
  return `${xmlDeclaration ? '<?xml version="1.0"?>\n' : ''}${root}\n`
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const reference = (character: string) =>
  references[character] ?? `&#x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()};`

const escapeText = (text: string) => text.replace(/[&<>]|[^\n\t -\x7f]/gu, reference)

/** As saveXML($node) does, which leaves letters as they are. */
const escapeNodeText = (text: string) =>
  text.replace(/[&<>\r]/g, (mark) => (mark === '\r' ? '&#13;' : reference(mark)))

const escapeAttribute = (text: string) =>
  text.replace(/[&<>"]|[^ -\x7f]/gu, (mark) =>
    /[\n\r\t]/.test(mark) ? `&#${mark.charCodeAt(0)};` : reference(mark),
  )
