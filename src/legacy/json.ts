// Entries → JSON: by default the bytes of PHP 8's json_encode() with JSON_FORCE_OBJECT.

import { type Entries, memberSorter } from './arrange.ts'
import { type Add, AsciiText, ascii, type Escapes, filler, replacements, utf8 } from './ascii.ts'
import type { Dialect, Subject } from './dialect.ts'
import { type Field, fieldNamed, type Row } from './events.ts'
import { numberIn } from './php-numbers.ts'
import { charsetEncoder, htmlEscapers } from './text.ts'

/** Writes entries; one character of the result is one byte. */
export type WriteEntries = (entries: Entries) => string

/** The line end and the indentation before a member. */
export function jsonLine({ indent }: Dialect['json']): (depth: number) => string {
  return (depth) => (indent === null ? '' : `\n${indent.repeat(depth)}`)
}

// By hand: an object of JavaScript would move names such as 7 to the front and swallow `__proto__`.
export function jsonWriter(dialect: Dialect, subject: Subject): WriteEntries {
  const { json, fields, missing } = dialect
  const { colon, comma, end } = json
  // It may be a byte order mark.
  const before = utf8(json.before)
  const open = jsonLine(json)
  const next = (depth: number) => comma + open(depth)
  const escapes = jsonEscapes(json)
  const writers = fields[subject].json.map((name, at) => {
    const start = `${at === 0 ? `{${open(2)}` : next(2)}"${name.replace(/^Service/, dialect.serviceName)}"${colon}`
    return fieldWriter(fieldNamed(name), json, start, escapes)
  })
  const endOfEntry = ascii(`${open(1)}}`)
  const missingText = missing[subject].json
  const writeMissing = missingText === null ? null : filler(missingText, () => escapes)
  const encode = charsetEncoder(json.charset)

  const emptyText = ascii(`${before}${json.lists === 'objects' ? '{}' : '[]'}${end}`)
  const endOfName = ascii(`"${colon}`)
  const brackets = (isList: boolean) => {
    const [opening, closing, quote] = isList ? (['[', ']', ''] as const) : (['{', '}', '"'] as const)
    return {
      isList,
      first: ascii(`${before}${opening}${open(1)}${quote}`),
      next: ascii(`${next(1)}${quote}`),
      end: ascii(`${open(0)}${closing}${end}`),
    }
  }
  const [object, list] = [brackets(false), brackets(true)]
  const sort = memberSorter(json.entries)

  function write({ names, rows }: Entries, { isList, first, next, end }: typeof list): string {
    const out = new AsciiText()
    let start = first
    for (let at = 0; at < names.length; at++) {
      const [name, row] = [names[at] ?? '', rows[at] ?? null]
      if (row === null && writeMissing === null) continue
      out.addBytes(start)
      start = next
      if (!isList) {
        out.addEscaped(name, escapes)
        out.addBytes(endOfName)
      }
      if (row === null) writeMissing?.(out, name)
      else {
        for (const writer of writers) writer(out, row)
        out.addBytes(endOfEntry)
      }
    }
    out.addBytes(start === first ? emptyText : end)
    return out.take()
  }

  const areIndexes = ({ names, rows }: Entries) =>
    names
      .filter((_, at) => writeMissing !== null || rows[at] !== null)
      .every((name, at) => name === String(at))
  return (entries) => {
    const ordered = sort(entries)
    return encode(write(ordered, json.lists === 'names from 0' && areIndexes(ordered) ? list : object))
  }
}

type WriteRow = (out: AsciiText, row: Row) => void

function fieldWriter(
  { source, kind }: Field,
  json: Dialect['json'],
  before: string,
  escapes: Escapes,
): WriteRow {
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
    const number = isChecked ? numberIn(text) : null
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
  const tag = (code: string) => (json.tags === 'ESCAPED' ? `\\u00${code.toUpperCase()}` : `\\u00${code}`)
  const replaced: Readonly<Record<string, string>> = {
    ...shortEscapes,
    ...(json.slashes === 'escaped' && { '/': '\\/' }),
    ...(json.tags !== 'plain' && { '<': tag('3c'), '>': tag('3e') }),
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
    if (codePoint > 0xffff) out.addHex(0xd7c0 + (codePoint >> 10), unit)
    out.addHex(codePoint > 0xffff ? 0xdc00 + (codePoint & 0x3ff) : codePoint, unit)
  }
  // JSON_UNESCAPED_UNICODE leaves U+2028 and U+2029 escaped, which ended lines in old JavaScript.
  const isEscaped = json.lineSeparators === 'escaped'
  const addLetters: Add = (out, codePoint) => {
    if (isEscaped && (codePoint === 0x2028 || codePoint === 0x2029)) out.addHex(codePoint, unit)
    else out.addUtf8(codePoint)
  }
  return { ascii: table, beyond: json.letters === 'plain' ? addLetters : addUnits }
}
