import { list, onlyOneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { type HeardXml, referencesIn } from './heard-xml.ts'
import { cdataFlags, cdataFlagsIn, isException } from './xml-cdata.ts'
import { singlyQuoted, tellXmlStyle, type XmlPart, type XmlStyleName, xmlStyles } from './xml-style.ts'

/** What single services do otherwise than their style, by the words for it. */
const flags = {
  'closed-tags': 'empty elements as <a/>',
  'open-tags': 'as <a></a> (LIBXML_NOEMPTYTAG)',
  'open-fields': 'only empty fields so (createTextNode)',
  'open-root': 'an empty root, too',
  'spaced-tags': '<a /> for <a/>',
  'lined-root': 'a line end in an empty root, too',
  'inline-fields': 'each Data with its fields on one line',
  'single-quotes': 'attributes in single quotes',
  ...cdataFlags,
  'bare-apostrophes': "' in plain XML as it is (ENT_COMPAT)",
  apos: 'as &apos; (ENT_XML1)',
  decimal: '&#233; for &#xE9;',
  newline: 'a line end at the end',
  'no-newline': 'none',
  'inline-declaration': 'no line end after the declaration',
  crlf: 'line ends of Windows',
} as const
export type XmlFlag = keyof typeof flags

/** Of each of these, one at most has a meaning. */
const exclusive: readonly (readonly XmlFlag[])[] = [
  ['newline', 'no-newline'],
  ['bare-apostrophes', 'apos'],
  ['cdata', 'filled-cdata', 'needed-cdata'],
  ['closed-tags', 'open-tags', 'open-fields'],
  ['closed-tags', 'open-tags', 'open-root'],
  ['open-root', 'lined-root'],
]

const setting = onlyOneOf(
  list(
    'LEGACY_XML_FLAGS',
    `of ${Object.keys(flags).join(', ')}, no-cdata:FIELD, comma-separated`,
    'what differs from LEGACY_XML_STYLE',
    (flag) => isFlag(flag) || isException(flag),
  ),
  exclusive,
)

export const xmlFlags = habit({
  setting,
  effect: (value, { format }) => {
    const said = value.map((flag) => (isFlag(flag) ? `${flag} (${flags[flag]})` : flag))
    return format === 'JSON' ? null : `XML departs from its style: ${said.join(', ')}.`
  },
  tell: async (probing) => {
    const told = await tellXmlStyle(probing)
    if (told === null) return null
    const { style, heard } = told
    const found = [...emptyIn(style, heard), ...charactersIn(style, heard), ...lineEndsIn(style, heard)]
    return found.length === 0 ? null : found.join(',')
  },
})

function isFlag(text: string): text is XmlFlag {
  return Object.hasOwn(flags, text)
}

/** Which elements are `<a></a>` where they have no content. */
export function openParts(style: XmlStyleName, set: readonly string[]): readonly XmlPart[] {
  if (set.includes('closed-tags')) return []
  if (set.includes('open-tags')) return ['fields', 'entries', 'root']
  const few = (['fields', 'root'] as const).filter((part) => set.includes(`open-${part}`))
  return few.length > 0 ? few : xmlStyles[style].open
}

function emptyIn(style: XmlStyleName, { content }: HeardXml): XmlFlag[] {
  const spaced: XmlFlag[] = /<\w[^<>]* \/>/.test(content) ? ['spaced-tags'] : []
  const forms = {
    root: formOf(content, String.raw`<\w+API`, String.raw`<\/\w+API>`),
    entries: formOf(content, '<Data [^<>]*?', '</Data>'),
    fields: formOf(content, String.raw`<(?!\w+API[ />]|Data[ />])\w+`, String.raw`<\/(?!\w+API|Data)\w+>`),
  }
  const isLike = (set: readonly XmlFlag[]) => {
    const open = openParts(style, set)
    return (['root', 'entries', 'fields'] as const).every(
      (part) => forms[part] === null || forms[part] === (open.includes(part) ? 'open' : 'closed'),
    )
  }
  const candidates: XmlFlag[][] = [
    [],
    ['closed-tags'],
    ['open-tags'],
    ['open-fields'],
    ['open-root'],
    ['open-fields', 'open-root'],
  ]
  return [...(candidates.find(isLike) ?? []), ...spaced]
}

function formOf(content: string, start: string, end: string): 'open' | 'closed' | null {
  if (new RegExp(`${start}>${end}`).test(content)) return 'open'
  return new RegExp(`${start} ?/>`).test(content) ? 'closed' : null
}

function charactersIn(style: XmlStyleName, { texts, content }: HeardXml): string[] {
  const found: string[] = cdataFlagsIn(texts)
  if (singlyQuoted.test(content)) found.push('single-quotes')
  if (style === 'plain') {
    // What is in a section where it needs one has no escapes elsewhere: attributes tell.
    const escaped = found.includes('needed-cdata') ? content.replaceAll(/>[^<>]*</g, '><') : content
    if (escaped.includes('&apos;')) found.push('apos')
    else if (hasApostrophe(escaped)) found.push('bare-apostrophes')
  }
  if (referencesIn(content).some((reference) => !/x/i.test(reference))) found.push('decimal')
  return found
}

/** In a text, or in an attribute. */
function hasApostrophe(content: string): boolean {
  const runs = content.split(/([<>"])/)
  return runs.some(
    (run, at) =>
      at % 2 === 0 &&
      run.includes("'") &&
      ['>', '"'].includes(runs[at - 1] ?? '') &&
      ['<', '"'].includes(runs[at + 1] ?? ''),
  )
}

function lineEndsIn(style: XmlStyleName, { texts, content, declaration }: HeardXml): XmlFlag[] {
  const found: XmlFlag[] = []
  if (/<(\w+API)>\r?\n<\/\1>/.test(content)) found.push('lined-root')
  if (/>\r?\n[ \t]*<Data [^<>]*><\w[^</]*>[^<]/.test(content)) found.push('inline-fields')
  const withData = texts.filter((text) => text.includes('<Data '))
  const newline = (withData.length > 0 ? withData : texts).every((text) => text.endsWith('\n'))
  if (newline !== xmlStyles[style].newline) found.push(newline ? 'newline' : 'no-newline')
  if (declaration !== null && texts.every((text) => /^<\?xml[^>]*\?></.test(text)))
    found.push('inline-declaration')
  if (texts.some((text) => />\r\n/.test(text))) found.push('crlf')
  return found
}
