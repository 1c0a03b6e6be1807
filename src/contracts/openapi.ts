// schema/legacy.openapi.json: the legacy interface in its default dialect, as an OpenAPI 3.1 document.

import { STATUS_CODES } from 'node:http'
import { table } from '../config/settings.ts'
import { LookupError } from '../errors.ts'
import { defaultDialect, type Format, rootOf } from '../legacy/dialect.ts'
import { type Field, type LegacyEvent, legacyEvents, shownEvents } from '../legacy/events.ts'
import { createFacade } from '../legacy/facade.ts'
import { examples } from './examples.ts'
import { booleansInXml, maxLengthOf } from './xsd.ts'

type Schema = Readonly<Record<string, unknown>>

const formats = ['json', 'xml'] as const satisfies readonly Format[]
const formatNames = formats.map((format) => format.toUpperCase())
const maxValues = table.legacy.maxValues.fallback
const facade = createFacade(defaultDialect, maxValues)

export function openapi(): string {
  const refusals = [...refusalsOfQueries(), ...otherRefusals]
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
          responses: responses(refusals),
        },
      },
    },
    components: { schemas: schemas(refusals) },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

// Parameters

function parameters() {
  const ofEvents = shownEvents(defaultDialect).flatMap((event) =>
    event.parameters.map(({ name, required, description, allowed }) => {
      // OpenAPI cannot say "required with this Event", so the description does.
      const condition = `With Event=${event.name}${required ? ', where it is required' : ''}: `
      return allowed === undefined
        ? {
            ...parameter(name, false, condition + description, {}),
            example: examples[event.subject].values.join(':'),
          }
        : parameter(name, false, condition + description, { enum: allowed, default: allowed[0] })
    }),
  )
  return [
    parameter('Event', true, 'Selects the lookup, in exact case.', {
      enum: legacyEvents.map((event) => event.name),
    }),
    ...ofEvents,
    parameter('Format', false, 'The format of the response.', { enum: formatNames, default: formatNames[0] }),
  ]
}

function parameter(name: string, required: boolean, description: string, schema: Schema) {
  return { name, in: 'query', required, description, schema: { type: 'string', ...schema } }
}

// Responses, with examples as the gateway writes them

const headers = {
  ETag: { description: 'A strong validator, for If-None-Match.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long caches may keep the response.', schema: { type: 'string' } },
}
const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } }

