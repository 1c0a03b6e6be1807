// The schemas of OpenAPI's components: each event's answer and the refusals, in both formats.

import type { Dialect } from '../../../settings.ts'
import { booleansInXml, type Entry, type Field, type LegacyEvent } from '../events/event.ts'

type Schema = Readonly<Record<string, unknown>>

/** An event's answer in JSON: entries by the values that were asked for. */
export function answerInJson(event: LegacyEvent, { unknown }: Dialect): Schema {
  const entry = entrySchema(event, inJson)
  return {
    type: 'object',
    description: `${event.description} One member per value that was found, named as it was asked for, in that order.`,
    additionalProperties: unknown === 'null' ? { ...entry, type: ['object', 'null'] } : entry,
  }
}

/** An event's answer in XML, as OpenAPI describes XML; legacy.xsd says it more exactly. */
export function answerInXml(event: LegacyEvent, { serviceName, unknown }: Dialect): Schema {
  const { properties, required } = entrySchema(event, inXml)
  const value = { type: 'string', description: 'The value, as it was asked for.', xml: { attribute: true } }
  const data = {
    type: 'object',
    required: ['Value', ...(unknown === 'null' ? [] : required)],
    properties: { Value: value, ...properties },
    xml: { name: 'Data' },
  }
  return rootElement(serviceName, {
    description: `${event.description} One Data element per value that was found, in the order asked for.`,
    properties: { Data: { type: 'array', items: data } },
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

/** @param codes those that there are */
export function refusalInJson(codes: readonly string[]): Schema {
  return { type: 'object', required: ['Error'], properties: { Error: errorSchema(codes) } }
}

export function refusalInXml(codes: readonly string[], { serviceName }: Dialect): Schema {
  return rootElement(serviceName, { required: ['Error'], properties: { Error: errorSchema(codes) } })
}

function rootElement(serviceName: string, schema: Schema): Schema {
  return { type: 'object', ...schema, xml: { name: `${serviceName}API` } }
}

function errorSchema(codes: readonly string[]): Schema {
  return {
    type: 'object',
    required: ['Code', 'Message'],
    properties: {
      Code: { type: 'string', enum: codes },
      Message: { type: 'string', description: 'For people; its wording may change.' },
    },
  }
}

function entrySchema({ fields }: LegacyEvent, describe: (field: Field) => Schema) {
  return {
    type: 'object',
    required: fields.map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, describe(field)])),
  }
}

function inJson({ type, description }: Field): Schema {
  // Up to 2^53-1, which 32 bits do not hold.
  return { type, description, ...(type === 'integer' ? { format: 'int64' } : {}) }
}

function inXml(field: Field): Schema {
  const { xml, description } = field
  if (xml === undefined) return inJson(field)
  const values = [xml === 'digit' ? '0' : '', '1']
  return { type: 'string', description: `${description} ${booleansInXml[xml]}`, enum: values }
}
