// Entries → the bytes of a response, in the layout of JSON or XML.

import { AsciiText, ascii, type FillTemplate } from './ascii.ts'
import type { Dialect } from './dialect.ts'
import type { SchemaRow, SchemaRows } from './events.ts'
import { charsetEncoder } from './text.ts'

/** The entries of a response, in order. */
export interface ResponseEntries {
  readonly names: readonly string[]
  /** One for each name. */
  readonly rows: SchemaRows
}

/** Writes entries; one character of the result is one byte. */
export type WriteEntries = (entries: ResponseEntries) => string

/** The texts around and between entries, one character for each byte, and the writers of fields. */
interface EntryLayout {
  /** The response without entries. */
  readonly empty: string
  /** The text before the first entry, and the text before each other one. */
  readonly first: string
  readonly next: string
  /** The start of an entry, by its name. */
  readonly start: FillTemplate
  readonly fields: readonly WriteField[]
  readonly endOfEntry: string
  /** An entry without a row, by its name; null leaves the entry out. */
  readonly missing: FillTemplate | null
  readonly end: string
  readonly charset: Dialect['json']['charset']
}

export type WriteField = (out: AsciiText, row: SchemaRow) => void

export function entriesWriter({ start, fields, missing, charset, ...texts }: EntryLayout): WriteEntries {
  const [empty, first, next] = [ascii(texts.empty), ascii(texts.first), ascii(texts.next)]
  const [endOfEntry, end] = [ascii(texts.endOfEntry), ascii(texts.end)]
  const encode = charsetEncoder(charset)
  return ({ names, rows }) => {
    const out = new AsciiText()
    let before = first
    for (let at = 0; at < names.length; at++) {
      const [name, row] = [names[at] ?? '', rows[at] ?? null]
      if (row === null && missing === null) continue
      out.addBytes(before)
      before = next
      if (row === null) missing?.(out, name)
      else {
        start(out, name)
        for (const write of fields) write(out, row)
        out.addBytes(endOfEntry)
      }
    }
    out.addBytes(before === first ? empty : end)
    return encode(out.take())
  }
}
