import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import type { Probing } from './heard.ts'
import { type HeardXml, hearXml, referencesIn } from './heard-xml.ts'

/** How a library, or a service without one, writes XML. The other settings of XML say where one departs from it. */
export interface XmlStyle {
  readonly by: string
  readonly declaration: string | null
  /** How characters beyond ASCII are written. */
  readonly beyondAscii: 'references' | 'raw'
  /** What is escaped besides `&`, `<` and `>`, and how. */
  readonly inText: Readonly<Record<string, string>>
  readonly inAttribute: Readonly<Record<string, string>>
  /** Which elements are `<a></a>` where they have no content; all others are `<a/>`. */
  readonly open: readonly XmlPart[]
  /** Whether a line end ends it. */
  readonly newline: boolean
}

export type XmlPart = 'fields' | 'entries' | 'root'

// libxml2 has &#xD; in text where it makes a reference of every character that is not ASCII, and &#13; elsewhere.
const inAttribute = { '"': '&quot;', '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' }
const utf8 = '<?xml version="1.0" encoding="UTF-8"?>'
const inHtml = { '"': '&quot;', "'": '&#039;' }

export const xmlStyles = {
  simplexml: {
    by: 'SimpleXML writes a document without an encoding',
    declaration: '<?xml version="1.0"?>',
    beyondAscii: 'references',
    inText: { '\r': '&#xD;' },
    inAttribute,
    open: [],
    newline: true,
  },
  dom: {
    by: 'DOMDocument writes a document in UTF-8',
    declaration: utf8,
    beyondAscii: 'raw',
    inText: { '\r': '&#13;' },
    inAttribute,
    open: [],
    newline: true,
  },
  xmlwriter: {
    by: 'XMLWriter writes it',
    declaration: utf8,
    beyondAscii: 'raw',
    inText: { '"': '&quot;', '\r': '&#13;' },
    inAttribute,
    open: ['fields'],
    newline: true,
  },
  plain: {
    by: 'strings and htmlspecialchars make it',
    declaration: utf8,
    beyondAscii: 'raw',
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
    ['simplexml', 'dom', 'xmlwriter', 'plain'],
    'what PHP writes XML with, which decides the declaration, escapes, empty elements and the last line end',
  ),
  effect: (value, { format }) =>
    format === 'JSON' || value === 'simplexml' ? null : `XML is written as ${xmlStyles[value].by} in PHP.`,
  tell: async (probing) => (await tellXmlStyle(probing))?.style ?? null,
})

/** @returns the style, and what it was told by; `null` where no XML came */
export async function tellXmlStyle(
  probing: Probing,
): Promise<{ readonly style: XmlStyleName; readonly heard: HeardXml } | null> {
  const heard = await hearXml(probing)
  return heard === null ? null : { style: styleOf(heard), heard }
}

// By what cannot be said by another setting, first: how characters are written. Where none is seen that tells, by
// the declaration: with an encoding, libxml2 has no need of references.
function styleOf({ texts, content, declaration }: HeardXml): XmlStyleName {
  const isRaw = /[\x80-\xff]/.test(content)
  const saysUtf8 = /encoding/i.test(declaration ?? '')
  if (referencesIn(content).length > 0) return 'simplexml'
  if (/&(?:#0?39|apos);/.test(content)) return 'plain'
  // In text libxml2 leaves quotation marks as they are.
  if (/>[^<"]*"[^<]*</.test(content)) return isRaw || saysUtf8 || declaration === null ? 'dom' : 'simplexml'
  const endsInLine = texts.every((text) => text.endsWith('\n'))
  const isOpen = /<(\w+)><\/\1>/.test(content) && !/<[^<?]*\/>/.test(content)
  const isPlain = (!endsInLine && isOpen) || /[\t\n\r]/.test(attributesIn(content))
  if (/>[^<]*&quot;/.test(content)) return isPlain || !endsInLine ? 'plain' : 'xmlwriter'
  if (isPlain) return 'plain'
  // DOMDocument writes an element alone in UTF-8, whatever the document's encoding is.
  return isRaw || saysUtf8 || declaration === null ? 'dom' : 'simplexml'
}

function attributesIn(content: string): string {
  return [...content.matchAll(/ Value="([^"]*)"/g)].map(([, value]) => value).join('')
}
