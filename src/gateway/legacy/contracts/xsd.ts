import { create } from 'xmlbuilder2'
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js'
import { type EntryTemplate, isMembers, MESSAGE, parseEntryTemplate } from '../../../entry-template.ts'
import { parseTemplate } from '../../../error-template.ts'
import type { Dialect } from '../../../settings.ts'
import { booleansInXml, type Field } from '../events/event.ts'
import { legacyEvents } from '../events/index.ts'
import { errorBodyIn } from '../habits/error-body-xml.ts'
import { hasEmptyFields, unknownInXml } from '../habits/unknown-xml.ts'
import { attributesIn } from '../habits/xml-root.ts'

const types = { integer: 'xs:integer', string: 'xs:string', boolean: 'xs:boolean' } as const

/** The XML answers of the legacy interface as an XML Schema, from the events' declarations. */
export function xsd(dialect: Dialect): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' })
  const schema = document.ele('xs:schema', { 'xmlns:xs': 'http://www.w3.org/2001/XMLSchema' })
  const root = complexType(schema.ele('xs:element', { name: `${dialect.serviceName}API` }))
  const content = root.ele('xs:choice')

  const data = content.ele('xs:element', { name: 'Data', minOccurs: '0', maxOccurs: 'unbounded' })
  const entry = complexType(data)
  const missing = unknownInXml(dialect.unknown, dialect.unknownXml)
  // No fields at all stand for a value that matches nothing, where the dialect shows those so.
  const fields = entry.ele('xs:choice', missing === 'empty' ? { minOccurs: '0' } : {})
  for (const event of legacyEvents(dialect)) {
    const sequence = fields.ele('xs:sequence')
    for (const field of event.fields) describeField(sequence, field, hasEmptyFields(missing))
  }
  if (missing === 'error')
    describeObject(fields.ele('xs:sequence'), parseEntryTemplate(dialect.unknown) ?? [['Error', MESSAGE]])
  entry.ele('xs:attribute', { name: 'Value', type: 'xs:string', use: 'required' })

  describeError(content, dialect)
  for (const [name, fixed] of attributesIn(dialect.xmlRoot ?? '') ?? [])
    root.ele('xs:attribute', { name, type: 'xs:string', use: 'required', fixed })
  return `${document.end({ prettyPrint: true })}\n`
}

/** What stands for an entry, as elements. */
function describeObject(sequence: XMLBuilder, template: EntryTemplate): void {
  for (const [name, content] of template) {
    if (isMembers(content))
      describeObject(complexType(sequence.ele('xs:element', { name })).ele('xs:sequence'), content)
    else sequence.ele('xs:element', { name, type: 'xs:string' })
  }
}

/** Errors of a template are in no root of ours. */
function describeError(content: XMLBuilder, dialect: Dialect): void {
  const name = 'Error'
  const body = errorBodyIn('XML', dialect)
  if (body === 'none' || parseTemplate(body) !== null) return
  if (body !== 'object') {
    content.ele('xs:element', { name, type: 'xs:string' })
    return
  }
  const error = complexType(content.ele('xs:element', { name })).ele('xs:sequence')
  error.ele('xs:element', { name: 'Code', type: 'xs:string' })
  error.ele('xs:element', { name: 'Message', type: 'xs:string' })
}

function complexType(element: XMLBuilder): XMLBuilder {
  return element.ele('xs:complexType')
}

function describeField(sequence: XMLBuilder, field: Field, mayBeEmpty: boolean): void {
  const { name, type, description, xml } = field
  const isUnion = mayBeEmpty && xml === undefined && type !== 'string'
  const element = sequence.ele(
    'xs:element',
    xml === undefined && !isUnion ? { name, type: types[type] } : { name },
  )
  const text = xml === undefined ? description : `${description} ${booleansInXml[xml]}`
  element.ele('xs:annotation').ele('xs:documentation').txt(text)
  if (xml !== undefined) {
    const values = [xml === 'digit' ? '0' : '', '1']
    restrictTo([...new Set(mayBeEmpty ? ['', ...values] : values)], element)
  } else if (isUnion) {
    restrictTo([''], element.ele('xs:simpleType').ele('xs:union', { memberTypes: types[type] }))
  }
}

function restrictTo(values: readonly string[], element: XMLBuilder): void {
  const restriction = element.ele('xs:simpleType').ele('xs:restriction', { base: 'xs:string' })
  for (const value of values) restriction.ele('xs:enumeration', { value })
}
