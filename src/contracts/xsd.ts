// schema/legacy.xsd: the XML responses of the legacy interface in its default dialect. New clients validate
// by it.

import { create } from 'xmlbuilder2'
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js'
import { relations } from '../data/relations.ts'
import { defaultDialect, rootOf } from '../legacy/dialect.ts'
import { type EventField, type LegacyEvent, legacyEvents } from '../legacy/events.ts'

/** XML has these texts for the booleans of JSON (specification 4.1). Old clients rely on both. */
export const booleansInXml = {
  confirmed: { no: '0', description: 'In XML it is 0 or 1.' },
  banned: { no: '', description: 'In XML it is empty for false, and 1 for true.' },
} as const

/** The characters that a field of a response may have; undefined for a number or boolean. */
export function maxLengthOf({ subject }: LegacyEvent, { source }: EventField): number | undefined {
  return relations[subject].columns.find(({ name }) => name === source)?.maxLength
}

const types = { id: 'xs:integer', number: 'xs:integer', text: 'xs:string' } as const

export function xsd(): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' })
  const schema = document.ele('xs:schema', { 'xmlns:xs': 'http://www.w3.org/2001/XMLSchema' })
  const root = complexType(schema.ele('xs:element', { name: rootOf(defaultDialect) }))
  const content = root.ele('xs:choice')

  const data = content.ele('xs:element', { name: 'Data', minOccurs: '0', maxOccurs: 'unbounded' })
  const entry = complexType(data)
  const fields = entry.ele('xs:choice')
  for (const event of legacyEvents) {
    const sequence = fields.ele('xs:sequence')
    for (const field of event.fields) describeField(sequence, event, field)
  }
  entry.ele('xs:attribute', { name: 'Value', type: 'xs:string', use: 'required' })

  const error = complexType(content.ele('xs:element', { name: 'Error' })).ele('xs:sequence')
  error.ele('xs:element', { name: 'Code', type: 'xs:string' })
  error.ele('xs:element', { name: 'Message', type: 'xs:string' })
  return `${document.end({ prettyPrint: true })}\n`
}

function complexType(element: XMLBuilder): XMLBuilder {
  return element.ele('xs:complexType')
}

function describeField(sequence: XMLBuilder, event: LegacyEvent, field: EventField): void {
  const { name, kind, description } = field
  const isBoolean = kind === 'confirmed' || kind === 'banned'
  const maxLength = maxLengthOf(event, field)
  const isPlain = !isBoolean && maxLength === undefined
  const element = sequence.ele('xs:element', isPlain ? { name, type: types[kind] } : { name })
  const text = isBoolean ? `${description} ${booleansInXml[kind].description}` : description
  element.ele('xs:annotation').ele('xs:documentation').txt(text)
  if (isPlain) return
  const restriction = element.ele('xs:simpleType').ele('xs:restriction', { base: 'xs:string' })
  if (maxLength !== undefined) restriction.ele('xs:maxLength', { value: maxLength })
  if (isBoolean)
    for (const value of [booleansInXml[kind].no, '1']) restriction.ele('xs:enumeration', { value })
}
