// The published schemas hold for what is answered, and would notice what is wrong. That XML answers are valid
// is checked in parsers.test.ts, while they are read.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { legacyEvents } from '../../../src/gateway/legacy/events/index.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { caseData, cases } from './support/cases.ts'
import { askTwins, goldenAnswers, publishedOpenApi, publishedXsd, type Twins } from './support/documents.ts'
import { xmlFacts } from './support/facts.ts'
import { type SchemaName, schemasOf } from './support/json-schema.ts'

const complaints = schemasOf(publishedOpenApi)

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
      const name: SchemaName = refusal
        ? 'Refusal'
        : query.includes('AppLookup')
          ? 'AppLookup'
          : 'ProfileLookup'
      expect(complaints(name, JSON.parse(json)), query).toEqual([])
    }
    expect(twins.filter(({ json }) => json.startsWith('{"Error":')).length).toBeGreaterThan(3)
  })

  test('describes every golden JSON answer', () => {
    for (const { name, request, response } of cases) {
      if (response.startsWith('<?xml')) continue
      const event = request.includes('AppLookup') ? 'AppLookup' : 'ProfileLookup'
      expect(complaints(event, JSON.parse(response)), name).toEqual([])
    }
  })

  const entry = { Title: 'A', Version: '1.0.0', Category: 1, ChangelogLink: 'a', ServiceDownloadLink: 'b' }
  test.for<[name: string, answer: unknown, complaint: string]>([
    ['a list', [], ' must be object'],
    ['a missing entry', { 1: null }, '/1 must be object'],
    ['a missing field', { 1: { ...entry, Title: undefined } }, "/1 must have required property 'Title'"],
    ['a number as text', { 1: { ...entry, Category: '1' } }, '/1/Category must be integer'],
    ['a fraction', { 1: { ...entry, Category: 1.5 } }, '/1/Category must be integer'],
    ['an entry of the other event', { 1: { Id: 1 } }, "/1 must have required property 'Title'"],
  ])('refuses %s', ([, answer, complaint]) => {
    expect(complaints('AppLookup', answer)).toContain(complaint)
  })

  test('refuses an error code that is not in the table', () => {
    const answer = { Error: { Code: 'Nonsense', Message: '' } }
    expect(complaints('Refusal', answer)).toHaveLength(1)
  })
})

test('each event has one list, which is the parameter that its values are in', () => {
  for (const { name, parameters, example, parse } of legacyEvents(readConfig({}).dialect)) {
    const lists = parameters.filter(({ list }) => list)
    expect(lists, name).toHaveLength(1)
    const { values } = parse((one) => (one === lists[0]?.name ? example.values.join(':') : undefined))
    expect(values, name).toEqual(example.values)
  }
})

test('each event begins with a field of its own: an XML Schema tells its entries by that', () => {
  const firsts = legacyEvents(readConfig({}).dialect).map(({ fields }) => fields[0]?.name)
  expect(new Set(firsts).size).toBe(firsts.length)
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
