import { STATUS_CODES } from 'node:http'
import type { LookupError } from '../../../errors.ts'
import type { Dialect } from '../../../settings.ts'
import type { LegacyEvent, Parameter } from '../events/event.ts'
import { legacyEvents } from '../events/index.ts'
import { type FormatName, formatNames, formats } from '../formats/index.ts'
import { exampleRefusals } from './refusals.ts'
import { answerInJson, answerInXml, exampleInXml, refusalInJson, refusalInXml } from './schemas.ts'

/** The legacy interface as an OpenAPI 3.1 document, from the events' declarations. */
export function openapi(dialect: Dialect): string {
  const events = legacyEvents(dialect)
  const refusals = exampleRefusals(events, dialect)
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Lookup Service: the legacy interface',
      version: '1',
      description: 'Look-ups of users and applications. The parameter Event selects one of them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: { '/': { get: lookup(events, refusals, dialect) } },
    components: { schemas: schemas(events, refusals, dialect) },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function lookup(events: readonly LegacyEvent[], refusals: readonly LookupError[], dialect: Dialect) {
  const found = answered(events, dialect)
  const statuses = new Set(refusals.map(({ status }) => status))
  const refused = [...statuses].toSorted((one, other) => one - other)
  return {
    operationId: 'lookup',
    summary: 'Looks up users or applications.',
    description: 'HEAD is answered as GET is, without a body.',
    security: [],
    parameters: [
      queryParameter('Event', true, 'Selects the lookup, in exact case.', {
        enum: events.map((event) => event.name),
      }),
      ...events.flatMap((event) => event.parameters.map((parameter) => eventParameter(event, parameter))),
      queryParameter('Format', false, 'The format of the answer.', {
        enum: formatNames,
        default: formatNames[0],
      }),
    ],
    responses: Object.fromEntries<object>(
      dialect.errorStatus === '200'
        ? [
            ['200', withRefusals(found, refusals, dialect)],
            ['304', unchanged],
          ]
        : [
            ['200', found],
            ['304', unchanged],
            ...refused.map((status): [string, object] => [
              String(status),
              refusalsOf(status, refusals, dialect),
            ]),
          ],
    ),
  }
}

const headers = {
  ETag: { description: 'A strong validator, for If-None-Match.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long caches may keep the answer.', schema: { type: 'string' } },
}
const unchanged = { description: 'The client has this answer already (If-None-Match).', headers }

function answered(events: readonly LegacyEvent[], dialect: Dialect) {
  const content = Object.fromEntries(
    formatNames.map((format) => {
      // An answer without entries is one to either, so that oneOf would refuse it.
      const schema = { anyOf: events.map(({ name }) => schemaNamed(name, format)) }
      const examples = events.map((event) => {
        const { values, entries } = event.example
        const body = formats[format].answers(event, dialect)(values, entries)
        return [event.name, example(format, body, exampleInXml(event))]
      })
      return [mediaType(format), { schema, examples: Object.fromEntries(examples) }]
    }),
  )
  return { description: 'What was found.', headers, content }
}

function refusalsOf(status: number, refusals: readonly LookupError[], dialect: Dialect) {
  const those = refusals.filter((refusal) => refusal.status === status)
  const content = Object.fromEntries(
    formatNames.map((format) => [
      mediaType(format),
      { schema: schemaNamed('Refusal', format), examples: refusalExamples(format, those, dialect) },
    ]),
  )
  const retry = those.some(({ retryAfter }) => retryAfter !== undefined)
  const retryAfter = { description: 'Seconds.', schema: { type: 'integer' } }
  const description = `${STATUS_CODES[status]}: ${those.map(({ code }) => code).join(', ')}.`
  return { description, ...(retry ? { headers: { 'Retry-After': retryAfter } } : {}), content }
}

/** Where every status is 200, a client has to look into the answer. */
function withRefusals(
  found: ReturnType<typeof answered>,
  refusals: readonly LookupError[],
  dialect: Dialect,
) {
  const content = Object.fromEntries(
    formatNames.map((format) => {
      const { schema, examples } = found.content[mediaType(format)] ?? { schema: { anyOf: [] }, examples: {} }
      const all = { ...examples, ...refusalExamples(format, refusals, dialect) }
      return [
        mediaType(format),
        { schema: { anyOf: [...schema.anyOf, schemaNamed('Refusal', format)] }, examples: all },
      ]
    }),
  )
  return { ...found, description: 'What was found, or a refusal.', content }
}

function schemaNamed(name: string, format: FormatName) {
  return { $ref: `#/components/schemas/${name}${format === 'XML' ? 'Xml' : ''}` }
}

function refusalExamples(format: FormatName, refusals: readonly LookupError[], dialect: Dialect) {
  const examples = refusals.map(({ code, message }) => {
    const inXml = { Error: { Code: code, Message: message } }
    return [code, example(format, formats[format].error(code, message, dialect), inXml)]
  })
  return Object.fromEntries(examples)
}

/** OpenAPI wants examples as data; the bytes stand beside it. */
function example(format: FormatName, body: string, inXml: object) {
  const value: unknown = format === 'JSON' ? JSON.parse(body) : inXml
  return { description: `\`\`\`${format.toLowerCase()}\n${body.trimEnd()}\n\`\`\``, value }
}

function mediaType(format: FormatName): string {
  return formats[format].contentType.split(';', 1)[0] ?? ''
}

function queryParameter(name: string, required: boolean, description: string, schema: object) {
  return { name, in: 'query', required, description, schema: { type: 'string', ...schema } }
}

// OpenAPI cannot say "required with this Event", so the description does.
function eventParameter(event: LegacyEvent, { name, required, description, allowed, list }: Parameter) {
  const condition = `With Event=${event.name}${required ? ', where it is required' : ''}: `
  const choice = allowed === undefined ? {} : { enum: allowed, default: allowed[0] }
  const example = list ? { example: event.example.values.join(':') } : {}
  return { ...queryParameter(name, false, condition + description, choice), ...example }
}

function schemas(events: readonly LegacyEvent[], refusals: readonly LookupError[], dialect: Dialect) {
  const codes = refusals.map(({ code }) => code)
  return Object.fromEntries([
    ...events.flatMap((event) => [
      [event.name, answerInJson(event, dialect)],
      [`${event.name}Xml`, answerInXml(event, dialect)],
    ]),
    ['Refusal', refusalInJson(codes)],
    ['RefusalXml', refusalInXml(codes, dialect)],
  ])
}
