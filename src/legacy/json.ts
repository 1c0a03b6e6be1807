// Entries → JSON: by default the bytes of PHP 8's json_encode() with JSON_FORCE_OBJECT.

import { compareBytes, type Entries, sortAsInJavaScript } from './arrange.ts'
import { type Add, AsciiText, ascii, type Escapes, filler, utf8 } from './ascii.ts'
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
  const sort = sorters[json.entries]

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
    const ordered = sort === null ? entries : sorted(entries, sort)
    const text = write(ordered, json.lists === 'names from 0' && areIndexes(ordered) ? list : object)
    return encode === null ? text : encode(text)
  }
}

interface Entry {
  readonly name: string
  readonly row: Row | null
}

/** JSON of a map of Go is sorted by name; an object of JavaScript has its array indexes first. */
const sorters: Readonly<
  Record<Dialect['json']['entries'], ((entries: readonly Entry[]) => readonly Entry[]) | null>
> = {
  'in order': null,
  'by name': (entries) => entries.toSorted((one, other) => compareBytes(one.name, other.name)),
  'as in JavaScript': sortAsInJavaScript,
}

function sorted({ names, rows }: Entries, sort: (entries: readonly Entry[]) => readonly Entry[]): Entries {
  const all = sort(names.map((name, at) => ({ name, row: rows[at] ?? null })))
  return { names: all.map(({ name }) => name), rows: all.map(({ row }) => row) }
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
    const [no, yes] = booleans[json[kind]].map((text) =>
      ascii(before + (isChecked ? text.replace(/^"(\d)"$/, '$1') : text)),
    )
    return (out, row) => out.addBytes((row[source] ? yes : no) ?? endOfText)
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
  if (escapeHtml === null && json.emptyTexts === 'text' && json.numericTexts === 'text')
    return (out, row) => {
      out.addBytes(start)
      out.addEscaped(String(row[source]), escapes)
      out.addBytes(endOfText)
    }
  return (out, row) => {
    const text = escapeHtml === null ? String(row[source]) : escapeHtml(String(row[source]))
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
  const table = Array.from({ length: 0x80 }, (_, code) => {
    const character = String.fromCharCode(code)
    const usual = code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : null
    const written = replaced[character] ?? usual
    return written === null ? null : ascii(written)
  })
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
