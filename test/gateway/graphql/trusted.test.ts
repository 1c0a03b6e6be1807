// Trusted documents: those of GRAPHQL_DOCUMENTS, and GRAPHQL_ONLY_DOCUMENTS, which refuses all others.

import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../../src/config.ts'
import { createDocuments, createReader, type ReadQuery } from '../../../src/gateway/graphql/documents.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { openTrustedDocuments } from '../../../src/gateway/graphql/trusted.ts'
import type { Observation } from '../../../src/observation.ts'
import { type Gateway, startGateway, temporaryFolder } from '../../kit/gateway.ts'
import { twins } from '../../kit/twins.ts'
import { ask, codeOf, dataOf, get, type Params, post } from './client.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const manifest = join(folder.path, 'documents.json')
const save = (documents: Readonly<Record<string, string>>) =>
  writeFileSync(manifest, JSON.stringify(documents))

const sha256 = (text: string) => hash('sha256', text, 'hex')
const names = 'query Names($v: [String!]!) { users(values: $v) { username } }'
const titles = 'query Titles($ids: [ID!]!) { apps(ids: $ids) { title } }'
const other = 'query Names($v: [String!]!) { users(values: $v) { id } }'
const documents = { [`sha256:${sha256(names)}`]: names, titles }
const persisted = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } })

const askNames = { variables: { v: ['1'] } }
const ada = { users: [{ username: 'Ada' }] }

let beside: Gateway
let alone: Gateway
beforeAll(async () => {
  save(documents)
  beside = await startGateway({ GRAPHQL_DOCUMENTS: manifest })
  alone = await startGateway({ GRAPHQL_DOCUMENTS: manifest, GRAPHQL_ONLY_DOCUMENTS: 'on' })
})
afterAll(async () => {
  await beside.close()
  await alone.close()
})

test.each<[what: string, named: Params]>([
  ['documentId with its prefix', { documentId: `sha256:${sha256(names)}` }],
  ['documentId without', { documentId: sha256(names) }],
  ['hash with its prefix', persisted(`sha256:${sha256(names)}`)],
  ['hash without', persisted(sha256(names))],
  ['hash beside the query', { query: names, ...persisted(sha256(names)) }],
  ['text', { query: names }],
])('trusted documents are answered by their %s', async (_what, named) => {
  const params = { ...named, ...askNames }
  for (const gateway of [beside, alone]) {
    for (const type of ['application/json', 'application/graphql+json'])
      expect(await post(gateway, JSON.stringify(params), type)).toMatchObject({ status: 200, data: ada })
    expect(await get(gateway, params)).toMatchObject({ status: 200, data: ada })
    expect(gateway.observations).toContainEqual({ type: 'documents-read', path: manifest, count: 2 })
  }
})

test('trusted documents are answered by an id of any kind, or by what they hash to', async () => {
  const variables = { ids: ['1'] }
  for (const named of [
    { documentId: 'titles' },
    persisted('titles'),
    persisted(sha256(titles)),
    { query: titles, ...persisted('titles') },
  ])
    expect(await dataOf(alone, { ...named, variables })).toEqual({ apps: [{ title: 'Pocket Almanac' }] })
})

