import { STATUS_CODES } from 'node:http'
import { parseTemplate, type TemplateKind } from '../../../error-template.ts'
import type { Dialect } from '../../../settings.ts'
import { fromBytes } from '../../answer.ts'
import type { LegacyEvent, Parameter } from '../events/event.ts'
import { legacyEvents } from '../events/index.ts'
import { errorFormats } from '../formats/errors.ts'
import { type FormatName, formatNames, formats } from '../formats/index.ts'
import { errorSpeaker, type SpokenError } from '../spoken-error.ts'
import { exampleRefusalInXml, refusalInJson, refusalInXml } from './refusal-schemas.ts'
import { exampleRefusals } from './refusals.ts'
import { answerInJson, answerInXml, exampleInXml } from './schemas.ts'

/** The legacy interface as an OpenAPI 3.1 document, from the events' declarations. */
export function openapi(dialect: Dialect): string {
  const events = legacyEvents(dialect)
  const speak = errorSpeaker(dialect)
  const refusals = exampleRefusals(events, dialect).map((refusal) => speak(refusal, 'users'))
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Lookup Service: the legacy interface',
      version: '1',
      description: 'Look-ups of users and applications. The parameter Event selects one of them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(
      dialect.paths.map((path, at) => [path, { get: lookup(events, refusals, dialect, at + 1) }]),
    ),
    components: { schemas: schemas(events, refusals, dialect) },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** @param place among those that answer alike: each operation has an id of its own */
function lookup(
  events: readonly LegacyEvent[],
  refusals: readonly SpokenError[],
  dialect: Dialect,
  place: number,
) {
  const { anyCase, otherEvent, otherFormat } = dialect
  const statuses = new Set([200, ...refusals.map(({ status }) => status)])
  const [, ...refused] = [...statuses].toSorted((one, other) => one - other)
  return {
    operationId: place === 1 ? 'lookup' : `lookup${place}`,
    summary: 'Looks up users or applications.',
    description: 'HEAD is answered as GET is, without a body.',
    security: [],
    parameters: [
      queryParameter(
        'Event',
        otherEvent === 'refuse',
        `Selects the lookup, in ${anyCase.includes('events') ? 'any' : 'exact'} case.${otherEvents[otherEvent]}`,
        {
          enum: events.map((event) => event.name),
        },
      ),
      ...events.flatMap((event) => event.parameters.map((parameter) => eventParameter(event, parameter))),
      queryParameter(
        'Format',
        false,
        `The format of the answer${anyCase.includes('formats') ? ', in any case' : ''}.${otherFormat === 'refuse' ? '' : ` Any other means ${otherFormat.toUpperCase()}.`}`,
        {
          enum: formatNames,
          default: formatNames[0],
        },
      ),
    ],
    responses: Object.fromEntries<object>([
      ['200', answered(events, refusals, dialect)],
      ['304', unchanged],
      ...refused.map((status) => [String(status), refusalsOf(status, refusals, dialect)] as const),
    ]),
  }
}

const otherEvents: Readonly<Record<Dialect['otherEvent'], string>> = {
  refuse: '',
  ProfileLookup: ' Any other, and none, mean ProfileLookup.',
  AppLookup: ' Any other, and none, mean AppLookup.',
  'ProfileLookup-if-missing': ' A missing one means ProfileLookup.',
  'ProfileLookup-if-empty': ' A missing or empty one means ProfileLookup.',
}

const headers = {
  ETag: { description: 'A strong validator, for If-None-Match.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long caches may keep the answer.', schema: { type: 'string' } },
}
const unchanged = { description: 'The client has this answer already (If-None-Match).', headers }

/**
 * What has status 200: refusals, too, where the dialect has it so, and a client has to look into the answer.
 */
