// How XML writes characters in fields, in the attribute Value and in CDATA sections.

import { type Add, AsciiText, ascii, type Escapes, replacements } from './ascii.ts'
import type { Dialect } from './dialect.ts'

const markup = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

interface XmlEscapes {
  /** In fields of rows. */
  readonly inField: Escapes
  /** In other texts. A value of a client is always escaped: a browser would run a script in it. */
  readonly inText: Escapes
  /** In the attribute Value. */
  readonly inValue: Escapes
}

export function xmlEscapes(xml: Dialect['xml']): XmlEscapes {
  const apostrophe: Readonly<Record<string, string>> =
    xml.apostrophes === 'plain' ? {} : { "'": xml.apostrophes }
  const controls = controlsOf(xml)
  const inText = {
    ...markup,
    ...(xml.quotesInTexts !== 'plain' && { '"': xml.quotesInTexts }),
    ...apostrophe,
    ...controls.inText,
  }
  // A value in single quotes would end at an apostrophe.
  const single = xml.quotes === "'" && xml.apostrophes === 'plain' ? { "'": '&#039;' } : apostrophe
  const inValue = {
    ...markup,
    '"': xml.quotesInValues,
    ...single,
    ...controls.inValue,
  }
  return {
    inField: escapes(xml.markup === 'plain' ? {} : inText, xml.lettersInTexts),
    inText: escapes(inText, xml.lettersInTexts),
    inValue: escapes(inValue, xml.lettersInValues),
  }
}

function controlsOf({ controls, lettersInTexts }: Dialect['xml']) {
  const inHexadecimal = { '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' }
  if (controls === 'plain') return { inText: {}, inValue: {} }
  if (controls === 'hexadecimal') return { inText: inHexadecimal, inValue: inHexadecimal }
  // libxml2 writes a carriage return in hexadecimal where it writes all letters as references.
  const inText = { '\r': lettersInTexts === 'hexadecimal' ? '&#xD;' : '&#13;' }
  return { inText, inValue: { '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' } }
}

/**
 * A DOMDocument with the encoding US-ASCII or ISO-8859-1 writes references in a CDATA section, too, where
 * they mean nothing. A DOMDocument without an encoding and Java write plain letters there.
 */
export function sectionEscapes({ lettersInTexts }: Dialect['xml']): Escapes {
  const isPlain = lettersInTexts === 'hexadecimal' || lettersInTexts === 'decimal beyond U+FFFF'
  return escapes({}, isPlain ? 'plain' : lettersInTexts)
}

const hexadecimal = { before: ascii('&#x'), digits: ascii('0123456789ABCDEF'), least: 1, after: ascii(';') }

/** Characters from a code point on are decimal references. */
function decimalFrom(least: number): Add {
  return (out, codePoint) => {
    if (codePoint >= least) out.add(`&#${codePoint};`)
    else out.addUtf8(codePoint)
  }
}

const addLetter: Readonly<Record<Dialect['xml']['lettersInTexts'], Add>> = {
  hexadecimal: (out, codePoint) => out.addHex(codePoint, hexadecimal),
  decimal: decimalFrom(0),
  plain: (out, codePoint) => out.addUtf8(codePoint),
  'decimal beyond Latin-1': decimalFrom(0x100),
  'decimal beyond U+FFFF': decimalFrom(0x10000),
}

function escapes(
  named: Readonly<Record<string, string>>,
  letters: Dialect['xml']['lettersInTexts'],
): Escapes {
  const add = addLetter[letters]
  // XML 1.0 cannot carry C0 controls, U+FFFE and U+FFFF, not even as references: no parser accepts them.
  const replacement = new AsciiText()
  add(replacement, REPLACEMENT_CHARACTER)
  const replaced = replacement.take()
  const table = replacements(
    (character) => named[character] ?? (/[^\t\n\r -\x7f]/.test(character) ? replaced : character),
  )
  const beyond: Add = (out, codePoint) =>
    add(out, codePoint === 0xfffe || codePoint === 0xffff ? REPLACEMENT_CHARACTER : codePoint)
  return { ascii: table, beyond }
}

const REPLACEMENT_CHARACTER = 0xfffd