function responses(refusals: readonly LookupError[]): Schema {
  const names = legacyEvents.map(({ name }) => name)
  const found = contentOf(names, (format) => legacyEvents.map((event) => exampleOf(event, format)))
  const refused = [...Map.groupBy(refusals, ({ status }) => status)].map(([status, group]) => {
    const response = {
      description: `${STATUS_CODES[status]}: ${group.map(({ code }) => code).join(', ')}.`,
      ...(group.some((refusal) => refusal.retryAfter !== undefined) && { headers: retryAfter }),
      content: contentOf(['Refusal'], (format) => group.map((refusal) => exampleOfRefusal(refusal, format))),
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
  return Object.fromEntries(
    formats.map((format) => {
      const refs = names.map((name) => ({ $ref: `#/components/schemas/${schemaName(name, format)}` }))
      // A response without entries matches both events, so `oneOf` would refuse it.
      const schema = refs.length === 1 ? refs[0] : { anyOf: refs }
      return [`application/${format}`, { schema, examples: Object.fromEntries(examplesIn(format)) }]
    }),
  )
}

const schemaName = (name: string, format: Format) => (format === 'xml' ? `${name}Xml` : name)

function exampleOf({ name, subject, parameters, fields }: LegacyEvent, format: Format): NamedExample {
  const { values, rows } = examples[subject]
  const list = parameters.at(-1)?.name ?? ''
  const query = `Event=${name}&${list}=${values.join(':')}&Format=${format.toUpperCase()}`
  const data = rows.map((row, at) => ({
    Value: values[at],
    ...Object.fromEntries(fields.map(({ name, source, kind }) => [name, inXmlData(kind, row[source])])),
  }))
  return [name, example(format, facade.write(facade.read(query), rows).body, { Data: data })]
}

function inXmlData(kind: Field['kind'], value: unknown) {
  if (kind === 'confirmed' || kind === 'banned') return value ? '1' : booleansInXml[kind].no
  return kind === 'text' ? value : Number(value)
}

function exampleOfRefusal(error: LookupError, format: Format): NamedExample {
  const { code, message } = error
  return [
    code,
    example(format, facade.refuse(error, format).body, { Error: { Code: code, Message: message } }),
  ]
}

/** OpenAPI wants examples as data. The bytes are in the description. */
function example(format: Format, body: string, xmlAsData: object) {
  const text = body.trimEnd()
  const value: unknown = format === 'json' ? JSON.parse(text) : xmlAsData
  return { description: `\`\`\`${format}\n${text}\n\`\`\``, value }
}

// One example of each refusal

function refusalsOfQueries(): readonly LookupError[] {
  const users = 'Event=ProfileLookup&Users=1'
  const queries = [
    'Event=ProfileLookup',
    `${users}&Users=2`,
    'Event=profilelookup',
    `${users}&MethodOfAccessingUserInformation=email`,
    `${users}&Format=CSV`,
    'Event=ProfileLookup&Users=ada',
    `${users}${Array.from({ length: maxValues }, (_, at) => `:${at + 2}`).join('')}`,
    `${users}%`,
  ]
  return queries.flatMap((query) => {
    try {
      facade.read(query)
      return []
    } catch (error) {
      if (error instanceof LookupError) return [error]
      throw error
    }
  })
}

const otherRefusals = [
  new LookupError('ResponseTooLarge', ['8388608']),
  new LookupError('MalformedHost'),
  new LookupError('MethodNotAllowed', ['GET, HEAD']),
  new LookupError('TooLongTarget', ['65536']),
  new LookupError('TooManyRequests', ['42', '6000']),
  new LookupError('Internal'),
  new LookupError('Overloaded'),
  new LookupError('Unavailable'),
]

// Schemas

const root = { name: rootOf(defaultDialect) }

function schemas(refusals: readonly LookupError[]): Schema {
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
    [schemaName(event.name, 'xml'), foundInXml(event)],
  ])
  return { ...Object.fromEntries(found), Refusal: refusal, RefusalXml: { ...refusal, xml: root } }
}

function foundInJson(event: LegacyEvent): Schema {
  const rule = 'One member per value that was found, named as it was asked for, in the order asked for.'
  return {
    type: 'object',
    description: `${event.description} ${rule}`,
    additionalProperties: entryOf(event, 'json', {}),
  }
}

/** A response in XML, as OpenAPI describes XML; legacy.xsd is more exact. */
function foundInXml(event: LegacyEvent): Schema {
  const rule = 'One Data element per value that was found, in the order asked for.'
  const value = { type: 'string', description: 'The value, as it was asked for.', xml: { attribute: true } }
  const data = { ...entryOf(event, 'xml', { Value: value }), xml: { name: 'Data' } }
  return {
    type: 'object',
    description: `${event.description} ${rule}`,
    properties: { Data: { type: 'array', items: data } },
    xml: root,
  }
}

function entryOf(event: LegacyEvent, format: Format, others: Schema): Schema {
  const fields = event.fields.map((field) => [field.name, schemaOf(event, field, format)])
  const properties: Schema = { ...others, ...Object.fromEntries(fields) }
  return { type: 'object', required: Object.keys(properties), properties }
}

function schemaOf(event: LegacyEvent, field: Field, format: Format): Schema {
  const { kind, description } = field
  if (kind === 'text') return { type: 'string', description, maxLength: maxLengthOf(event, field) }
  // Up to 2^53-1, which 32 bits do not hold.
  if (kind === 'id' || kind === 'number') return { type: 'integer', description, format: 'int64' }
  if (format === 'json') return { type: 'boolean', description }
  const inXml = booleansInXml[kind]
  return { type: 'string', description: `${description} ${inXml.description}`, enum: [inXml.no, '1'] }
}
