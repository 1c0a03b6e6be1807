// The writers of texts in JSON.

import type { Dialect } from '../../../../settings.ts'
import { numberIn } from '../../habits/numeric-check.ts'
import { AsciiText, ascii } from '../ascii.ts'
import { escapesOf } from './escapes.ts'

type WriteText = (out: AsciiText, text: string) => void

const QUOTE = ascii('"')

/** Whether texts may be numbers, so that none has its quotation marks for certain. */
export function areTextsChecked({ jsonFlags }: Pick<Dialect, 'jsonFlags'>): boolean {
  return jsonFlags.includes('numeric-check')
}

/** Writes a text with its quotation marks, or as the number that it is. */
export function textWriter(dialect: Pick<Dialect, 'jsonFlags'>): WriteText {
  const escapes = escapesOf(dialect)
  const writeText: WriteText = (out, text) => {
    out.addBytes(QUOTE)
    out.addEscaped(text, escapes)
    out.addBytes(QUOTE)
  }
  if (!areTextsChecked(dialect)) return writeText
  return (out, text) => {
    const number = numberIn(text)
    if (number === null) writeText(out, text)
    else out.add(number)
  }
}

/** The same for a text that is known beforehand, a character for each byte. */
export function writtenText(text: string, dialect: Pick<Dialect, 'jsonFlags'>): string {
  const out = new AsciiText()
  textWriter(dialect)(out, text)
  return out.take()
}
