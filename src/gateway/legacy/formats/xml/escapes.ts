import { type XmlStyle, xmlStyles } from '../../habits/xml-style.ts'
import { type AsciiText, ascii, type Escapes } from '../ascii.ts'
import type { XmlDialect } from './layout.ts'

/** How texts are written at each place. */
export interface XmlEscapes {
  readonly inText: Escapes
  /** In a text that needs no CDATA section, where others have one. */
  readonly inBareText: Escapes
  readonly inAttribute: Escapes
}

// What XML 1.0 cannot carry at all (C0 controls, lone surrogates, U+FFFE and U+FFFF) becomes U+FFFD: PHP
// would write it, or a reference to it, and no parser would accept the document.
const REPLACEMENT_CHARACTER = 0xfffd
const carried = (codePoint: number) =>
  codePoint === 0xfffe || codePoint === 0xffff ? REPLACEMENT_CHARACTER : codePoint

interface Beyond {
  readonly write: Escapes['beyond']
  /** U+FFFD, written so, a character for each byte. */
  readonly replacement: string
}

const raw: Beyond = {
  write: (out, codePoint) => out.addUtf8(carried(codePoint)),
  replacement: '\xef\xbf\xbd',
}
const hex = { before: ascii('&#x'), digits: ascii('0123456789ABCDEF'), least: 1, after: ascii(';') }
/** As libxml2 makes them. */
const hexadecimal: Beyond = {
  write: (out, codePoint) => out.addHex(carried(codePoint), hex),
  replacement: '&#xFFFD;',
}
/** As Python makes them. */
const decimal: Beyond = {
  write: (out, codePoint) => out.add(`&#${carried(codePoint)};`),
  replacement: '&#65533;',
}

const markup = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const

export function xmlEscapes({ xmlStyle, xmlFlags }: XmlDialect): XmlEscapes {
  const { references, inText, inAttribute }: XmlStyle = xmlStyles[xmlStyle]
  const reference = xmlFlags.includes('decimal') ? decimal : hexadecimal
  const apostrophe = xmlFlags.includes('apos') ? '&apos;' : xmlFlags.includes('bare-apostrophes') ? "'" : null
  const isSingle = xmlFlags.includes('single-quotes')
  const table = (named: Readonly<Record<string, string>>, beyond: Beyond, written = apostrophe) => {
    const replaced = written !== null && "'" in named ? { "'": written } : {}
    return escapes({ ...markup, ...named, ...replaced }, beyond)
  }
  const usual = table(inText, references === 'everywhere' ? reference : raw)
  return {
    inText: usual,
    // A library makes no difference; strings are written as they are.
    inBareText: xmlStyle === 'plain' ? asItIs : usual,
    // What stands in single quotes would end at one.
    inAttribute: table(
      isSingle ? { ...inAttribute, "'": '&#039;' } : inAttribute,
      references === 'nowhere' ? raw : reference,
      isSingle && apostrophe === "'" ? null : apostrophe,
    ),
  }
}

function escapes(named: Readonly<Record<string, string>>, { write, replacement }: Beyond): Escapes {
  const table = Array.from({ length: 0x80 }, (_, code) => {
    const character = String.fromCharCode(code)
    const allowed = code >= 0x20 || character === '\t' || character === '\n' || character === '\r'
    const written = named[character] ?? (allowed ? character : replacement)
    return written === character ? null : ascii(written)
  })
  return { ascii: table, beyond: write }
}

const asItIs = escapes({}, raw)

/** Adds the content of a CDATA section, which ends within its text and begins anew. */
export function addCdata(out: AsciiText, text: string): void {
  out.addEscaped(text.includes(']]>') ? text.replaceAll(']]>', ']]]]><![CDATA[>') : text, asItIs)
}
