// The case of letters, HTML escapes and charsets, as PHP has them.

import { escapeHtml, escapeHtmlCompat } from '../html-text.ts'
import type { Dialect } from './dialect.ts'

/**
 * SQLite's NOCASE, PHP's strtolower() and strcasecmp(): only A to Z count as a to z, which come after `_`.
 */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Texts that went through htmlspecialchars(), with or without ENT_QUOTES. */
export const htmlEscapers: Readonly<Record<Dialect['json']['html'], (text: string) => string>> = {
  plain: (text) => text,
  escaped: escapeHtml,
  'escaped, but apostrophes': escapeHtmlCompat,
}

/** Bytes of UTF-8, one character for each byte → the same of another charset. */
export function charsetEncoder(charset: Dialect['json']['charset']): (bytes: string) => string {
  if (charset === 'utf-8') return (bytes) => bytes
  const isWindows = charset === 'windows-1252'
  // Windows-1252 has other letters in the place of the control characters of ISO 8859-1.
  const first = isWindows ? '\xa0' : '\x80'
  return (bytes) =>
    Buffer.from(bytes, 'latin1')
      .toString('utf8')
      .replace(/[\u0080-\u{10ffff}]/gu, (letter) => {
        const byte = isWindows ? bytesOfWindows1252.get(letter) : undefined
        return byte ?? (letter >= first && letter <= '\xff' ? letter : '?')
      })
}

/** Decodes a body as UTF-8, or as Windows-1252 if it is not UTF-8. */
export function decodeBody(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}

const bytesOfWindows1252 = new Map(
  Array.from({ length: 0x20 }, (_, at) => {
    const byte = 0x80 + at
    return [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), String.fromCharCode(byte)]
  }),
)
