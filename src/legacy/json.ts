// Entries → JSON: by default the bytes of PHP 8's json_encode() with JSON_FORCE_OBJECT.

import { type Add, ascii, type Escapes, filler, replacements, utf8 } from './ascii.ts'
import type { Dialect, LookupSubject } from './dialect.ts'
import { entriesWriter, type ResponseEntries, type WriteEntries, type WriteField } from './entries.ts'
import { type EventField, fieldNamed, withServiceName } from './events.ts'
import { memberSorter } from './orders.ts'
import { jsonNumberOf } from './php-numbers.ts'
import { htmlEscapers } from './text.ts'

/** The line end and the indentation before a member. */
function lineOf({ indent }: Dialect['json']): (depth: number) => string {
  return (depth) => (indent === null ? '' : `\n${indent.repeat(depth)}`)
}

// By hand: an object of JavaScript would move names such as 7 to the front and swallow `__proto__`.
export function jsonWriter(dialect: Dialect, subject: LookupSubject): WriteEntries {
  const { json, fields, missing } = dialect
  const { colon, comma, end } = json
  // It may be a byte order mark.
  const before = utf8(json.before)
  const open = lineOf(json)
  const next = (depth: number) => comma + open(depth)
  const escapes = jsonEscapes(json)
  const writers = fields[subject].json.map((name, at) => {
    const separator = at === 0 ? `{${open(2)}` : next(2)
    const start = `${separator}"${withServiceName(name, dialect.serviceName)}"${colon}`
    return fieldWriter(fieldNamed(name), json, start, escapes)
  })
  const missingText = missing[subject].json
  const empty = `${before}${json.lists === 'objects' ? '{}' : '[]'}${end}`
  function writerOf(opening: string, closing: string, name: string): WriteEntries {
    return entriesWriter({
      empty,
      first: before + opening + open(1),
      next: next(1),
      start: filler(name, () => escapes),
      fields: writers,
      endOfEntry: `${open(1)}}`,
      missing: missingText === null ? null : filler(name + missingText, () => escapes),
      end: open(0) + closing + end,
      charset: json.charset,
    })
  }
  const writeObject = writerOf('{', '}', `"{value}"${colon}`)
  const writeList = writerOf('[', ']', '')
  const sort = memberSorter(json.entries)

  const areIndexes = ({ names, rows }: ResponseEntries) =>
    names
      .filter((_, at) => missingText !== null || rows[at] !== null)
      .every((name, at) => name === String(at))
  return (entries) => {
    const ordered = sort(entries)
    const write = json.lists === 'names from 0' && areIndexes(ordered) ? writeList : writeObject
    return write(ordered)
  }
}

/** The error of the contract, in the layout of the dialect, with `{code}` and `{message}`. */
export function jsonError({ json }: Dialect): string {
  const { before, colon, comma, end } = json
  const line = lineOf(json)
  const [code, message] = [`"Code"${colon}"{code}"`, `"Message"${colon}"{message}"`]
  const error = `{${line(2)}${code}${comma}${line(2)}${message}${line(1)}}`
  return `${before}{${line(1)}"Error"${colon}${error}${line(0)}}${end}`
}

function fieldWriter(
  { source, kind }: EventField,
  json: Dialect['json'],
  before: string,
  escapes: Escapes,
): WriteField {
  // JSON_NUMERIC_CHECK writes numbers for all texts that are numbers, so there is no "1".
  const isChecked = json.numericTexts === 'number'
  if (kind === 'confirmed' || kind === 'banned') {
    const bytesOf = (text: string) => ascii(before + (isChecked ? text.replace(/^"(\d)"$/, '$1') : text))
    const [no, yes] = booleans[json[kind]]
    const [bytesOfNo, bytesOfYes] = [bytesOf(no), bytesOf(yes)]
    return (out, row) => out.addBytes(row[source] ? bytesOfYes : bytesOfNo)
  }
  if (kind === 'id' || kind === 'number') {
    const isText = !isChecked && json[kind === 'id' ? 'ids' : 'numbers'] === 'text'
    const [start, end] = [ascii(isText ? `${before}"` : before), isText ? '"' : '']
    return (out, row) => {
      out.addBytes(start)
      out.add(`${row[source]}${end}`)
    }
  }
  const start = ascii(`${before}"`)
  const escapeHtml = htmlEscapers[json.html]
  if (json.html === 'plain' && json.emptyTexts === 'text' && json.numericTexts === 'text')
    return (out, row) => {
      out.addBytes(start)
      out.addEscaped(String(row[source]), escapes)
      out.addBytes(endOfText)
    }
  return (out, row) => {
    const text = escapeHtml(String(row[source]))
    const number = isChecked ? jsonNumberOf(text) : null
    if (number !== null) out.add(before + number)
    else if (text === '' && json.emptyTexts === 'null') out.add(`${before}null`)
    else {
      out.addBytes(start)
      out.addEscaped(text, escapes)
      out.addBytes(endOfText)
    }
  }
}

const endOfText = ascii('"')

const booleans = {
  boolean: ['false', 'true'],
  number: ['0', '1'],
  text: ['"0"', '"1"'],
  'text or empty': ['""', '"1"'],
} as const

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** How json_encode() writes characters, by its flags. Lone surrogates become U+FFFD. */
export function jsonEscapes(json: Dialect['json']): Escapes {
  const [less, greater] = json.tags === 'escaped' ? ['\\u003c', '\\u003e'] : ['\\u003C', '\\u003E']
  const replaced: Readonly<Record<string, string>> = {
    ...shortEscapes,
    ...(json.slashes === 'escaped' && { '/': '\\/' }),
    ...(json.tags !== 'plain' && { '<': less, '>': greater }),
    ...(json.ampersands === 'escaped' && { '&': '\\u0026' }),
    ...(json.apostrophes === 'escaped' && { "'": '\\u0027' }),
    ...(json.quotes === 'escaped' && { '"': '\\u0022' }),
    ...(json.equalsSigns === 'escaped' && { '=': '\\u003d' }),
    ...(json.plusSigns === 'escaped' && { '+': '\\u002B', '`': '\\u0060' }),
    ...(json.delete === 'escaped' && { '\x7f': '\\u007f' }),
  }
  const controlCode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  const table = replacements(
    (character) => replaced[character] ?? (character < ' ' ? controlCode(character) : character),
  )
  const digits = ascii(json.letters === 'ESCAPED' ? '0123456789ABCDEF' : '0123456789abcdef')
  const unit = { before: ascii('\\u'), digits, least: 4, after: ascii('') }
  const addUnits: Add = (out, codePoint) => {
    if (codePoint <= 0xffff) return out.addHex(codePoint, unit)
    out.addHex(0xd7c0 + (codePoint >> 10), unit)
    out.addHex(0xdc00 + (codePoint & 0x3ff), unit)
  }
  // JSON_UNESCAPED_UNICODE leaves U+2028 and U+2029 escaped, which ended lines in old JavaScript.
  const isEscaped = json.lineSeparators === 'escaped'
  const addLetters: Add = (out, codePoint) => {
    if (isEscaped && (codePoint === 0x2028 || codePoint === 0x2029)) out.addHex(codePoint, unit)
    else out.addUtf8(codePoint)
  }
  return { ascii: table, beyond: json.letters === 'plain' ? addLetters : addUnits }
}
