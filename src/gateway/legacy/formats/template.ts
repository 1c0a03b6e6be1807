// Errors in bodies that the gateway has no format for: a template, filled in.

import type { ErrorTemplate } from '../../../error-template.ts'
import type { Dialect } from '../../../settings.ts'
import { AsciiText, ascii, type Escapes } from './ascii.ts'
import { escapesOf } from './json/escapes.ts'
import { xmlEscapes } from './xml/escapes.ts'

type WriteError = (code: string, message: string, status: number) => string

/**
 * @param isMarkup whether a browser takes it for a page, or for a document: a message may hold what a client
 * sent
 */
export function templateWriter(
  { kind, parts }: ErrorTemplate,
  dialect: Dialect,
  isMarkup: boolean,
): WriteError {
  const usual = {
    json: () => escapesOf(dialect),
    xml: () => xmlEscapes(dialect).inText,
    html: () => inHtml,
    text: () => (isMarkup ? inHtml : asItIs),
  }[kind]()
  const inTag = kind === 'xml' ? quoted(xmlEscapes(dialect).inAttribute) : usual
  const escapesAt = parts.map((_, at) => (isInTag(parts.slice(0, at)) ? inTag : usual))
  const literals = parts.map((part) => ascii(written(part)))
  return (code, message, status) => {
    const out = new AsciiText()
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]
      const escapes = escapesAt[at] ?? usual
      if (part === '{message}') out.addEscaped(message, escapes)
      else if (part === '{code}') out.addEscaped(code, escapes)
      else if (part === '{status}') out.add(String(status))
      else out.addBytes(literals[at] ?? nothing)
    }
    return out.take()
  }
}

/** Whether what comes after these parts is inside a tag. */
function isInTag(before: readonly string[]): boolean {
  const text = before.join('')
  return text.lastIndexOf('<') > text.lastIndexOf('>')
}

const nothing = ascii('')

function escapesFor(named: Readonly<Record<string, string>>): Escapes {
  const table = Array.from({ length: 0x80 }, (_, code) => {
    const replacement = named[String.fromCharCode(code)]
    return replacement === undefined ? null : ascii(replacement)
  })
  return { ascii: table, beyond: (out, codePoint) => out.addUtf8(codePoint) }
}

const asItIs = escapesFor({})
/** As PHP's htmlspecialchars. */
const inHtml = escapesFor({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' })

/** An attribute ends at a quotation mark, of whichever kind it begins with. */
function quoted({ ascii: table, beyond }: Escapes): Escapes {
  return { ascii: table.with(0x22, ascii('&quot;')).with(0x27, ascii('&#039;')), beyond }
}

/** A character for each byte of UTF-8. */
function written(text: string): string {
  const out = new AsciiText()
  out.addEscaped(text, asItIs)
  return out.take()
}
