// The writer of what stands for an entry that is not there.

import { type EntryTemplate, isMembers, MESSAGE, parseEntryTemplate } from '../../../../entry-template.ts'
import { textFor } from '../../../../paired-texts.ts'
import type { Field, LegacyEvent } from '../../events/event.ts'
import { partsOf } from '../../habits/unknown-text.ts'
import { textInXml, type UnknownXml, unknownInXml } from '../../habits/unknown-xml.ts'
import { type AsciiText, ascii } from '../ascii.ts'
import { elementWriter, textWriter, type WriteText } from './elements.ts'
import type { XmlEscapes } from './escapes.ts'
import type { Layout, XmlDialect } from './layout.ts'

/**
 * Writes what follows the value of an entry that is not there, from the quotation mark on; `null` where it is
 * left out.
 */
export function missingWriter(
  { fields, subject }: Pick<LegacyEvent, 'fields' | 'subject'>,
  dialect: XmlDialect,
  layout: Layout,
  escapes: XmlEscapes,
): WriteText | null {
  const kind = unknownInXml(dialect.unknown, dialect.unknownXml)
  if (kind === 'omit') return null
  if (kind === 'empty') {
    const empty = ascii(`${layout.quote}${layout.emptyEnd('Data', 'entries')}`)
    return (out) => out.addBytes(empty)
  }
  const [start, end] = [ascii(`${layout.quote}>`), ascii(`${layout.beforeEnd}</Data>`)]
  const within =
    kind === 'error'
      ? errorWriter(dialect, textFor(subject, dialect.unknownText), layout, escapes)
      : inTurn(fields.map((field) => blankWriter(field, kind, textWriter(field, dialect, layout, escapes))))
  return (out, value) => {
    out.addBytes(start)
    within(out, value)
    out.addBytes(end)
  }
}

function blankWriter({ type, xml }: Field, kind: UnknownXml, write: WriteText): WriteText {
  const isZero =
    kind === 'zeros' ? type === 'integer' || xml === 'digit' : kind === 'unconfirmed' && xml === 'digit'
  return (out) => write(out, isZero ? '0' : '')
}

function inTurn(writers: readonly WriteText[]): WriteText {
  return (out, value) => {
    for (const write of writers) write(out, value)
  }
}

/** The elements of an object that stands for an entry in JSON; or one for the error. */
function errorWriter({ unknown }: XmlDialect, text: string, layout: Layout, escapes: XmlEscapes): WriteText {
  const [before, after] = partsOf(text)
  const messageOf = (value: string) => (after === undefined ? before : before + value + after)
  const elements = (template: EntryTemplate, depth: number): WriteText =>
    inTurn(
      template.map(([name, content]): WriteText => {
        if (isMembers(content)) return nested(name, elements(content, depth + 1), depth, layout)
        const write = elementWriter(name, layout, escapes, depth)
        if (content === MESSAGE) return (out, value) => write(out, messageOf(value))
        const written = textInXml(content)
        return (out) => write(out, written)
      }),
    )
  return elements(parseEntryTemplate(unknown) ?? [['Error', MESSAGE]], 2)
}

function nested(name: string, within: WriteText, depth: number, { before }: Layout): WriteText {
  const [start, end] = [ascii(`${before(depth)}<${name}>`), ascii(`${before(depth)}</${name}>`)]
  return (out: AsciiText, value) => {
    out.addBytes(start)
    within(out, value)
    out.addBytes(end)
  }
}
