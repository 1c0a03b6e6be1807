// The schemas of OpenAPI's components: each event's answer and the refusals, in both formats.

import { type EntryTemplate, isMembers, MESSAGE, parseEntryTemplate } from '../../../entry-template.ts'
import type { Dialect } from '../../../settings.ts'
import { fromBytes } from '../../answer.ts'
import { booleansInXml, type Entry, type Field, type LegacyEvent } from '../events/event.ts'
import { mayBeList } from '../formats/json/list.ts'
import { areTextsChecked, writtenText } from '../formats/json/texts.ts'
import { booleanForm, digitsOf } from '../habits/booleans.ts'
import { errorName } from '../habits/error-body.ts'
import { orderIn } from '../habits/json-flags.ts'
import { namedBy } from '../habits/keys.ts'
import { namesIn } from '../habits/keys-xml.ts'
import { isTextIn } from '../habits/numbers.ts'
import { saidOf } from '../habits/orders.ts'
import { castsIn } from '../habits/unknown-fields.ts'
import { hasEmptyFields, unknownInXml } from '../habits/unknown-xml.ts'

export type Schema = Readonly<Record<string, unknown>>

/** An event's answer in JSON: entries by the values that were asked for. */
export function answerInJson(event: LegacyEvent, dialect: Dialect): Schema {
  const entry = entrySchema(event, (field) => inJson(field, dialect))
  const one = entryOrUnknown(entry, event, dialect)
  const answer = {
    type: 'object',
    description: `${event.description} One member per value that was found, named ${namedBy(dialect.keys)}, ${saidOf(orderIn('JSON', { jsonFlags: dialect.jsonFlags, order: event.order.value }))}.`,
    additionalProperties: one,
    ...atLeastOne(dialect, 'minProperties'),
  }
  const { empty } = dialect
  if (mayBeList(dialect)) return { anyOf: [answer, { type: 'array', description: LIST, items: one }] }
  return empty === '[]' || empty === 'null' ? { anyOf: [answer, literals[empty] ?? answer] } : answer
}

const LIST = 'An answer without entries, or one whose entries are named 0, 1, 2 and so on.'

const emptyList = { type: 'array', maxItems: 0 }

function entryOrUnknown(entry: ObjectSchema, event: LegacyEvent, dialect: Dialect): Schema {
  const { unknown, errorBody } = dialect
  if (unknown === 'omit' || unknown === 'refuse') return entry
  if (unknown === 'null') return { ...entry, type: ['object', 'null'] }
  const template =
    unknown === 'error' ? [[errorName(errorBody), MESSAGE] as const] : parseEntryTemplate(unknown)
  if (template !== null) return { anyOf: [entry, objectSchema(template, textType(dialect))] }
  const casts = castsIn(unknown)
  if (casts === null) return { anyOf: [entry, literals[unknown] ?? entry] }
  const blank = (field: Field) => (casts.includes(field.type) ? inJson(field, dialect) : { type: 'null' })
  // Where all fields are cast, such an entry has the types of any other.
  return event.fields.every(({ type }) => casts.includes(type))
    ? entry
    : { anyOf: [entry, entrySchema(event, blank)] }
}

const literals: Readonly<Record<string, Schema>> = {
  false: { const: false },
  '{}': { type: 'object', maxProperties: 0 },
  '[]': emptyList,
  null: { type: 'null' },
}

/**
 * An object of LEGACY_UNKNOWN; in XML, its values are texts.
 * @param text the type of a text in JSON; `null` in XML
 */
function objectSchema(template: EntryTemplate, text: TextType | null): ObjectSchema {
  const properties = template.map(([name, content]): [string, Schema] => {
    if (isMembers(content)) return [name, objectSchema(content, text)]
    if (text === null) return [name, { type: 'string' }]
    if (typeof content === 'string') return [name, { type: text }]
    return [name, { type: content === null ? 'null' : typeof content }]
  })
  return {
    type: 'object',
    required: template.map(([name]) => name),
    properties: Object.fromEntries(properties),
  }
}

/** Where an answer without any entry is an error, or has no body. */
function atLeastOne({ unknown, empty }: Dialect, keyword: 'minProperties' | 'minItems'): Schema {
  return unknown === 'refuse' || empty === 'refuse' || empty === 'none' ? { [keyword]: 1 } : {}
}

