// Trusted documents: those of GRAPHQL_DOCUMENTS, and GRAPHQL_ONLY_DOCUMENTS, which refuses all others.

import { hash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test as plain } from 'vitest'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { createDocuments, createReader, type ReadQuery } from '../../src/graphql/documents.ts'
import { createOperations } from '../../src/graphql/operation.ts'
import { schema } from '../../src/graphql/schema.ts'
import { openTrustedDocuments } from '../../src/graphql/trusted.ts'
import type { Observation } from '../../src/observe/events.ts'
import { test as base } from '../kit/test.ts'
import { twins } from '../kit/twins.ts'
import { ask, codeOf, dataOf, get, type Params, post } from './client.ts'

const sha256 = (text: string) => hash('sha256', text, 'hex')
const names = 'query Names($v: [ID!]!) { users(values: $v) { username } }'
const titles = 'query Titles($ids: [ID!]!) { apps(ids: $ids) { title } }'
const other = 'query Names($v: [ID!]!) { users(values: $v) { id } }'
const persisted = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } })
const askNames = { variables: { v: ['1'] } }

const test = base
  .extend('manifest', ({ place }) => {
    const path = join(place.path, 'documents.json')
    const save = (documents: Readonly<Record<string, string>>) =>
      place.write('documents.json', JSON.stringify(documents))
    save({ [`sha256:${sha256(names)}`]: names, titles })
    return { path, save }
  })
  /** Answers trusted documents alone. */
  .extend('strict', ({ manifest, withSettings }) =>
    withSettings({ GRAPHQL_DOCUMENTS: manifest.path, GRAPHQL_ONLY_DOCUMENTS: 'on' }),
  )

test('a trusted document is named by its hash, its id, or its text', async ({
  manifest,
  strict,
  withSettings,
}) => {
  const open = await withSettings({ GRAPHQL_DOCUMENTS: manifest.path })
  const ada = { status: 200, data: { users: [{ username: 'Ada' }] } }
  for (const gateway of [open, strict]) {
    for (const named of [
      { documentId: `sha256:${sha256(names)}` },
      { documentId: sha256(names) },
      persisted(`sha256:${sha256(names)}`),
      persisted(sha256(names)),
      { query: names, ...persisted(sha256(names)) },
      { query: names },
    ]) {
      const params = { ...named, ...askNames }
      for (const type of ['application/json', 'application/graphql+json'])
        expect(await post(gateway, JSON.stringify(params), type)).toMatchObject(ada)
      expect(await get(gateway, params)).toMatchObject(ada)
    }
    expect(gateway.observations).toContainEqual({ type: 'documents-read', path: manifest.path, count: 2 })
  }
  for (const named of [
    { documentId: 'titles' },
    persisted('titles'),
    persisted(sha256(titles)),
    { query: titles, ...persisted('titles') },
  ])
    expect(await dataOf(strict, { ...named, variables: { ids: ['1'] } })).toEqual({
      apps: [{ title: 'Pocket Almanac' }],
    })
})

describe('GRAPHQL_ONLY_DOCUMENTS', () => {
  test('refuses every other document, and keeps none', async ({ strict }) => {
    const refusal = { status: 400, errors: [{ extensions: { code: 'DOCUMENT_NOT_TRUSTED' } }] }
    for (const params of [
      { query: other, ...askNames },
      { query: `${names} `, ...askNames },
      { query: '{ __schema { queryType { name } } }' },
      { query: '{' },
      persisted(sha256(other)),
      { query: other, ...persisted(sha256(other)), ...askNames },
      { query: other, ...persisted(sha256(names)) },
      { documentId: 'nothing' },
      { documentId: '__proto__' },
    ] satisfies Params[]) {
      const body = JSON.stringify(params)
      for (const refused of [
        await post(strict, body),
        await post(strict, body, 'application/graphql+json'),
        await get(strict, params),
        await post(strict, JSON.stringify(persisted(sha256(other)))),
      ])
        expect(refused, body).toMatchObject(refusal)
    }
    const outcomes = strict.observations.flatMap((one) => (one.type === 'request' ? [one.about.outcome] : []))
    expect(outcomes).toContain('DocumentNotTrusted')
  })

  test.for([
    [`query=${encodeURIComponent('{ __typename }')}`, 'application/x-www-form-urlencoded'],
    ['{ __typename }', 'application/graphql'],
    ['{"query": "{ __typename }", "more": 1}', 'application/json'],
  ] as const)('refuses %s as %s', async ([body, type], { strict }) => {
    expect(codeOf(await post(strict, body, type))).toBe('DOCUMENT_NOT_TRUSTED')
  })

  test('refuses such operations of a batch', async ({ strict }) => {
    const batch = [{ query: '{ __typename }' }, { query: names, ...askNames }]
    const { status, text } = await post(strict, JSON.stringify(batch))
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      [
        { errors: [{ extensions: { code: 'DOCUMENT_NOT_TRUSTED' } }] },
        { data: { users: [{ username: 'Ada' }] } },
      ],
    ])
  })

  test('leaves wrong hashes and the legacy interface as they are', async ({ strict }) => {
    const mismatch = await ask(strict, { query: names, ...persisted(sha256(other)), ...askNames })
    expect([mismatch.status, codeOf(mismatch)]).toEqual([400, 'PERSISTED_QUERY_MISMATCH'])
    expect((await fetch(`${strict.url}/?Event=ProfileLookup&Users=1`)).status).toBe(200)
  })

  test('needs a manifest, and is not for a subgraph', ({ manifest }) => {
    const only = { GRAPHQL_ONLY_DOCUMENTS: 'on' }
    expect(() => readConfig({ environment: only })).toThrow(ConfigError)
    const environment = { ...only, GRAPHQL_DOCUMENTS: manifest.path, FEDERATION: 'on' }
    expect(() => readConfig({ environment })).toThrow(ConfigError)
  })
})

