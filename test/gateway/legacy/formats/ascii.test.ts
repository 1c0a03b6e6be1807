// Texts of any length, one after the other in the same memory.

import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../../src/config.ts'
import { AsciiText, ascii, type Escapes } from '../../../../src/gateway/legacy/formats/ascii.ts'
import { formats } from '../../../../src/gateway/legacy/formats/index.ts'

const hex = { before: ascii('<'), digits: ascii('0123456789abcdef'), least: 1, after: ascii('>') }
const escapes: Escapes = {
  ascii: Array.from({ length: 0x80 }, (_, code) => (code === 0x26 ? ascii('[and]') : null)),
  beyond: (out, codePoint) => out.addHex(codePoint, hex),
}
const expected = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('&', '[and]')
    .replace(/[^\0-\x7f]/gu, (character) => `<${character.codePointAt(0)?.toString(16)}>`)

function write(text: string): string {
  const out = new AsciiText()
  out.add('begin ')
  out.addEscaped(text, escapes)
  out.addBytes(ascii(' end'))
  return out.take()
}

describe.each([
  ['nothing', ''],
  ['ASCII', 'plain & simple\0\x7f'],
  ['two and three bytes of UTF-8', 'é€\u0080\uffff'],
  ['pairs of surrogates', '😀\u{10000}\u{10ffff}'],
  ['lone surrogates', 'a\ud800b\udc00\ud800\ud800\udc00\udbff'],
])('%s', (_name, text) => {
  // Shorter than the memory that is there, longer than it, and longer than what is kept of it afterwards.
  test.each([1, 100, 30_000, 300_000, 3])('%i times', (times) => {
    const whole = text.repeat(times)
    expect(write(whole) === `begin ${expected(whole)} end`).toBe(true)
  })
})

// The second text comes into memory that is as small as at the beginning again, and is just too long for it.
test.each([300_000, 10_000])('what grows the most has room in both formats: %i times', (times) => {
  const { dialect } = readConfig({})
  const message = '\uffff'.repeat(times)
  expect(formats.XML.errors(dialect)('Code', message)).toBe(
    `<?xml version="1.0"?>\n<ServiceAPI><Error><Code>Code</Code><Message>${'&#xFFFD;'.repeat(times)}</Message></Error></ServiceAPI>\n`,
  )
  expect(formats.JSON.errors(dialect)('Code', message)).toBe(
    `{"Error":{"Code":"Code","Message":"${'\\uffff'.repeat(times)}"}}`,
  )
})
