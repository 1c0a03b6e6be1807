import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import type { Probing } from './heard.ts'
import { type HeardXml, hearXml, referencesIn, textsIn } from './heard-xml.ts'

/**
 * How a library, or a service without one, writes XML. The other settings of XML say where one departs from
 * it.
 */
export interface XmlStyle {
  readonly by: string
  readonly declaration: string | null
  /** Where characters beyond ASCII are written as references; elsewhere they are raw. */
  readonly references: 'everywhere' | 'attributes' | 'nowhere'
  /** What is escaped besides `&`, `<` and `>`, and how. */
  readonly inText: Readonly<Record<string, string>>
  readonly inAttribute: Readonly<Record<string, string>>
  /** Which elements are `<a></a>` where they have no content; all others are `<a/>`. */
  readonly open: readonly XmlPart[]
  /** Whether a line end ends it. */
  readonly newline: boolean
}

export type XmlPart = 'fields' | 'entries' | 'root'

// libxml2 has &#xD; in text where it makes a reference of every character that is not ASCII, and &#13;
// elsewhere.
const inAttribute = { '"': '&quot;', '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' }
const utf8 = '<?xml version="1.0" encoding="UTF-8"?>'
const inHtml = { '"': '&quot;', "'": '&#039;' }

export const xmlStyles = {
  simplexml: {
    by: 'SimpleXML writes a document without an encoding',
    declaration: '<?xml version="1.0"?>',
    references: 'everywhere',
    inText: { '\r': '&#xD;' },
    inAttribute,
    open: [],
    newline: true,
  },
  dom: {
    by: 'DOMDocument writes a document in UTF-8',
    declaration: utf8,
    references: 'nowhere',
    inText: { '\r': '&#13;' },
    inAttribute,
    open: [],
    newline: true,
  },
  'dom-node': {
    by: "DOMDocument's saveXML($node) writes an element of a document without an encoding",
    declaration: null,
    references: 'attributes',
    inText: { '\r': '&#13;' },
    inAttribute,
    open: [],
    newline: false,
  },
  xmlwriter: {
    by: 'XMLWriter writes it',
    declaration: utf8,
    references: 'nowhere',
    inText: { '"': '&quot;', '\r': '&#13;' },
    inAttribute,
    open: ['fields'],
    newline: true,
  },
  plain: {
    by: 'strings and htmlspecialchars make it',
    declaration: utf8,
    references: 'nowhere',
    inText: inHtml,
    inAttribute: inHtml,
    open: ['fields', 'entries', 'root'],
    newline: false,
  },
} as const satisfies Readonly<Record<string, XmlStyle>>

export type XmlStyleName = keyof typeof xmlStyles

export const xmlStyle = habit({
  setting: oneOf(
    'LEGACY_XML_STYLE',
    'simplexml',
    ['simplexml', 'dom', 'dom-node', 'xmlwriter', 'plain'],
    'what PHP writes XML with: the declaration, escapes, empty elements and the last line end',
  ),
  effect: (value, { format }) =>
    format === 'JSON' ? null : `XML is written as ${xmlStyles[value].by} in PHP.`,
  tell: async (probing) => (await tellXmlStyle(probing))?.style ?? null,
})

/** @returns the style, and what it was told by; `null` where no XML came */
export async function tellXmlStyle(
  probing: Probing,
): Promise<{ readonly style: XmlStyleName; readonly heard: HeardXml } | null> {
  const heard = await hearXml(probing)
  return heard === null ? null : { style: styleOf(heard), heard }
}

/** No library of PHP's writes so. */
export const singlyQuoted = /<Data Value='/

// By what no other setting can say, first: how characters are written. Where none is seen that tells, by the
// declaration: with an encoding, libxml2 has no need of references.
function styleOf({ texts, content, declaration }: HeardXml): XmlStyleName {
  const isRaw = /[\x80-\xff]/.test(content)
  if (referencesIn(content).length > 0) return isRaw ? 'dom-node' : 'simplexml'
  if (singlyQuoted.test(content)) return 'plain'
  const attributes = [...content.matchAll(/ Value="([^"]*)"/g)].map(([, value]) => value).join('')
  const isRawInAttribute = /[\x80-\xff]/.test(attributes)
  const ofLibxml =
    declaration === null && !isRawInAttribute
      ? 'dom-node'
      : isRaw || /encoding/i.test(declaration ?? '')
        ? 'dom'
        : 'simplexml'
  if (/&(?:#0?39|apos);/.test(content)) return 'plain'
  // In text, libxml2 leaves quotation marks as they are.
  const written = textsIn(content)
  if (written.some((text) => text.includes('"'))) return ofLibxml
  const endsInLine = texts.every((text) => text.endsWith('\n'))
  if (written.some((text) => text.includes('&quot;'))) return endsInLine ? 'xmlwriter' : 'plain'
  const isOpen = /<(\w+)><\/\1>/.test(content) && !/<[^<?]*\/>/.test(content)
  return (!endsInLine && isOpen) || /[\t\n\r]/.test(attributes) ? 'plain' : ofLibxml
}
