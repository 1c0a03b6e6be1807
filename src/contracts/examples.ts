// The examples of the OpenAPI document. The gateway's own reader and writer produce the bytes.

import { table } from '../config/settings.ts'
import { LookupError } from '../errors.ts'
import { defaultDialect, type Format, formatNames, type LookupSubject } from '../legacy/dialect.ts'
import type { EventField, LegacyEvent, SchemaRow } from '../legacy/events.ts'
import { createFacade } from '../legacy/facade.ts'
import { booleansInXml } from './xsd.ts'

interface LookupExample {
  readonly values: readonly string[]
  readonly rows: readonly SchemaRow[]
}

const common = { joinDate: 1199145600, isConfirmed: true, banned: false }

/** For each subject, the values of a request and the rows of its response. */
export const lookups: Readonly<Record<LookupSubject, LookupExample>> = {
  users: {
    values: ['1', '2', '3'],
    rows: [
      { ...common, id: '1', username: 'Ada', displayName: 'Ada of the Hill', rank: 9 },
      { ...common, id: '2', username: 'søren', displayName: 'Søren Ærlig ÿĀ', rank: 3 },
      { ...common, id: '3', username: 'mallory', displayName: 'Mallory', rank: 1, banned: true },
    ],
  },
  apps: {
    values: ['1', '70000'],
    rows: [
      {
        title: 'Pocket Almanac',
        version: '1.4.2',
        category: 3,
        changelogLink: 'https://apps.example/1/changelog',
        downloadLink: 'https://apps.example/download/1/',
      },
      {
        title: 'Ledger',
        version: '2026.11.3',
        category: 4,
        changelogLink: 'https://apps.example/70000/changelog',
        downloadLink: 'https://apps.example/download/70000/',
      },
    ],
  },
}

const maxValues = table.legacy.maxValues.fallback
const facade = createFacade(defaultDialect, maxValues)

const oneUser = 'Event=ProfileLookup&Users=1'
const refusedQueries = [
  'Event=ProfileLookup',
  `${oneUser}&Users=2`,
  'Event=profilelookup',
  `${oneUser}&MethodOfAccessingUserInformation=email`,
  `${oneUser}&Format=CSV`,
  'Event=ProfileLookup&Users=ada',
  oneUser + Array.from({ length: maxValues }, (_, at) => `:${at + 2}`).join(''),
  `${oneUser}%`,
]

/** Each error of the legacy interface, once. */
export const refusals: readonly LookupError[] = [
  ...refusedQueries.map(refusalOf),
  new LookupError('ResponseTooLarge', ['8388608']),
  new LookupError('MalformedHost'),
  new LookupError('MethodNotAllowed', ['GET, HEAD']),
  new LookupError('TooLongTarget', ['65536']),
  new LookupError('TooManyRequests', ['42 seconds', '6000']),
  new LookupError('Internal'),
  new LookupError('Overloaded'),
  new LookupError('Unavailable'),
]

function refusalOf(query: string): LookupError {
  try {
    facade.read(query)
  } catch (error) {
    if (error instanceof LookupError) return error
    throw error
  }
  throw new Error(`The reader accepts ${query}. Choose a query string that it refuses.`)
}

export function exampleOf({ name, subject, parameters, fields }: LegacyEvent, format: Format) {
  const { values, rows } = lookups[subject]
  const query = `Event=${name}&${parameters.at(-1)?.name}=${values.join(':')}&Format=${formatNames[format]}`
  const { body } = facade.write(facade.read(query), rows)
  const data = rows.map((row, at) => ({
    Value: values[at],
    ...Object.fromEntries(fields.map(({ name, source, kind }) => [name, inXmlData(kind, row[source])])),
  }))
  return example(format, body, { Data: data })
}

export function exampleOfRefusal(error: LookupError, format: Format) {
  const { code, message } = error
  return example(format, facade.refuse(error, format).body, { Error: { Code: code, Message: message } })
}

/** OpenAPI requires examples as data, so the bytes are in the description. */
function example(format: Format, body: string, xmlAsData: object) {
  const text = body.trimEnd()
  const value: unknown = format === 'json' ? JSON.parse(text) : xmlAsData
  return { description: `\`\`\`${format}\n${text}\n\`\`\``, value }
}

function inXmlData(kind: EventField['kind'], value: unknown) {
  if (kind === 'confirmed' || kind === 'banned') return value ? '1' : booleansInXml[kind].no
  return kind === 'text' ? value : Number(value)
}
