// The contracts of each habit describe what is answered with it: OpenAPI is accepted by a linter, its schemas
// and the XML Schema by what is really answered.

import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { fromBytes } from '../../../src/gateway/answer.ts'
import { openapi } from '../../../src/gateway/legacy/contracts/openapi.ts'
import { xsd } from '../../../src/gateway/legacy/contracts/xsd.ts'
import { startGateway } from '../../kit/gateway.ts'
import { askTwins } from './support/documents.ts'
import { xmlFacts } from './support/facts.ts'
import { type SchemaName, schemasOf } from './support/json-schema.ts'

const forms = [
  ...['omit', 'null', 'false', '{}', '[]', 'nulls', 'error', 'refuse'],
  ...['nulls+0', 'nulls+false', 'nulls+0+false', 'zeros', '{"found":false}'],
]
const habits: Readonly<Record<string, string>>[] = [
  ...forms.map((form) => ({ LEGACY_UNKNOWN: form })),
  { LEGACY_UNKNOWN: 'error', LEGACY_ERROR_BODY: 'lower-case', LEGACY_JSON_FLAGS: 'pretty' },
  { LEGACY_UNKNOWN: '{"Error":{"Code":404,"Message":"{message}"}}', LEGACY_UNKNOWN_XML: 'error' },
  { LEGACY_UNKNOWN: 'nulls+false', LEGACY_UNKNOWN_XML: 'unconfirmed' },
  { LEGACY_UNKNOWN: 'zeros', LEGACY_UNKNOWN_XML: 'zeros', LEGACY_BOOLEANS: 'string,strval' },
  { LEGACY_EMPTY: '[]' },
  { LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'null', LEGACY_JSON_FLAGS: 'pretty' },
  { LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'zeros' },
  { LEGACY_EMPTY: 'null' },
  { LEGACY_EMPTY: 'refuse', LEGACY_UNKNOWN: 'null' },
  { LEGACY_EMPTY: 'refuse', LEGACY_UNKNOWN_STATUS: '200' },
  { LEGACY_NUMBERS: 'string', LEGACY_BOOLEANS: 'string' },
  { LEGACY_NUMBERS: 'string,Id=number,Category=number', LEGACY_UNKNOWN: 'zeros' },
  { LEGACY_XML_ROOT: `version="1.0" by='x'`, LEGACY_UNKNOWN: 'null' },
  { LEGACY_BOOLEANS: 'integer' },
  { LEGACY_BOOLEANS: 'strval' },
  { LEGACY_BOOLEANS: 'integer,strval' },
  { LEGACY_JSON_FLAGS: 'unescaped-unicode,newline,spaced' },
  {
    ...{ LEGACY_JSON_FLAGS: 'numeric-check', LEGACY_NUMBERS: 'string', LEGACY_BOOLEANS: 'string,strval' },
    ...{ LEGACY_UNKNOWN: '{"No":"7","Error":"{message}"}', LEGACY_UNKNOWN_TEXT: '{value}' },
    ...{ LEGACY_ERROR_TEXTS: 'UnknownEvent=404', LEGACY_ERROR_CODES: 'UnknownEvent=1' },
  },
  { LEGACY_JSON_FLAGS: 'numeric-check', LEGACY_UNKNOWN: 'zeros', LEGACY_ERROR_BODY: 'text' },
  { LEGACY_JSON_FLAGS: 'indent-2,sorted,hex-tag-lower', LEGACY_UNKNOWN: 'nulls' },
  { LEGACY_FIELDS: 'Username,Id', LEGACY_UNKNOWN: 'nulls', LEGACY_UNKNOWN_XML: 'empty-fields' },
  { LEGACY_ERROR_BODY: 'text', LEGACY_ERROR_STATUS: '422', LEGACY_ERROR_TEXTS: 'UnknownEvent=Nö' },
  { LEGACY_ERROR_BODY: 'lower-case', LEGACY_ERROR_STATUS: '200', LEGACY_JSON_TYPE: 'application/xml' },
]

