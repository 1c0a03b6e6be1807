import type { Dialect } from '../../../../settings.ts'
import { declarationOf } from '../../habits/xml-declaration.ts'
import { openParts } from '../../habits/xml-flags.ts'
import { type XmlPart, xmlStyles } from '../../habits/xml-style.ts'

/** The settings that say how XML is written. */
export type XmlDialect = Pick<
  Dialect,
  | 'serviceName'
  | 'unknown'
  | 'unknownXml'
  | 'unknownText'
  | 'errorBody'
  | 'errorBodyXml'
  | 'textEscapes'
  | 'xmlStyle'
  | 'xmlFlags'
  | 'xmlIndent'
  | 'xmlDeclaration'
  | 'xmlRoot'
>

/** What stands around texts. */
export interface Layout {
  /** What comes before the root. */
  readonly head: string
  /** The start of the root, up to where its tag ends. */
  readonly root: string
  /** What comes before an element so deep in the root, or before the end of one. */
  readonly before: (depth: number) => string
  /** What comes before the end of an element of the root that has elements. */
  readonly beforeEnd: string
  /** The same for the root where it has none; `null` where it ends as other elements do. */
  readonly inEmptyRoot: string | null
  /** What attributes stand in. */
  readonly quote: '"' | "'"
  /** The end of a start tag, and its end tag, where it has no content. */
  readonly emptyEnd: (name: string, part: XmlPart) => string
  /** What comes after the root. */
  readonly end: string
}

export function layoutOf(dialect: XmlDialect): Layout {
  const { serviceName, xmlStyle, xmlFlags, xmlIndent, xmlDeclaration, xmlRoot } = dialect
  const lineEnd = xmlFlags.includes('crlf') ? '\r\n' : '\n'
  const declaration = declarationOf(xmlStyle, xmlDeclaration)
  const isApart = declaration !== '' && !xmlFlags.includes('inline-declaration')
  const open = openParts(xmlStyle, xmlFlags)
  const closed = xmlFlags.includes('spaced-tags') ? ' />' : '/>'
  const ends =
    xmlFlags.includes('newline') || (xmlStyles[xmlStyle].newline && !xmlFlags.includes('no-newline'))
  const isInline = xmlFlags.includes('inline-fields')
  const before = (depth: number) =>
    xmlIndent === null || (depth >= 2 && isInline) ? '' : lineEnd + xmlIndent.repeat(depth)
  return {
    head: declaration + (isApart ? lineEnd : ''),
    root: `<${serviceName}API${xmlRoot === null ? '' : ` ${xmlRoot}`}`,
    before,
    beforeEnd: isInline ? '' : before(1),
    inEmptyRoot: xmlFlags.includes('lined-root') ? lineEnd : null,
    quote: xmlFlags.includes('single-quotes') ? "'" : '"',
    emptyEnd: (name, part) => (open.includes(part) ? `></${name}>` : closed),
    end: ends ? lineEnd : '',
  }
}
