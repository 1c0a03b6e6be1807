// The legacy interface in its default dialect as an OpenAPI 3.1 document, from the events' declarations.

import { STATUS_CODES } from 'node:http'
import { table } from '../../config/settings.ts'
import { type FailureCode, LookupError } from '../../errors.ts'
import { defaultDialect, rootOf } from '../../legacy/dialect.ts'
import {
  legacyEvents as events,
  type Field,
  type LegacyEvent,
  type ShownEvent,
  shownEvents,
} from '../../legacy/events.ts'
import { createFacade } from '../../legacy/facade.ts'
import { examples } from './examples.ts'
import { booleansInXml, maxLengthOf } from './xsd.ts'

type Schema = Readonly<Record<string, unknown>>

const formatNames = ['JSON', 'XML'] as const
type FormatName = (typeof formatNames)[number]
const maxValues = table.legacy.maxValues.fallback
const facade = createFacade(defaultDialect, maxValues)
const formatOf = (name: FormatName) => (name === 'JSON' ? 'json' : 'xml')

export function openapi(): string {
  const refusals = exampleRefusals()
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Lookup Service: the legacy interface',
      version: '1',
      description: 'Look-ups of users and applications. The parameter Event selects one of them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: { '/': { get: lookup(refusals) } },
    components: { schemas: schemas(refusals) },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function lookup(refusals: readonly LookupError[]) {
  const statuses = [...new Set(refusals.map(({ status }) => status))]
  return {
    operationId: 'lookup',
    summary: 'Looks up users or applications.',
    description: 'HEAD is answered as GET is, without a body.',
    security: [],
    parameters: [
      queryParameter('Event', true, 'Selects the lookup, in exact case.', {
        enum: events.map((event) => event.name),
      }),
      ...shownEvents(defaultDialect).flatMap((event) =>
        event.parameters.map((parameter) => eventParameter(event, parameter)),
      ),
      queryParameter('Format', false, 'The format of the answer.', {
        enum: formatNames,
        default: formatNames[0],
      }),
    ],
    responses: {
      200: {
        description: 'What was found.',
        headers,
        content: contentOf(
          events.map(({ name }) => name),
          (format) => events.map((event) => exampleAnswer(event, format)),
        ),
      },
      304: { description: 'The client has this answer already (If-None-Match).', headers },
      ...Object.fromEntries(statuses.map((status) => [status, refusalsOf(status, refusals)])),
    },
  }
}

const headers = {
  ETag: { description: 'A strong validator, for If-None-Match.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long caches may keep the answer.', schema: { type: 'string' } },
}

function refusalsOf(status: number, refusals: readonly LookupError[]) {
  const those = refusals.filter((refusal) => refusal.status === status)
  const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } }
  return {
    description: `${STATUS_CODES[status]}: ${those.map(({ code }) => code).join(', ')}.`,
    ...(those.some((refusal) => refusal.retryAfter !== undefined) && { headers: retryAfter }),
    content: contentOf(['Refusal'], (format) => those.map((refusal) => exampleRefusal(refusal, format))),
  }
}

type NamedExample = readonly [name: string, example: object]

/** @param names of schemas */
function contentOf(names: readonly string[], examplesIn: (format: FormatName) => readonly NamedExample[]) {
  return Object.fromEntries(
    formatNames.map((format) => {
      const suffix = format === 'XML' ? 'Xml' : ''
      const refs = names.map((name) => ({ $ref: `#/components/schemas/${name}${suffix}` }))
      // A response without entries is one to either event, so that oneOf would refuse it.
      const schema = refs.length === 1 ? refs[0] : { anyOf: refs }
      const content = { schema, examples: Object.fromEntries(examplesIn(format)) }
      return [`application/${format.toLowerCase()}`, content]
    }),
  )
}

function exampleAnswer(event: LegacyEvent, format: FormatName): NamedExample {
  const { values, rows } = examples[event.subject]
  const list = event.parameters.at(-1)?.name ?? ''
  const query = `Event=${event.name}&${list}=${values.join(':')}&Format=${format}`
  const { body } = facade.write(facade.read(query), rows)
  const data = rows.map((row, at) => {
    const fields = event.fields.map(({ name, source, kind }) => {
      const value = row[source]
      if (kind === 'confirmed' || kind === 'banned') return [name, value ? '1' : booleansInXml[kind].no]
      return [name, kind === 'text' ? value : Number(value)]
    })
    return { Value: values[at], ...Object.fromEntries(fields) }
  })
  return [event.name, example(format, body, { Data: data })]
}

function exampleRefusal(error: LookupError, format: FormatName): NamedExample {
  const { code, message } = error
  const { body } = facade.refuse(error, formatOf(format))
  return [code, example(format, body, { Error: { Code: code, Message: message } })]
}