describe.each(habits)('%j', (settings) => {
  const { dialect } = readConfig({ flags: settings })
  const document = openapi(dialect)

  test('a linter finds nothing wrong with it', async () => {
    // Where every status is 200, there is no other.
    const rules = settings.LEGACY_ERROR_STATUS === '200' ? { 'operation-4xx-response': 'off' as const } : {}
    const config = await createConfig({ extends: ['recommended-strict'], rules })
    const problems = await lintFromString({ source: document, config })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  test('its schemas describe what is answered', async () => {
    const gateway = await startGateway(settings)
    onTestFinished(gateway.close)
    const queries = [
      'ProfileLookup&Users=1:2',
      'ProfileLookup&Users=1:999',
      'ProfileLookup&Users=0:1',
      'AppLookup&Apps=999',
      'Nope',
    ]
    const twins = await askTwins(
      gateway,
      queries.map((query) => `Event=${query}`),
    )
    const complaints = schemasOf(document)
    for (const { query, json } of twins) {
      const isRefusal = /^\s*\{\s*"error":/i.test(json)
      const event = query.includes('AppLookup') ? 'AppLookup' : 'ProfileLookup'
      const name: SchemaName = isRefusal ? 'Refusal' : event
      expect(complaints(name, JSON.parse(fromBytes(json))), query).toEqual([])
    }
    const facts = await xmlFacts(
      twins.map(({ xml }) => xml),
      xsd(dialect),
    )
    expect(facts).toHaveLength(queries.length)
  })
})

test.for<[Readonly<Record<string, string>>, answer: unknown]>([
  [{ LEGACY_UNKNOWN: 'false' }, { 1: null }],
  [{ LEGACY_UNKNOWN: '{}' }, { 1: { Title: 'a' } }],
  [{ LEGACY_UNKNOWN: '[]' }, { 1: {} }],
  [{ LEGACY_UNKNOWN: 'nulls' }, { 1: { Title: null } }],
  [{ LEGACY_UNKNOWN: '{"gone":true}' }, { 1: { gone: 'yes' } }],
  [{ LEGACY_UNKNOWN: 'error' }, { 1: { error: 'a' } }],
  [{ LEGACY_UNKNOWN: 'refuse' }, {}],
  [{ LEGACY_EMPTY: 'refuse' }, {}],
  [{ LEGACY_EMPTY: 'none' }, {}],
  [{}, []],
  [{ LEGACY_EMPTY: '[]' }, [null]],
  [{ LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'null' }, [false]],
  [{ LEGACY_EMPTY: '{}', LEGACY_UNKNOWN: 'null' }, [null]],
])('with %j there is no answer %j', ([flags, answer]) => {
  expect(schemasOf(openapi(readConfig({ flags }).dialect))('AppLookup', answer)).not.toEqual([])
})

test('where both formats have one media type, either may come', () => {
  const document = JSON.parse(openapi(readConfig({ flags: { LEGACY_JSON_TYPE: 'application/xml' } }).dialect))
  const { content } = document.paths['/'].get.responses[200]
  expect(Object.keys(content)).toEqual(['application/xml'])
  const { schema, examples } = content['application/xml']
  expect(schema.anyOf).toHaveLength(4)
  expect(Object.keys(examples)).toEqual(['ProfileLookup', 'AppLookup', 'ProfileLookup-XML', 'AppLookup-XML'])
})

const typeOfText = { type: 'string', description: 'For people; its wording may change.' }

test.for<[Readonly<Record<string, string>>, Readonly<Record<string, unknown>>]>([
  [
    { LEGACY_ERROR_BODY: '{"status":{status},"error":"{message}"}' },
    {
      'application/json': {
        type: 'object',
        required: ['status', 'error'],
        properties: { status: { type: 'number' }, error: { type: 'string' } },
      },
    },
  ],
  [{ LEGACY_ERROR_BODY: 'ERROR: {message}' }, { 'text/plain': typeOfText }],
  [
    { LEGACY_ERROR_BODY: 'none', LEGACY_ERROR_TYPE: 'text/html' },
    { 'text/html': { type: 'string', maxLength: 0 } },
  ],
])('with %j refusals are described as what they are', async ([flags, expected]) => {
  const source = openapi(readConfig({ flags }).dialect)
  const config = await createConfig({ extends: ['recommended-strict'] })
  expect(await lintFromString({ source, config })).toEqual([])
  const document = JSON.parse(source)
  const { content } = document.paths['/'].get.responses[400]
  expect(Object.keys(content)).toEqual(Object.keys(expected))
  expect(document.components.schemas.Refusal).toEqual(Object.values(expected)[0])
  expect(document.components.schemas.RefusalXml).toEqual(Object.values(expected)[0])
})