const limits = { introspection: true, tokens: 1000, depth: 6, aliases: 15, fields: 10_000 }
const read = createReader(schema, limits, createOperations(schema))

test('a manifest is refused with its file, the document and its fault', async ({ manifest }) => {
  manifest.save({ names, seventh: '{\n  nothing\n}', last: titles })
  const refused = openTrustedDocuments(manifest.path, read, () => {})
  await expect(refused).rejects.toThrow(ConfigError)
  await expect(refused).rejects.toThrow(
    `  ${manifest.path}: the document "seventh": Cannot query field "nothing" on type "Query".`,
  )
})

test('a reload checks new documents alone, and a wrong manifest changes nothing', async ({ manifest }) => {
  const checked: string[] = []
  const noting: ReadQuery = (text) => {
    checked.push(text)
    return read(text)
  }
  const observed: Observation[] = []
  manifest.save({ names })
  const trusted = await openTrustedDocuments(manifest.path, noting, (one) => observed.push(one))
  manifest.save({ other, names })
  await trusted.reload()
  expect(checked).toEqual([names, other])
  expect([trusted.find('other'), trusted.find('names'), trusted.has(other)]).toEqual([other, names, true])
  manifest.save({ titles, wrong: '{' })
  await expect(trusted.reload()).rejects.toThrow('documents.json: the document "wrong": Syntax Error')
  expect([trusted.find('titles'), trusted.find('names')]).toEqual([undefined, names])
  manifest.save({ titles })
  await trusted.reload()
  expect([trusted.find('titles'), trusted.find('names')]).toEqual([titles, undefined])
  expect(trusted.has(names)).toBe(false)
  expect(observed.map((one) => one.type === 'documents-read' && one.count)).toEqual([1, 2, 1])
})

test('requests are served while documents are checked', async ({ manifest }) => {
  manifest.save({ names, titles, other })
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const slow: ReadQuery = (text) => {
    const end = performance.now() + 10
    while (performance.now() < end);
    return read(text)
  }
  await openTrustedDocuments(manifest.path, slow, () => {})
  clearInterval(counting)
  expect(turns).toBeGreaterThan(0)
})

plain('documents of clients push no trusted document out of the cache', () => {
  const times = new Map<string, number>()
  const counting: ReadQuery = (text) => {
    times.set(text, (times.get(text) ?? 0) + 1)
    return read(text)
  }
  const readQuery = createDocuments(counting, (text) => text === names)
  const first = '{ b0: nothing }'
  for (let index = 0; index < 15; index++)
    for (const text of [
      names,
      `{ b${index}: nothing }`,
      `{ a${index}: __typename } #${'x'.repeat(1_000_000)}`,
    ])
      readQuery(text)
  expect([times.get(names), times.get(first)]).toEqual([1, 1])
  readQuery(first)
  expect(times.get(first)).toBe(2)
})

plain('queries with the same fingerprint are kept apart', () => {
  const [one, other] = twins((index) => `{ a${index}: __typename }`)
  const readQuery = createDocuments(read, () => false)
  for (const query of [one, other, one, other])
    expect(readQuery(query).document).toEqual(read(query).document)
})