describe('GRAPHQL_ONLY_DOCUMENTS', () => {
  test.each<[what: string, params: Params]>([
    ['another query', { query: other, ...askNames }],
    ['one that differs in a blank', { query: `${names} `, ...askNames }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['a syntax error', { query: '{' }],
    ['an unknown hash', persisted(sha256(other))],
    ['a registration', { query: other, ...persisted(sha256(other)), ...askNames }],
    ['a registration with the hash of a trusted document', { query: other, ...persisted(sha256(names)) }],
    ['an unknown id', { documentId: 'nothing' }],
    ['__proto__', { documentId: '__proto__' }],
  ])('refuses %s', async (_what, params) => {
    const refusal = { status: 400, errors: [{ extensions: { code: 'DOCUMENT_NOT_TRUSTED' } }] }
    const body = JSON.stringify(params)
    expect(await post(alone, body)).toMatchObject(refusal)
    expect(await post(alone, body, 'application/graphql+json')).toMatchObject(refusal)
    expect(await get(alone, params)).toMatchObject(refusal)
    // What is refused is not kept, either.
    expect(await post(alone, JSON.stringify(persisted(sha256(other))))).toMatchObject(refusal)
  })

  test('refuses a query that comes in another way', async () => {
    for (const [body, type] of [
      [`query=${encodeURIComponent('{ __typename }')}`, 'application/x-www-form-urlencoded'],
      ['{ __typename }', 'application/graphql'],
      ['{"query": "{ __typename }", "more": 1}', 'application/json'],
    ])
      expect(codeOf(await post(alone, body ?? '', type))).toBe('DOCUMENT_NOT_TRUSTED')
    const batch = await post(alone, '[{"query": "{ __typename }"}]')
    expect(batch.status).toBe(400)
    expect(batch.text).not.toContain('Query"')
  })

  test('leaves a wrong hash of a trusted document wrong', async () => {
    const asked = await ask(alone, { query: names, ...persisted(sha256(other)), ...askNames })
    expect([asked.status, codeOf(asked)]).toEqual([400, 'PERSISTED_QUERY_MISMATCH'])
  })

  test('leaves the legacy interface as it is', async () => {
    expect((await fetch(`${alone.url}/?Event=ProfileLookup&Users=1`)).status).toBe(200)
  })

  test('counts what is refused under a name of its own', () => {
    const outcomes = alone.observations.flatMap((one) => (one.type === 'request' ? [one.about.outcome] : []))
    expect(outcomes).toContain('DocumentNotTrusted')
  })

  test('needs a manifest, and is not for a subgraph', () => {
    const only = { GRAPHQL_ONLY_DOCUMENTS: 'on' }
    expect(() => readConfig({ environment: only })).toThrow(ConfigError)
    const environment = { ...only, GRAPHQL_DOCUMENTS: manifest, FEDERATION: 'on' }
    expect(() => readConfig({ environment })).toThrow(ConfigError)
  })
})

const limits = { introspection: true, tokens: 1000, depth: 6, aliases: 15, fields: 10_000 }
const read = createReader(schema, limits)

test('a manifest is refused with its file, the document and what is wrong', async () => {
  save({ names, seventh: '{\n  nothing\n}', last: titles })
  const refused = openTrustedDocuments(manifest, read, () => {})
  await expect(refused).rejects.toThrow(ConfigError)
  await expect(refused).rejects.toThrow(
    `  ${manifest}: the document "seventh": Cannot query field "nothing" on type "Query". (line 2, column 3 of`,
  )
})

test('of many faults, ten are named', async () => {
  save(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`d${index}`, '{'])))
  const refused = openTrustedDocuments(manifest, read, () => {})
  await expect(refused).rejects.toThrow(/(?:\n .*: the document "d\d": .*){10}\n .* and 15 more\.$/)
})

test('a manifest is read again, of which only what is new is checked; a wrong one changes nothing', async () => {
  const checked: string[] = []
  const noting: ReadQuery = (text) => {
    checked.push(text)
    return read(text)
  }
  const observed: Observation[] = []
  save({ names })
  const trusted = await openTrustedDocuments(manifest, noting, (one) => observed.push(one))
  save({ other, names })
  await trusted.reload()
  expect(checked).toEqual([names, other])
  expect([trusted.find('other'), trusted.find('names'), trusted.has(other)]).toEqual([other, names, true])
  save({ titles, wrong: '{' })
  await expect(trusted.reload()).rejects.toThrow('documents.json: the document "wrong": Syntax Error')
  expect([trusted.find('titles'), trusted.find('names')]).toEqual([undefined, names])
  save({ titles })
  await trusted.reload()
  expect([trusted.find('titles'), trusted.find('names'), trusted.has(names)]).toEqual([
    titles,
    undefined,
    false,
  ])
  expect(observed.map((one) => one.type === 'documents-read' && one.count)).toEqual([1, 2, 1])
})

test('requests have their turns while documents are checked', async () => {
  save(
    Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [`d${index}`, `{ a${index}: __typename }`]),
    ),
  )
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  await openTrustedDocuments(manifest, read, () => {})
  clearInterval(counting)
  expect(turns).toBeGreaterThan(5)
})

test('no client pushes a trusted document out: it is read once', () => {
  const times = new Map<string, number>()
  const counting: ReadQuery = (text) => {
    times.set(text, (times.get(text) ?? 0) + 1)
    return read(text)
  }
  const readQuery = createDocuments(counting, (text) => text === names)
  for (let index = 0; index < 2_000; index++) {
    for (const text of [names, `{ a${index}: __typename } #${'x'.repeat(10_000)}`]) readQuery(text)
    readQuery(`{ b${index}: nothing }`)
  }
  expect(times.get(names)).toBe(1)
  readQuery('{ b0: nothing }')
  expect(times.get('{ b0: nothing }')).toBe(2)
})

test('queries with the same fingerprint are kept apart', () => {
  const [one, other] = twins((index) => `{ a${index}: __typename }`)
  const readQuery = createDocuments(read, () => false)
  for (const query of [one, other, one, other])
    expect(readQuery(query).document).toEqual(read(query).document)
})