/** An event's answer in XML, as OpenAPI describes XML; legacy.xsd says it more exactly. */
export function answerInXml(event: LegacyEvent, dialect: Dialect): Schema {
  const { serviceName, duplicates, unknown, unknownXml } = dialect
  const names = namedBy(namesIn('XML', dialect))
  const missing = unknownInXml(unknown, unknownXml)
  const { properties, required } = entrySchema(event, hasEmptyFields(missing) ? inXmlOrEmpty : inXml)
  const template = parseEntryTemplate(unknown)
  const error =
    missing !== 'error'
      ? {}
      : template === null
        ? { Error: { type: 'string', description: 'Why there is no entry.' } }
        : objectSchema(template, null).properties
  const value = { type: 'string', description: `The value, ${names}.`, xml: { attribute: true } }
  const often = duplicates === 'each' ? ', as often as it was asked for' : ''
  const data = {
    type: 'object',
    required: ['Value', ...(missing === 'empty' || missing === 'error' ? [] : required)],
    properties: { Value: value, ...properties, ...error },
    xml: { name: 'Data' },
  }
  return rootElement(serviceName, {
    description: `${event.description} One Data element per value that was found${often}, ${saidOf(event.order.value)}.`,
    properties: { Data: { type: 'array', items: data, ...atLeastOne(dialect, 'minItems') } },
  })
}

/** An event's example as data of that schema. */
export function exampleInXml({ fields, example: { values, entries } }: LegacyEvent): object {
  const written = ({ source, type, xml }: Field, entry: Entry) => {
    const value = entry[source]
    if (xml !== undefined) return value ? '1' : xml === 'digit' ? '0' : ''
    return type === 'integer' ? Number(value) : value
  }
  const data = entries.map((entry, at) => ({
    Value: values[at],
    ...Object.fromEntries(fields.map((field) => [field.name, written(field, entry)])),
  }))
  return { Data: data }
}

export function rootElement(serviceName: string, schema: Schema): Schema {
  return { type: 'object', ...schema, xml: { name: `${serviceName}API` } }
}

interface ObjectSchema extends Schema {
  readonly type: 'object'
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Schema>>
}

function entrySchema({ fields }: LegacyEvent, describe: (field: Field) => Schema): ObjectSchema {
  return {
    type: 'object',
    required: fields.map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, describe(field)])),
  }
}

function inJson({ name, type, description, xml }: Field, dialect: Dialect): Schema {
  const { numbers, booleans } = dialect
  const digits = type === 'boolean' ? digitsOf(booleans, xml) : null
  if (digits !== null)
    return booleanForm(booleans, xml) === 'integer'
      ? { type: 'integer', description, enum: digits.map(Number) }
      : { ...textsIn(digits, dialect), description }
  if (type === 'integer' && isTextIn(numbers, name) && !areTextsChecked(dialect))
    return { type: 'string', description, pattern: '^-?[0-9]+$' }
  return type === 'string' ? { type: textType(dialect), description } : plain(type, description)
}

type TextType = 'string' | readonly ['string', 'number']

/** The type of any text in JSON. */
export function textType(dialect: Pick<Dialect, 'jsonFlags'>): TextType {
  return areTextsChecked(dialect) ? ['string', 'number'] : 'string'
}

/** The schema of one of some texts. */
export function textsIn(texts: readonly string[], dialect: Pick<Dialect, 'jsonFlags'>): Schema {
  const written = texts.map((text): unknown => JSON.parse(fromBytes(writtenText(text, dialect))))
  const types = [...new Set(written.map((one) => typeof one))]
  return { type: types.length === 1 ? types[0] : types, enum: [...new Set(written)] }
}

function plain(type: Field['type'], description: string): Schema {
  // Up to 2^53-1, which 32 bits do not hold.
  return { type, description, ...(type === 'integer' ? { format: 'int64' } : {}) }
}

function inXml({ type, description, xml }: Field): Schema {
  if (xml === undefined) return plain(type, description)
  const values = [xml === 'digit' ? '0' : '', '1']
  return { type: 'string', description: `${description} ${booleansInXml[xml]}`, enum: values }
}

/** Where values that match nothing have empty fields. */
function inXmlOrEmpty(field: Field): Schema {
  const { type, description, enum: values, ...rest } = inXml(field)
  if (Array.isArray(values)) return { type, description, enum: [...new Set(['', ...values])] }
  return type === 'string'
    ? inXml(field)
    : {
        description,
        anyOf: [
          { type, ...rest },
          { type: 'string', enum: [''] },
        ],
      }
}
