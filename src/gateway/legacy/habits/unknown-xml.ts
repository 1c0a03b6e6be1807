import { type EntryTemplate, isMembers, MESSAGE, parseEntryTemplate } from '../../../entry-template.ts'
import { optional } from '../../../setting-kinds.ts'
import { parse } from './error-in.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Probing, type Said, type SaidValue } from './heard.ts'
import { unknown } from './unknown.ts'
import { typeOf } from './unknown-fields.ts'
import { hearUnknownXml } from './unknown-heard.ts'

const choices = ['omit', 'empty', 'empty-fields', 'unconfirmed', 'zeros', 'error'] as const
export type UnknownXml = (typeof choices)[number]

/** What a value that matches nothing becomes in XML, where the two settings are these. */
export function unknownInXml(unknown: string, unknownXml: UnknownXml | null): UnknownXml {
  return unknownXml ?? (unknown === 'omit' || unknown === 'refuse' ? 'omit' : 'empty')
}

const becomes: Readonly<Record<UnknownXml, string>> = {
  omit: 'are left out',
  empty: 'become an empty Data element',
  'empty-fields': 'become a Data element with empty fields',
  unconfirmed: 'become a Data element with empty fields but IsConfirmed, which is 0',
  zeros: 'become a Data element with fields of 0 or empty',
  error: 'become a Data element with an error in it',
}

/** Loops that write XML and JSON differ in one service: where JSON says `null`, XML often says nothing. */
export const unknownXml = habit({
  setting: optional(
    'LEGACY_UNKNOWN_XML',
    choices.join(', '),
    'the same in XML; unset: left out, or empty, as LEGACY_UNKNOWN has it; unconfirmed: empty fields, but 0 in IsConfirmed; zeros: 0 in integers, too; error: an Error element, or the elements of an object of LEGACY_UNKNOWN',
    (text) => choices.find((choice) => choice === text),
  ),
  effect: (value, { format, missing }) =>
    value === null || format !== 'XML' || missing.length === 0
      ? null
      : `In XML, values that match nothing ${becomes[value]}.`,
  tell: async (probing) => {
    const inJson = (await unknown.tell(probing)) ?? 'omit'
    const told = await kindIn(probing, parseEntryTemplate(inJson))
    // Nothing is to be said where it follows what JSON has.
    return told === unknownInXml(inJson, null) ? null : told
  },
})

async function kindIn(probing: Probing, template: EntryTemplate | null): Promise<UnknownXml | null> {
  const { said, isAnswered } = await hearUnknownXml(probing)
  if (said !== undefined) return kindOf(said, template ?? [['Error', MESSAGE]])
  return isAnswered ? 'omit' : null
}

function kindOf(said: Said, template: EntryTemplate): UnknownXml | null {
  const fields = fieldsIn(said)
  if (fields === null) return 'text' in said && said.text === '' ? 'empty' : null
  if (hasElements(fields.map(elementOf), template)) return 'error'
  const zeros = fields.filter(([, { text }]) => text === '0').map(([name]) => name)
  if (fields.some(([name, { text }]) => text !== '' && !zeros.includes(name))) return null
  if (zeros.length === 0) return 'empty-fields'
  if (zeros.join() === 'IsConfirmed') return 'unconfirmed'
  const due = fields.filter(([name]) => typeOf(name) === 'integer' || name === 'IsConfirmed')
  return due.map(([name]) => name).join() === zeros.join() ? 'zeros' : null
}

interface Element {
  readonly name: string
  readonly text: string
  readonly children: readonly Element[]
}

/** What has elements of its own comes as a text of lists: name, attributes, text and children of each. */
function elementOf([name, { text }]: readonly [string, SaidValue]): Element {
  const whole = text.startsWith('[') ? parse(text) : null
  return (Array.isArray(whole) ? readElement(whole) : null) ?? { name, text, children: [] }
}

function readElement([name, , text, children]: readonly unknown[]): Element | null {
  if (typeof name !== 'string' || typeof text !== 'string' || !Array.isArray(children)) return null
  const read = children.flatMap((child: unknown) => (Array.isArray(child) ? (readElement(child) ?? []) : []))
  return { name, text, children: read }
}

function hasElements(elements: readonly Element[], template: EntryTemplate): boolean {
  return (
    elements.length === template.length &&
    template.every(([name, content], at) => {
      const element = elements[at]
      if (element?.name !== name) return false
      if (isMembers(content)) return hasElements(element.children, content)
      return content === MESSAGE ? element.text !== '' : element.text === textInXml(content)
    })
  )
}

/** As PHP casts it to a text. */
export function textInXml(content: string | number | boolean | null): string {
  if (typeof content === 'boolean') return content ? '1' : ''
  return content === null ? '' : String(content)
}
