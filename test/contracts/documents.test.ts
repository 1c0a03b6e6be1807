// The published OpenAPI document and XML Schema describe what the gateway sends, and nothing else.

import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect } from 'vitest'
import { legacyFailures } from '../kit/legacy-failures.ts'
import { test } from '../kit/test.ts'
import { ask, inFormat } from '../legacy/support/ask.ts'
import { caseData, cases, formatlessQueries } from '../legacy/support/cases.ts'
import { complaints, publishedOpenApi, publishedXsd } from '../legacy/support/documents.ts'
import { jsonFacts, sorted, xmlFacts } from '../legacy/support/facts.ts'
import { APP, ID } from '../legacy/support/rows.ts'

/** Queries that are refused, some with values that have to be escaped. */
const refused = [
  '',
  `${ID}:`,
  'Event=%3Cb%3E%26amp%3B%22%27%5D%5D%3E%09%0D%0A%01%F0%9F%8C%B8%EF%BF%BE&Users=1',
  `${APP}1:%26%230%3B%5C%2F`,
  `${ID}1&Users=2`,
  `${ID}%FF`,
]

test('JSON and XML have the same facts, and their schemas describe them', async ({ withSettings }) => {
  const { url } = await withSettings({}, caseData)
  const queries = [...formatlessQueries, ...refused]
  const xml: string[] = []
  const expected: unknown[] = []
  for (const query of queries) {
    const { body } = await ask(url, inFormat(query, 'JSON'))
    const name = query.includes('AppLookup') ? 'AppLookup' : 'ProfileLookup'
    const schema = refused.includes(query) ? 'Refusal' : name
    expect.soft(complaints(schema, JSON.parse(body)), query).toEqual([])
    expected.push(jsonFacts(body))
    xml.push((await ask(url, inFormat(query, 'XML'))).body)
  }
  expect(queries.length).toBeGreaterThan(50)
  expect((await xmlFacts(xml, publishedXsd)).map(sorted)).toEqual(expected)
})

describe('legacy.openapi.json', () => {
  const lint = async (source: string) => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source, config })
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
  }

  test('is accepted by a linter, which would find a mistake', async () => {
    expect(await lint(publishedOpenApi)).toEqual([])
    expect(await lint(publishedOpenApi.replace('"Code": "UnknownEvent"', '"Code": 1'))).not.toEqual([])
  })

  const entry = { Title: 'A', Version: '1.0.0', Category: 1, ChangelogLink: 'a', ServiceDownloadLink: 'b' }
  test.for<[answer: unknown, complaint: string]>([
    [[], ' must be object'],
    [{ 1: null }, '/1 must be object'],
    [{ 1: { ...entry, Title: undefined } }, "/1 must have required property 'Title'"],
    [{ 1: { ...entry, Category: '1' } }, '/1/Category must be integer'],
    [{ 1: { ...entry, Title: 'n'.repeat(1_001) } }, '/1/Title must NOT have more than 1000 characters'],
    [{ 1: { Id: 1 } }, "/1 must have required property 'Title'"],
  ])('refuses %j: %s', ([answer, complaint]) => {
    expect(complaints('AppLookup', answer)).toContain(complaint)
  })

  test('refuses an error code that does not exist', () => {
    expect(complaints('Refusal', { Error: { Code: 'Nonsense', Message: '' } })).toHaveLength(1)
  })
})

describe('legacy.xsd', () => {
  const golden = cases.find(({ name }) => name === 'profile-flags, XML')?.response ?? ''
  test.for([
    ['another root', /ServiceAPI/g, 'OtherAPI'],
    ['a missing field', /<Rank>.*?<\/Rank>/, ''],
    ['fields in another order', /(<Id>.*?<\/Id>)(<Username>.*?<\/Username>)/, '$2$1'],
    ['a word for a boolean', /<IsConfirmed>1</, '<IsConfirmed>true<'],
    ['0 for not banned', /<Banned\/>/, '<Banned>0</Banned>'],
    ['a long text', /<DisplayName>/, `<DisplayName>${'n'.repeat(1_001)}`],
    ['a missing Value', / Value="[^"]*"/, ''],
    ['a value that matches nothing', /<Data Value="[^"]*">.*?<\/Data>/, '<Data Value="1"/>'],
    ['an error beside data', /<\/ServiceAPI>/, '<Error><Code/><Message/></Error></ServiceAPI>'],
  ] as const)('refuses %s', async ([, from, to]) => {
    expect(golden).toMatch(from)
    await expect(xmlFacts([golden.replace(from, to)], publishedXsd)).rejects.toThrow(/Schemas validity error/)
  })
})

interface MediaType {
  readonly examples: Readonly<Record<string, { readonly description: string }>>
}
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly example?: string }[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, MediaType>>; readonly headers?: object }>
  >
}

describe('the examples', () => {
  const operation: Operation = JSON.parse(publishedOpenApi).paths['/'].get
  const types = { JSON: 'application/json', XML: 'application/xml' } as const

  /** The bytes of an example. */
  function bytesOf(status: number, format: keyof typeof types, name: string): string {
    const { description = '' } = operation.responses[status]?.content?.[types[format]]?.examples[name] ?? {}
    return /^```\w+\n(.*)\n```$/s.exec(description)?.[1] ?? ''
  }

  const exampleOf = (list: string) => operation.parameters.find(({ name }) => name === list)?.example
  const lookup = `${ID}1:2:3`
  test.for([
    [200, 'ProfileLookup', `${ID}${exampleOf('Users')}`],
    [200, 'AppLookup', `${APP}${exampleOf('Apps')}`],
    [400, 'MissingParameter', 'Event=ProfileLookup'],
    [400, 'RepeatedParameter', `${lookup}&Users=4`],
    [400, 'UnknownEvent', 'Event=profilelookup&Users=1:2:3'],
    [400, 'UnknownMethod', `${lookup}&MethodOfAccessingUserInformation=email`],
    [400, 'MalformedIdentifier', `${ID}ada`],
    [400, 'TooManyValues', ID + Array.from({ length: 1001 }, (_, id) => id).join(':')],
    [400, 'MalformedQuery', `${lookup}%`],
  ] as const)(
    'with %i, of %s, are what the gateway sends',
    async ([status, name, query], { withSettings }) => {
      const { url } = await withSettings({}, caseData)
      for (const format of ['JSON', 'XML'] as const) {
        const { body } = await ask(url, inFormat(query, format))
        expect(bytesOf(status, format, name)).toBe(body.trimEnd())
      }
    },
  )

  test('are there for every error, each under its status', () => {
    const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
    for (const type of Object.values(types)) {
      const codes = errors.flatMap(([, { content }]) => Object.keys(content?.[type]?.examples ?? {}))
      expect(codes.toSorted()).toEqual([...legacyFailures].toSorted())
    }
    expect(Object.keys(operation.responses)).toEqual(['200', '304', '400', '405', '414', '429', '500', '503'])
    for (const status of [429, 503])
      expect(operation.responses[status]?.headers).toHaveProperty('Retry-After')
  })
})
