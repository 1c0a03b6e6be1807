// The OpenAPI file is one that other tools accept, and its examples are what is really answered.

import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { legacyFailureCodes } from '../../../src/errors.ts'
import { openapi } from '../../../src/gateway/legacy/contracts/openapi.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { cases } from './support/cases.ts'
import { publishedOpenApi } from './support/documents.ts'

interface MediaType {
  readonly examples: Readonly<Record<string, { readonly description: string }>>
}
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly example?: string }[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, MediaType>>; readonly headers?: object }>
  >
}

const operationOf = (document: string): Operation => JSON.parse(document).paths['/'].get
const operation = operationOf(publishedOpenApi)

/** The bytes of an example. */
function bytes(status: number, type: string, name: string): string {
  const { description = '' } = operation.responses[status]?.content?.[type]?.examples[name] ?? {}
  return /^```\w+\n(.*)\n```$/s.exec(description)?.[1] ?? ''
}

describe('a linter finds nothing wrong', () => {
  const lint = async (source: string, rules = {}) => {
    const config = await createConfig({ extends: ['recommended-strict'], rules })
    const problems = await lintFromString({ source, config })
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
  }
  test.each<Readonly<Record<string, string>>>([
    {},
    { LEGACY_UNKNOWN: 'null', LEGACY_SERVICE_NAME: 'Acme' },
    { LEGACY_LIST: 'colon-comma', LEGACY_KEYS: 'id', LEGACY_ORDER: 'id', LEGACY_DUPLICATES: 'each' },
    { LEGACY_ORDER: 'Username nocase desc', LEGACY_APPS_ORDER: 'Title' },
    { LEGACY_UNKNOWN_XML: 'empty-fields', LEGACY_XML_STYLE: 'plain', LEGACY_XML_TYPE: 'text/xml' },
    { LEGACY_UNKNOWN_XML: 'error', LEGACY_XML_TYPE: 'application/json' },
    { LEGACY_MALFORMED: 'unknown', LEGACY_MAX_VALUES: '1', LEGACY_CHAT_METHOD: 'talk' },
  ])('%j', async (flags) => {
    expect(await lint(openapi(readConfig({ flags }).dialect))).toEqual([])
  })

  test('where every status is 200, but that there is no other', async () => {
    const { dialect } = readConfig({ flags: { LEGACY_ERROR_STATUS: '200' } })
    expect(await lint(openapi(dialect), { 'operation-4xx-response': 'off' })).toEqual([])
  })

  test('and would find something', async () => {
    expect(await lint(publishedOpenApi.replace('"Code": "UnknownEvent"', '"Code": 1'))).not.toEqual([])
  })
})

describe('its examples', () => {
  const golden = (request: string) => cases.find((known) => known.request === request)?.response.trimEnd()

  test.each([
    ['ProfileLookup', 'Users'],
    ['AppLookup', 'Apps'],
  ])('of %s are golden cases, in both formats', (event, list) => {
    const { example } = operation.parameters.find(({ name }) => name === list) ?? {}
    const request = `/?Event=${event}&${list}=${example}`
    expect(bytes(200, 'application/json', event)).toBe(golden(request))
    expect(bytes(200, 'application/xml', event)).toBe(golden(`${request}&Format=XML`))
    expect(golden(request)).toBeDefined()
  })

  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  const ask = 'Event=ProfileLookup&Users=1:2:3'
  test.each([
    ['MissingParameter', 'Event=ProfileLookup'],
    ['RepeatedParameter', `${ask}&Users=4`],
    ['UnknownEvent', ask.toLowerCase().replace('event', 'Event').replace('users', 'Users')],
    ['UnknownMethod', `${ask}&MethodOfAccessingUserInformation=email`],
    ['MalformedIdentifier', 'Event=ProfileLookup&Users=ada'],
    ['TooManyValues', `Event=ProfileLookup&Users=${Array.from({ length: 1001 }, (_, id) => id).join(':')}`],
    ['MalformedQuery', `${ask}%`],
  ])('of %s is what is answered, in both formats', async (code, query) => {
    const read = async (format: string) => (await fetch(`${gateway.url}/?Format=${format}&${query}`)).text()
    expect(bytes(400, 'application/json', code)).toBe((await read('JSON')).trimEnd())
    expect(bytes(400, 'application/xml', code)).toBe((await read('XML')).trimEnd())
  })

  test('are of every error, each under its status', () => {
    const refused = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
    for (const type of ['application/json', 'application/xml']) {
      const codes = refused.flatMap(([, { content }]) => Object.keys(content?.[type]?.examples ?? {}))
      expect(codes.toSorted()).toEqual([...legacyFailureCodes].toSorted())
    }
    expect(Object.keys(operation.responses)).toEqual(['200', '304', '400', '405', '414', '429', '500', '503'])
    for (const status of [429, 503])
      expect(operation.responses[status]?.headers).toHaveProperty('Retry-After')
  })
})

test.each([{ LEGACY_CHAT_METHOD: 'email' }, { LEGACY_MAX_VALUES: '1' }, { LEGACY_UNKNOWN: 'null' }])(
  'with %j there is every error, too',
  (flags) => {
    const { responses } = operationOf(openapi(readConfig({ flags }).dialect))
    const examples = (status: string) =>
      Object.keys(responses[status]?.content?.['application/json']?.examples ?? {})
    const refused = Object.keys(responses).filter((status) => Number(status) >= 400)
    expect(refused.flatMap(examples).toSorted()).toEqual([...legacyFailureCodes].toSorted())
  },
)

test('where every status is 200, so is every refusal', () => {
  const { responses } = operationOf(openapi(readConfig({ flags: { LEGACY_ERROR_STATUS: '200' } }).dialect))
  expect(Object.keys(responses)).toEqual(['200', '304'])
  expect(Object.keys(responses[200]?.content?.['application/json']?.examples ?? {})).toEqual(
    expect.arrayContaining(['ProfileLookup', 'AppLookup', 'UnknownEvent', 'Unavailable']),
  )
})

test('an example in UTF-8 is a text, under the media type that is set', () => {
  const flags = { LEGACY_XML_STYLE: 'dom', LEGACY_XML_TYPE: 'text/xml; charset=UTF-8' }
  const { responses } = operationOf(openapi(readConfig({ flags }).dialect))
  const { ProfileLookup } = responses[200]?.content?.['text/xml']?.examples ?? {}
  expect(ProfileLookup?.description).toContain('<DisplayName>Søren Ærlig ÿĀ</DisplayName>')
  expect(responses[200]?.content).not.toHaveProperty('application/xml')
})

test('where both formats have one media type, it has the examples of both', () => {
  const { responses } = operationOf(
    openapi(readConfig({ flags: { LEGACY_XML_TYPE: 'application/json' } }).dialect),
  )
  const { examples = {} } = responses[200]?.content?.['application/json'] ?? {}
  expect(Object.keys(examples)).toEqual(['ProfileLookup', 'AppLookup', 'ProfileLookup-XML', 'AppLookup-XML'])
  expect(examples['AppLookup-XML']?.description).toContain('```xml')
  expect(Object.keys(responses[400]?.content?.['application/json']?.examples ?? {})).toEqual(
    expect.arrayContaining(['UnknownEvent', 'UnknownEvent-XML']),
  )
})
