// The writer of what stands for an entry that is not there.

import {
  type EntryTemplate,
  hasMessage,
  isMembers,
  MESSAGE,
  parseEntryTemplate,
} from '../../../../entry-template.ts'
import { textFor } from '../../../../paired-texts.ts'
import type { Dialect } from '../../../../settings.ts'
import type { Field, LegacyEvent } from '../../events/event.ts'
import { digitsOf } from '../../habits/booleans.ts'
import { errorName } from '../../habits/error-body.ts'
import { castsIn } from '../../habits/unknown-fields.ts'
import { partsOf } from '../../habits/unknown-text.ts'
import { AsciiText, ascii } from '../ascii.ts'
import { quoteOf } from './entries.ts'
import { escapesOf } from './escapes.ts'
import { layoutOf } from './layout.ts'

type WriteUnknown = (out: AsciiText, value: string) => void

/** Writes from the quotation mark that ends the name on; `null` where nothing stands for an entry. */
export function unknownWriter(
  { fields, subject }: Pick<LegacyEvent, 'fields' | 'subject'>,
  dialect: Dialect,
): WriteUnknown | null {
  const { unknown, unknownText } = dialect
  if (unknown === 'omit' || unknown === 'refuse') return null
  const start = `"${layoutOf(dialect).colon}`
  const template = unknown === 'error' ? errorTemplate(dialect) : parseEntryTemplate(unknown)
  if (template !== null) return templateWriter(start, template, textFor(subject, unknownText), dialect)
  const casts = castsIn(unknown)
  const text = casts === null ? unknown : fieldsText(fields, casts, dialect)
  const all = ascii(start + text)
  return (out) => out.addBytes(all)
}

function errorTemplate({ errorBody }: Dialect): EntryTemplate {
  return [[errorName(errorBody), MESSAGE]]
}

function templateWriter(
  before: string,
  template: EntryTemplate,
  text: string,
  dialect: Dialect,
): WriteUnknown {
  const escapes = escapesOf(dialect)
  const [start = '', end = ''] = templateParts(template, dialect)
  const [first, last] = [ascii(before + start), ascii(end)]
  const [beforeValue, afterValue] = partsOf(text)
  if (!hasMessage(template)) return (out) => out.addBytes(first)
  return (out, value) => {
    out.addBytes(first)
    out.addEscaped(beforeValue, escapes)
    if (afterValue !== undefined) {
      out.addEscaped(value, escapes)
      out.addEscaped(afterValue, escapes)
    }
    out.addBytes(last)
  }
}

/** What stands before the message, and after it, a character for each byte. */
function templateParts(template: EntryTemplate, dialect: Dialect): readonly string[] {
  const { open, next, close, colon } = layoutOf(dialect)
  const parts = ['']
  const add = (text: string) => parts.push((parts.pop() ?? '') + text)
  const addMembers = (members: EntryTemplate, depth: number) => {
    add(`{${open(depth)}`)
    members.forEach(([name, content], at) => {
      add(`${at === 0 ? '' : next(depth)}"${name}"${colon}`)
      if (isMembers(content)) addMembers(content, depth + 1)
      else if (content === MESSAGE) {
        add('"')
        parts.push('"')
      } else add(typeof content === 'string' ? `"${escaped(content, dialect)}"` : String(content))
    })
    add(`${close(depth)}}`)
  }
  addMembers(template, 2)
  return parts
}

function escaped(text: string, dialect: Dialect): string {
  const out = new AsciiText()
  out.addEscaped(text, escapesOf(dialect))
  return out.take()
}

/** Each field is null, or what PHP casts it to. */
function fieldsText(fields: readonly Field[], casts: readonly Field['type'][], dialect: Dialect): string {
  const { open, next, close, colon } = layoutOf(dialect)
  const contents = fields.map((field) => {
    const quote = quoteOf(field, dialect)
    const content = casts.includes(field.type) ? quote + castTo(field, dialect) + quote : 'null'
    return `"${field.name}"${colon}${content}`
  })
  return `{${open(2)}${contents.join(next(2))}${close(2)}}`
}

function castTo({ type, xml }: Field, { booleans }: Dialect): string {
  if (type === 'string') return ''
  return type === 'integer' ? '0' : (digitsOf(booleans, xml)?.[0] ?? 'false')
}