/** OpenAPI wants examples as data; the bytes stand beside it. @param inXml what XML is as data */
function example(format: FormatName, body: string, inXml: object) {
  const text = body.trimEnd()
  const value: unknown = format === 'JSON' ? JSON.parse(text) : inXml
  return { description: `\`\`\`${format.toLowerCase()}\n${text}\n\`\`\``, value }
}

function queryParameter(name: string, required: boolean, description: string, schema: Schema) {
  return { name, in: 'query', required, description, schema: { type: 'string', ...schema } }
}

// OpenAPI cannot say "required with this Event", so the description does.
function eventParameter(
  event: ShownEvent,
  { name, required, description, allowed }: ShownEvent['parameters'][number],
) {
  const condition = `With Event=${event.name}${required ? ', where it is required' : ''}: `
  const choice = allowed === undefined ? {} : { enum: allowed, default: allowed[0] }
  const example = allowed === undefined ? { example: examples[event.subject].values.join(':') } : {}
  return { ...queryParameter(name, false, condition + description, choice), ...example }
}

/** One of every error: those of wrong queries, and those that may happen around any query. */
function exampleRefusals(): readonly LookupError[] {
  const ask = 'Event=ProfileLookup&Users=1'
  const wrongQueries = [
    'Event=ProfileLookup',
    `${ask}&Users=2`,
    'Event=profilelookup',
    `${ask}&MethodOfAccessingUserInformation=email`,
    `${ask}&Format=CSV`,
    'Event=ProfileLookup&Users=ada',
    `${ask}${Array.from({ length: maxValues }, (_, at) => `:${at + 2}`).join('')}`,
    `${ask}%`,
  ]
  const others: readonly (readonly [FailureCode, ...details: string[]])[] = [
    ['ResponseTooLarge', '8388608'],
    ['MalformedHost'],
    ['MethodNotAllowed', 'GET, HEAD'],
    ['TooLongTarget', '65536'],
    ['TooManyRequests', '42', '6000'],
    ['Internal'],
    ['Overloaded'],
    ['Unavailable'],
  ]
  return [
    ...wrongQueries.flatMap((query) => {
      try {
        facade.read(query)
        return []
      } catch (error) {
        if (error instanceof LookupError) return [error]
        throw error
      }
    }),
    ...others.map(([code, ...details]) => new LookupError(code, details)),
  ]
}

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
  return Object.fromEntries([
    ...events.flatMap((event) => [
      [event.name, answerInJson(event)],
      [`${event.name}Xml`, answerInXml(event)],
    ]),
    ['Refusal', refusal],
    ['RefusalXml', { ...refusal, xml: root }],
  ])
}

const root = { name: rootOf(defaultDialect) }

function answerInJson(event: LegacyEvent): Schema {
  const { description, fields } = event
  const rule = 'One member per value that was found, named as it was asked for, in the order asked for.'
  return {
    type: 'object',
    description: `${description} ${rule}`,
    additionalProperties: {
      type: 'object',
      required: fields.map(({ name }) => name),
      properties: Object.fromEntries(fields.map((field) => [field.name, inJson(event, field)])),
    },
  }
}

/** A response in XML, as OpenAPI describes XML; legacy.xsd is more exact. */
function answerInXml(event: LegacyEvent): Schema {
  const { description, fields } = event
  const value = { type: 'string', description: 'The value, as it was asked for.', xml: { attribute: true } }
  const data = {
    type: 'object',
    required: ['Value', ...fields.map(({ name }) => name)],
    properties: {
      Value: value,
      ...Object.fromEntries(fields.map((field) => [field.name, inXml(event, field)])),
    },
    xml: { name: 'Data' },
  }
  return {
    type: 'object',
    description: `${description} One Data element per value that was found, in the order asked for.`,
    properties: { Data: { type: 'array', items: data } },
    xml: root,
  }
}

const types = {
  id: 'integer',
  number: 'integer',
  text: 'string',
  confirmed: 'boolean',
  banned: 'boolean',
} as const

function inJson(event: LegacyEvent, field: Field): Schema {
  const type = types[field.kind]
  const maxLength = maxLengthOf(event, field)
  return {
    type,
    description: field.description,
    // Up to 2^53-1, which 32 bits do not hold.
    ...(type === 'integer' && { format: 'int64' }),
    ...(maxLength !== undefined && { maxLength }),
  }
}

function inXml(event: LegacyEvent, field: Field): Schema {
  const { description, kind } = field
  if (kind !== 'confirmed' && kind !== 'banned') return inJson(event, field)
  const inXml = booleansInXml[kind]
  return { type: 'string', description: `${description} ${inXml.description}`, enum: [inXml.no, '1'] }
}
