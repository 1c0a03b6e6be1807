// The published schemas hold for what is answered, and would notice what is wrong. That XML answers are valid is
// checked in parsers.test.ts, while they are read.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openapi } from '../../src/legacy/contracts/openapi.ts'
import { xsd } from '../../src/legacy/contracts/xsd.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { caseData, cases } from './support/cases.ts'
import { askTwins, goldenAnswers, publishedOpenApi, publishedXsd, type Twins } from './support/documents.ts'
import { jsonFacts, sorted, xmlFacts } from './support/facts.ts'
import { complaints } from './support/json-schema.ts'

type SchemaName = 'ProfileLookup' | 'AppLookup' | 'Refusal'

function schemaNamed(document: string, name: SchemaName): unknown {
  return JSON.parse(document).components.schemas[name]
}

describe('legacy.openapi.json', () => {
  let gateway: Gateway
  let twins: Twins[]
  beforeAll(async () => {
    gateway = await startGateway({}, caseData)
    twins = await askTwins(gateway)
  })
  afterAll(() => gateway.close())

  test('describes every JSON answer', () => {
    for (const { query, json } of twins) {
      const refusal = json.startsWith('{"Error":')
      const name = refusal ? 'Refusal' : query.includes('AppLookup') ? 'AppLookup' : 'ProfileLookup'
      expect(complaints(JSON.parse(json), schemaNamed(publishedOpenApi, name)), query).toEqual([])
    }
    expect(twins.filter(({ json }) => json.startsWith('{"Error":')).length).toBeGreaterThan(3)
  })

  test('describes every golden JSON answer', () => {
    for (const { name, request, response } of cases) {
      if (response.startsWith('<?xml')) continue
      const event = request.includes('AppLookup') ? 'AppLookup' : 'ProfileLookup'
      expect(complaints(JSON.parse(response), schemaNamed(publishedOpenApi, event)), name).toEqual([])
    }
  })

  const entry = { Title: 'A', Version: '1.0.0', Category: 1, ChangelogLink: 'a', ServiceDownloadLink: 'b' }
  test.for<[name: string, answer: unknown, complaint: string]>([
    ['a list', [], '$: not object'],
    ['a missing entry', { 1: null }, '$.1: not object'],
    ['a missing field', { 1: { ...entry, Title: undefined } }, '$.1.Title: not string'],
    ['a number as text', { 1: { ...entry, Category: '1' } }, '$.1.Category: not integer'],
    ['a fraction', { 1: { ...entry, Category: 1.5 } }, '$.1.Category: not integer'],
    ['an entry of the other event', { 1: { Id: 1 } }, '$.1: no Title'],
  ])('refuses %s', ([, answer, complaint]) => {
    expect(complaints(answer, schemaNamed(publishedOpenApi, 'AppLookup'))).toContain(complaint)
  })

  test('refuses an error code that is not in the table', () => {
    const answer = { Error: { Code: 'Nonsense', Message: '' } }
    expect(complaints(answer, schemaNamed(publishedOpenApi, 'Refusal'))).toHaveLength(1)
  })
})

describe('legacy.xsd', () => {
  const golden = goldenAnswers('XML').find((body) => body.includes('<Banned>1</Banned>')) ?? ''
  test.for([
    ['another root', /ServiceAPI/g, 'OtherAPI'],
    ['a missing field', /<Rank>.*?<\/Rank>/, ''],
    ['fields in another order', /(<Id>.*?<\/Id>)(<Username>.*?<\/Username>)/, '$2$1'],
    ['a word for a boolean', /<IsConfirmed>1</, '<IsConfirmed>true<'],
    ['0 for not banned', /<Banned\/>/, '<Banned>0</Banned>'],
    ['a missing Value', / Value="[^"]*"/, ''],
    ['a value that matches nothing', /<Data Value="[^"]*">.*?<\/Data>/, '<Data Value="1"/>'],
    ['an error beside data', /<\/ServiceAPI>/, '<Error><Code/><Message/></Error></ServiceAPI>'],
  ] as const)('refuses %s', async ([, from, to]) => {
    expect(golden).toMatch(from)
    await expect(xmlFacts([golden.replace(from, to)], publishedXsd)).rejects.toThrow(/Schemas validity error/)
  })
})

test('the schemas of another dialect describe its answers', async () => {
  const settings = { LEGACY_SERVICE_NAME: 'Acme_2', LEGACY_UNKNOWN: 'null', LEGACY_CHAT_METHOD: 'talk' }
  const { dialect } = readConfig({ flags: settings })
  const gateway = await startGateway(settings, caseData)
  try {
    const queries = ['Event=ProfileLookup&Users=1:999', 'Event=AppLookup&Apps=999:1', 'Event=AppLookup']
    const [users, apps, refusal] = await askTwins(gateway, queries)
    const checked = [
      [users, 'ProfileLookup'],
      [apps, 'AppLookup'],
      [refusal, 'Refusal'],
    ] as const
    for (const [twins, name] of checked) {
      const { json, xml } = twins ?? { json: '', xml: '' }
      expect(complaints(JSON.parse(json), schemaNamed(openapi(dialect), name))).toEqual([])
      const [facts = []] = await xmlFacts([xml], xsd(dialect))
      expect(sorted(facts)).toEqual(jsonFacts(json))
    }
  } finally {
    await gateway.close()
  }
})
