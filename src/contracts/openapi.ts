// schema/legacy.openapi.json: the legacy interface in its default dialect, as an OpenAPI 3.1 document.

import { STATUS_CODES } from 'node:http'
import { defaultDialect, type Format, formatNames, rootOf } from '../legacy/dialect.ts'
import {
  type DialectEvent,
  type EventField,
  type LegacyEvent,
  legacyEvents,
  shownEvents,
} from '../legacy/events.ts'
import { exampleOf, exampleOfRefusal, lookups, refusals } from './examples.ts'
import { booleansInXml, maxLengthOf } from './xsd.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const formats = ['json', 'xml'] as const satisfies readonly Format[]
const eventNames = legacyEvents.map(({ name }) => name)

export function openapi(): string {
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Lookup Service: the legacy interface',
      version: '1',
      description: 'Look-ups of users and applications. The parameter Event selects one of them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: {
      '/': {
        get: {
          operationId: 'lookup',
          summary: 'Looks up users or applications.',
          description: 'HEAD is answered as GET is, without a body.',
          security: [],
          parameters: parameters(),
          responses: responses(),
        },
      },
    },
    components: { schemas: schemas() },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

// Parameters

function parameters(): readonly JsonSchema[] {
  const names = Object.values(formatNames)
  return [
    parameter('Event', 'Selects the lookup, in exact case.', { enum: eventNames }, true),
    ...shownEvents(defaultDialect).flatMap(parametersOf),
    parameter('Format', 'The format of the response.', { enum: names, default: names[0] }),
  ]
}

/** OpenAPI cannot say "required with this Event", so the description does. */
function parametersOf(event: DialectEvent): readonly JsonSchema[] {
  return event.parameters.map(({ name, required, description, allowed }) => {
    const text = `With Event=${event.name}${required ? ', where it is required' : ''}: ${description}`
    return allowed === undefined
      ? { ...parameter(name, text), example: lookups[event.subject].values.join(':') }
      : parameter(name, text, { enum: allowed, default: allowed[0] })
  })
}

function parameter(name: string, description: string, schema: JsonSchema = {}, required = false): JsonSchema {
  return { name, in: 'query', required, description, schema: { type: 'string', ...schema } }
}

// Responses

function responses(): JsonSchema {
  const headers = {
    ETag: { description: 'A strong validator, for If-None-Match.', schema: { type: 'string' } },
    'Cache-Control': {
      description: 'How long caches may keep the response.',
      schema: { type: 'string' },
    },
  }
  const found = contentOf(eventNames, (format) =>
    legacyEvents.map((event) => [event.name, exampleOf(event, format)]),
  )
  const refused = [...Map.groupBy(refusals, ({ status }) => status)].map(([status, group]) => {
    const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } }
    const response = {
      description: `${STATUS_CODES[status]}: ${group.map(({ code }) => code).join(', ')}.`,
      ...(group.some((refusal) => refusal.retryAfter !== undefined) && { headers: retryAfter }),
      content: contentOf(['Refusal'], (format) =>
        group.map((refusal) => [refusal.code, exampleOfRefusal(refusal, format)]),
      ),
    }
    return [status, response] as const
  })
  return {
    200: { description: 'What was found.', headers, content: found },
    304: { description: 'The client has this response already (If-None-Match).', headers },
    ...Object.fromEntries(refused),
  }
}

type NamedExample = readonly [name: string, example: object]

/** @param names of schemas */
function contentOf(names: readonly string[], examplesIn: (format: Format) => readonly NamedExample[]) {
  const contents = formats.map((format) => {
    const refs = names.map((name) => ({ $ref: `#/components/schemas/${schemaName(name, format)}` }))
    // A response without entries matches both events, so `oneOf` would refuse it.
    const schema = refs.length === 1 ? refs[0] : { anyOf: refs }
    return [`application/${format}`, { schema, examples: Object.fromEntries(examplesIn(format)) }]
  })
  return Object.fromEntries(contents)
}

const schemaName = (name: string, format: Format) => (format === 'xml' ? `${name}Xml` : name)

// Schemas. OpenAPI can describe less of XML than legacy.xsd.

function schemas(): JsonSchema {
  const root = { name: rootOf(defaultDialect) }
  const error = {
    type: 'object',
    required: ['Code', 'Message'],
    properties: {
      Code: { type: 'string', enum: refusals.map(({ code }) => code) },
      Message: { type: 'string', description: 'For people; its wording may change.' },
    },
  }
  const refusal = { type: 'object', required: ['Error'], properties: { Error: error } }
  const found = legacyEvents.flatMap((event) => [
    [event.name, foundInJson(event)],
    [schemaName(event.name, 'xml'), { ...foundInXml(event), xml: root }],
  ])
  return { ...Object.fromEntries(found), Refusal: refusal, RefusalXml: { ...refusal, xml: root } }
}

function foundInJson(event: LegacyEvent): JsonSchema {
  const rule = 'One member per value that was found, named as it was asked for, in the order asked for.'
  return {
    type: 'object',
    description: `${event.description} ${rule}`,
    additionalProperties: entryOf(event, 'json'),
  }
}

function foundInXml(event: LegacyEvent): JsonSchema {
  const rule = 'One Data element per value that was found, in the order asked for.'
  const value = { type: 'string', description: 'The value, as it was asked for.', xml: { attribute: true } }
  const data = { ...entryOf(event, 'xml', { Value: value }), xml: { name: 'Data' } }
  return {
    type: 'object',
    description: `${event.description} ${rule}`,
    properties: { Data: { type: 'array', items: data } },
  }
}

function entryOf(event: LegacyEvent, format: Format, attributes: JsonSchema = {}): JsonSchema {
  const fields = event.fields.map((field) => [field.name, schemaOf(event, field, format)])
  const properties: JsonSchema = { ...attributes, ...Object.fromEntries(fields) }
  return { type: 'object', required: Object.keys(properties), properties }
}

function schemaOf(event: LegacyEvent, field: EventField, format: Format): JsonSchema {
  const { kind, description } = field
  if (kind === 'text') return { type: 'string', description, maxLength: maxLengthOf(event, field) }
  // Up to 2^53-1, which 32 bits do not hold.
  if (kind === 'id' || kind === 'number') return { type: 'integer', description, format: 'int64' }
  if (format === 'json') return { type: 'boolean', description }
  const { no, description: inXml } = booleansInXml[kind]
  return { type: 'string', description: `${description} ${inXml}`, enum: [no, '1'] }
}
