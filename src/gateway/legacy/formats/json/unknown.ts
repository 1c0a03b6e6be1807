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
import { type AsciiText, ascii } from '../ascii.ts'
import { quoteOf } from './entries.ts'
import { layoutOf } from './layout.ts'
import { textWriter, writtenText } from './texts.ts'

type WriteUnknown = (out: AsciiText, value: string) => void

/**
 * @param before what stands between a name and the entry, from the quotation mark on
 * @returns `null` where nothing stands for an entry
 */
export function unknownWriter(
  { fields, subject }: Pick<LegacyEvent, 'fields' | 'subject'>,
  dialect: Dialect,
  before: string,
): WriteUnknown | null {
  const { unknown, unknownText } = dialect
  if (unknown === 'omit' || unknown === 'refuse') return null
  const template = unknown === 'error' ? errorTemplate(dialect) : parseEntryTemplate(unknown)
  if (template !== null) return templateWriter(before, template, textFor(subject, unknownText), dialect)
  const casts = castsIn(unknown)
  const text = casts === null ? unknown : fieldsText(fields, casts, dialect)
  const all = ascii(before + text)
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
  const write = textWriter(dialect)
  const [start = '', end = ''] = templateParts(template, dialect)
  const [first, last] = [ascii(before + start), ascii(end)]
  const [beforeValue, afterValue] = partsOf(text)
  if (!hasMessage(template)) return (out) => out.addBytes(first)
  return (out, value) => {
    out.addBytes(first)
    write(out, afterValue === undefined ? beforeValue : beforeValue + value + afterValue)
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
      else if (content === MESSAGE) parts.push('')
      else add(typeof content === 'string' ? writtenText(content, dialect) : String(content))
    })
    add(`${close(depth)}}`)
  }
  addMembers(template, 2)
  return parts
}

/** Each field is null, or what PHP casts it to. */
function fieldsText(fields: readonly Field[], casts: readonly Field['type'][], dialect: Dialect): string {
  const { open, next, close, colon } = layoutOf(dialect)
  const contents = fields.map((field) => {
    return `"${field.name}"${colon}${casts.includes(field.type) ? castTo(field, dialect) : 'null'}`
  })
  return `{${open(2)}${contents.join(next(2))}${close(2)}}`
}

function castTo(field: Field, dialect: Dialect): string {
  const { type, xml } = field
  const digits = type === 'integer' ? '0' : (digitsOf(dialect.booleans, xml)?.[0] ?? 'false')
  if (type === 'string' || digits === '') return '""'
  const quote = quoteOf(field, dialect)
  return quote + digits + quote
}
