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
import { codeOf, get, type Params, post, type Result } from './client.ts'

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

describe.each([
  ['beside others', {}],
  ['alone', { GRAPHQL_ONLY_DOCUMENTS: 'on' }],
])('trusted documents, %s,', (_how, settings) => {
  let gateway: Gateway
  beforeAll(async () => {
    save(documents)
    gateway = await startGateway({ GRAPHQL_DOCUMENTS: manifest, ...settings })
  })
  afterAll(() => gateway.close())

  const ask = (params: Params & { readonly documentId?: string }, type?: string) =>
    post(gateway, JSON.stringify(params), type)
  const asked = [
    ['documentId with its prefix', { documentId: `sha256:${sha256(names)}` }],
    ['documentId without', { documentId: sha256(names) }],
    ['hash with its prefix', persisted(`sha256:${sha256(names)}`)],
    ['hash without', persisted(sha256(names))],
    ['hash beside the query', { query: names, ...persisted(sha256(names)) }],
    ['text', { query: names }],
  ] as const

  test.each(asked)('are answered by their %s', async (_what, named) => {
    for (const type of ['application/json', 'application/graphql+json'])
      for (let use = 0; use < 4; use++)
        expect(await ask({ ...named, ...askNames }, type)).toMatchObject({ status: 200, data: ada })
    const search = Object.fromEntries(
      Object.entries({ ...named, ...askNames }).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    expect(await get(gateway, search)).toMatchObject({ status: 200, data: ada })
  })

  test('are answered by an id of any kind, or by what they hash to', async () => {
    const variables = { ids: ['1'] }
    for (const named of [
      { documentId: 'titles' },
      persisted('titles'),
      persisted(sha256(titles)),
      { query: titles, ...persisted('titles') },
    ])
      expect((await ask({ ...named, variables })).data).toEqual({ apps: [{ title: 'Pocket Almanac' }] })
  })

  test('are said to have been read', () => {
    expect(gateway.observations).toContainEqual({ type: 'documents-read', path: manifest, count: 2 })
  })
})

describe('GRAPHQL_ONLY_DOCUMENTS', () => {
  let gateway: Gateway
  beforeAll(async () => {
    save(documents)
    gateway = await startGateway({ GRAPHQL_DOCUMENTS: manifest, GRAPHQL_ONLY_DOCUMENTS: 'on' })
  })
  afterAll(() => gateway.close())

  const refused: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['another query', { query: other, ...askNames }],
    ['one that differs in a blank', { query: `${names} `, ...askNames }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['__typename', { query: '{ __typename }' }],
    ['a syntax error', { query: '{' }],
    ['an unknown hash', persisted(sha256(other))],
    ['a registration', { query: other, ...persisted(sha256(other)), ...askNames }],
    ['a registration with the hash of a trusted document', { query: other, ...persisted(sha256(names)) }],
    ['an unknown id', { documentId: 'nothing' }],
    ['__proto__', { documentId: '__proto__' }],
    ['constructor', persisted('constructor')],
  ]
  test.each(refused)('refuses %s', async (_what, params) => {
    const about = { status: 400, errors: [{ extensions: { code: 'DOCUMENT_NOT_TRUSTED' } }] }
    const body = JSON.stringify(params)
    const fast = await post(gateway, body)
    expect(fast).toMatchObject(about)
    expect((await post(gateway, body, 'application/graphql+json')).text).toBe(fast.text)
    const search = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    expect((await get(gateway, search)).text).toBe(fast.text)
    // What is refused is not kept, either.
    expect(codeOf(await post(gateway, JSON.stringify(persisted(sha256(other)))))).toBe('DOCUMENT_NOT_TRUSTED')
  })

  test('refuses a query that comes in another way', async () => {
    for (const [body, type] of [
      [`query=${encodeURIComponent('{ __typename }')}`, 'application/x-www-form-urlencoded'],
      ['{ __typename }', 'application/graphql'],
      ['{"query": "{ __typename }", "more": 1}', 'application/json'],
    ])
      expect(codeOf(await post(gateway, body ?? '', type))).toBe('DOCUMENT_NOT_TRUSTED')
    const batch: Result = await post(gateway, '[{"query": "{ __typename }"}]')
    expect(batch.status).toBe(400)
    expect(batch.text).not.toContain('Query"')
  })

  test('leaves a wrong hash of a trusted document wrong', async () => {
    const asked = await post(
      gateway,
      JSON.stringify({ query: names, ...persisted(sha256(other)), ...askNames }),
    )
    expect([asked.status, codeOf(asked)]).toEqual([400, 'PERSISTED_QUERY_MISMATCH'])
  })

  test('leaves the legacy interface as it is', async () => {
    expect((await fetch(`${gateway.url}/?Event=ProfileLookup&Users=1`)).status).toBe(200)
  })

  test('counts what is refused under a name of its own', () => {
    const outcomes = gateway.observations.flatMap((one) =>
      one.type === 'request' ? [one.about.outcome] : [],
    )
    expect(outcomes).toContain('DocumentNotTrusted')
  })

  test('needs a manifest', () => {
    expect(() => readConfig({ environment: { GRAPHQL_ONLY_DOCUMENTS: 'on' } })).toThrow(
      new ConfigError([
        'GRAPHQL_ONLY_DOCUMENTS=on needs GRAPHQL_DOCUMENTS: the manifest of these documents.',
      ]),
    )
  })

  test('is not for a subgraph', () => {
    const environment = { GRAPHQL_DOCUMENTS: manifest, GRAPHQL_ONLY_DOCUMENTS: 'on', FEDERATION: 'on' }
    expect(() => readConfig({ environment })).toThrow(
      new ConfigError([
        'FEDERATION=on needs GRAPHQL_ONLY_DOCUMENTS=off: ' +
          'a router writes queries of its own, which no manifest has.',
      ]),
    )
  })
})

const limits = { introspection: true, tokens: 1000, depth: 6, aliases: 15, fields: 10_000 }
const read = createReader(schema, limits)

test.each([
  [
    'a syntax error',
    '{ users( }',
    'Syntax Error: Expected Name, found "}". (line 1, column 10 of the document)',
  ],
  ['an unknown field', '{\n  nothing\n}', '"nothing" on type "Query". (line 2, column 3 of the document)'],
  ['too many tokens', `{ ${'a: __typename '.repeat(1000)}}`, '1000 tokens'],
])('a manifest is refused for %s', async (_what, wrong, reason) => {
  save({ names, seventh: wrong, last: titles })
  const refused = openTrustedDocuments(manifest, read, () => {})
  await expect(refused).rejects.toThrow(ConfigError)
  await expect(refused).rejects.toThrow(`  ${manifest}: the document "seventh": `)
  await expect(refused).rejects.toThrow(reason)
})

test('of many faults, ten are named', async () => {
  save(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`d${index}`, '{'])))
  const refused = openTrustedDocuments(manifest, read, () => {})
  await expect(refused).rejects.toThrow(/(?:\n .*: the document "d\d": .*){10}\n .* and 15 more\.$/)
})

test('a manifest that is not there is a complaint', async () => {
  const refused = openTrustedDocuments('/nowhere/documents.json', read, () => {})
  await expect(refused).rejects.toThrow(ConfigError)
  await expect(refused).rejects.toThrow('/nowhere/documents.json: ENOENT')
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
