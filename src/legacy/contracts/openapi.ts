import { legacyFailureCodes } from '../../errors.ts'
import type { Dialect } from '../dialect.ts'
import type { LegacyEvent, Parameter } from '../events/event.ts'
import { legacyEvents } from '../events/index.ts'
import { formatNames } from '../formats/index.ts'

/** The legacy interface as an OpenAPI 3.1 document, from the events' declarations. */
export function openapi(dialect: Dialect): string {
  const events = legacyEvents(dialect)
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
          security: [],
          parameters: [
            queryParameter('Event', true, 'Selects the lookup.', { enum: events.map((event) => event.name) }),
            ...events.flatMap((event) =>
              event.parameters.map((parameter) => eventParameter(event, parameter)),
            ),
            queryParameter('Format', false, 'The format of the answer.', {
              enum: formatNames,
              default: formatNames[0],
            }),
          ],
          responses: {
            200: {
              description: 'One member per value that was found, named as it was asked for, in that order.',
              content: {
                'application/json': {
                  schema: { oneOf: events.map((event) => ({ $ref: `#/components/schemas/${event.name}` })) },
                },
                'application/xml': { schema: { type: 'string', description: 'See legacy.xsd.' } },
              },
            },
            304: { description: 'The client has this answer already (If-None-Match).' },
            default: {
              description: 'A refusal, in the format asked for.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: Object.fromEntries([
        ...events.map((event) => [event.name, answerSchema(event, dialect)]),
        ['Refusal', refusalSchema],
      ]),
    },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function queryParameter(name: string, required: boolean, description: string, schema: object) {
  return { name, in: 'query', required, description, schema: { type: 'string', ...schema } }
}

// OpenAPI cannot say "required with this Event", so the description does.
function eventParameter(event: LegacyEvent, { name, required, description, allowed, example }: Parameter) {
  const condition = `With Event=${event.name}${required ? ', where it is required' : ''}: `
  const choice = allowed === undefined ? {} : { enum: allowed, default: allowed[0] }
  return { ...queryParameter(name, false, condition + description, choice), example }
}

function answerSchema({ description, fields }: LegacyEvent, { unknown }: Dialect) {
  const entry = {
    type: unknown === 'null' ? ['object', 'null'] : 'object',
    required: fields.map((field) => field.name),
    properties: Object.fromEntries(
      fields.map((field) => [field.name, { type: field.type, description: field.description }]),
    ),
  }
  return { type: 'object', description, additionalProperties: entry }
}

const refusalSchema = {
  type: 'object',
  required: ['Error'],
  properties: {
    Error: {
      type: 'object',
      required: ['Code', 'Message'],
      properties: {
        Code: { type: 'string', enum: legacyFailureCodes },
        Message: { type: 'string', description: 'For people; its wording may change.' },
      },
    },
  },
}