function answered(events: readonly LegacyEvent[], refusals: readonly SpokenError[], dialect: Dialect) {
  const those = refusals.filter(({ status }) => status === 200)
  const found = formatNames.map((format): Described => {
    const examples = events.map((event): readonly [string, object] => {
      const { values, entries } = event.example
      const body = formats[format].answers(event, dialect)(values, entries)
      return [event.name, example(format === 'JSON' ? 'json' : 'xml', body, exampleInXml(event))]
    })
    return {
      format,
      type: formats[format].contentType(dialect),
      names: events.map(({ name }) => name),
      examples,
    }
  })
  const content = contentOf([...found, ...(those.length > 0 ? described(those, dialect) : [])])
  const description = those.length === 0 ? 'What was found.' : 'What was found, or a refusal.'
  return { description, headers, content }
}

function refusalsOf(status: number, refusals: readonly SpokenError[], dialect: Dialect) {
  const those = refusals.filter((refusal) => refusal.status === status)
  const content = contentOf(described(those, dialect))
  const retry = those.some(({ retryAfter }) => retryAfter !== undefined)
  const retryAfter = { description: 'Seconds.', schema: { type: 'integer' } }
  const description = `${STATUS_CODES[status] ?? status}: ${those.map(({ key }) => key).join(', ')}.`
  return { description, ...(retry ? { headers: { 'Retry-After': retryAfter } } : {}), content }
}

interface Described {
  readonly format: FormatName
  readonly type: string
  /** Of schemas. */
  readonly names: readonly string[]
  readonly examples: readonly (readonly [name: string, example: object])[]
}

/** Refusals, in each format. */
function described(refusals: readonly SpokenError[], dialect: Dialect): readonly Described[] {
  return formatNames.map((format) => {
    const { contentType, kind, body, write } = errorFormats(dialect)[format]
    const isTemplate = body === 'none' || parseTemplate(body) !== null
    const examples = refusals.map(({ key, word, message, status }): readonly [string, object] => {
      const text = write(word, message, status)
      const data = isTemplate ? fromBytes(text) : exampleRefusalInXml(word, message, dialect)
      return [key, example(kind, text, data)]
    })
    return { format, type: contentType, names: ['Refusal'], examples }
  })
}

/** By media type, which both formats may share: then either may come. */
function contentOf(all: readonly Described[]) {
  const typeOf = ({ type }: Described) => type.split(';', 1)[0] ?? ''
  return Object.fromEntries(
    [...new Set(all.map(typeOf))].map((type) => {
      const those = all.filter((one) => typeOf(one) === type)
      const first = those[0]?.format
      const schemas = those.flatMap(({ format, names }) => names.map((name) => schemaNamed(name, format)))
      const examples = those.flatMap((one) =>
        one.examples.map(
          ([name, shown]) => [one.format === first ? name : `${name}-${one.format}`, shown] as const,
        ),
      )
      const [schema] = schemas
      // An answer without entries is one to either event, so that oneOf would refuse it.
      return [
        type,
        {
          schema: schemas.length === 1 ? schema : { anyOf: schemas },
          examples: Object.fromEntries(examples),
        },
      ]
    }),
  )
}

function schemaNamed(name: string, format: FormatName) {
  return { $ref: `#/components/schemas/${name}${format === 'XML' ? 'Xml' : ''}` }
}

/** OpenAPI wants examples as data; the bytes stand beside it. */
function example(kind: TemplateKind, body: string, data: object | string) {
  const text = fromBytes(body)
  const value: unknown = kind === 'json' ? JSON.parse(text) : data
  return { description: `\`\`\`${kind}\n${text.trimEnd()}\n\`\`\``, value }
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

function schemas(events: readonly LegacyEvent[], refusals: readonly SpokenError[], dialect: Dialect) {
  const words = [...new Set(refusals.map(({ word }) => word))]
  return Object.fromEntries([
    ...events.flatMap((event) => [
      [event.name, answerInJson(event, dialect)],
      [`${event.name}Xml`, answerInXml(event, dialect)],
    ]),
    ['Refusal', refusalInJson(words, dialect)],
    ['RefusalXml', refusalInXml(words, dialect)],
  ])
}
