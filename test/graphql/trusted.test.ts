// Trusted documents: manifests of GRAPHQL_DOCUMENTS, and GRAPHQL_ONLY_DOCUMENTS, which refuses all others.

import { hash } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test as plain } from 'vitest'
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
  for (const gateway of [open, strict]) {
    for (const named of [
      ...[{ documentId: `sha256:${sha256(names)}` }, { documentId: sha256(names) }],
      ...[persisted(`sha256:${sha256(names)}`), persisted(sha256(names))],
      ...[{ query: names, ...persisted(sha256(names)) }, { query: names }],
    ])
      for (const send of [ask, get])
        expect(await send(gateway, { ...named, ...askNames })).toMatchObject({
          ...{ status: 200, data: { users: [{ username: 'Ada' }] } },
        })
    expect(gateway.observations).toContainEqual({ type: 'documents-read', path: manifest.path, count: 2 })
  }
  for (const named of [
    ...[{ documentId: 'titles' }, persisted('titles'), persisted(sha256(titles))],
    { query: titles, ...persisted('titles') },
  ])
    expect(await dataOf(strict, { ...named, variables: { ids: ['1'] } })).toEqual({
      apps: [{ title: 'Pocket Almanac' }],
    })
})

test('GRAPHQL_ONLY_DOCUMENTS refuses every other document, and keeps none', async ({ strict }) => {
  const refusal = { status: 400, errors: [{ extensions: { code: 'DOCUMENT_NOT_TRUSTED' } }] }
  for (const params of [
    ...[{ query: other, ...askNames }, { query: `${names} `, ...askNames }, { query: '{' }],
    ...[{ query: '{ __schema { queryType { name } } }' }, persisted(sha256(other))],
    ...[
      { query: other, ...persisted(sha256(other)) },
      { query: other, ...persisted(sha256(names)) },
    ],
    ...[{ documentId: 'nothing' }, { documentId: '__proto__' }],
  ] satisfies Params[])
    for (const send of [ask, get])
      expect(await send(strict, params), JSON.stringify(params)).toMatchObject(refusal)
  expect(await post(strict, '{ __typename }', 'application/graphql')).toMatchObject(refusal)
  const outcomes = strict.observations.flatMap((one) => (one.type === 'request' ? [one.about.outcome] : []))
  expect(outcomes).toContain('DocumentNotTrusted')

  const batch = await post(strict, JSON.stringify([{ query: other }, { query: names, ...askNames }]))
  expect([batch.status, JSON.parse(batch.text)]).toMatchObject([
    200,
    [{ errors: refusal.errors }, { data: { users: [{ username: 'Ada' }] } }],
  ])
  const mismatch = await ask(strict, { query: names, ...persisted(sha256(other)), ...askNames })
  expect([mismatch.status, codeOf(mismatch)]).toEqual([400, 'PERSISTED_QUERY_MISMATCH'])
  expect((await fetch(`${strict.url}/?Event=ProfileLookup&Users=1`)).status).toBe(200)
})

test('GRAPHQL_ONLY_DOCUMENTS needs a manifest, and is not for a subgraph', ({ manifest }) => {
  const only = { GRAPHQL_ONLY_DOCUMENTS: 'on' }
  expect(() => readConfig({ environment: only })).toThrow(ConfigError)
  const environment = { ...only, GRAPHQL_DOCUMENTS: manifest.path, FEDERATION: 'on' }
  expect(() => readConfig({ environment })).toThrow(ConfigError)
})

const limits = { introspection: true, tokens: 1000, depth: 6, aliases: 15, fields: 10_000 }
const read = createReader(schema, limits, createOperations(schema))
const readAny: ReadQuery = () => ({ document: null, operations: [], errors: [] })

const text = '{ __typename }'
const hashed = sha256(text)
const apollo = (...operations: readonly unknown[]) =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations })
const [a, b] = ['a', 'b'].map((name) => ({ id: name, name, type: 'query', body: `{ ${name} }` }))

test.for<[what: string, content: string, documents: Readonly<Record<string, string>>]>([
  [
    'as graphql-codegen 6.2.0 writes it',
    `{\n  "sha256:${hashed}": "${text}",\n  "other": "{ a }"\n}`,
    { [hashed]: text, other: '{ a }' },
  ],
  ['as generate-persisted-query-manifest 1.4.0 writes it', apollo(a, b, a), { a: '{ a }', b: '{ b }' }],
  [
    'with a byte order mark, escapes, and names that objects inherit',
    '\ufeff{"__proto__": "{ a }", "constructor": "\\u007b b }"}',
    { ['__proto__']: '{ a }', constructor: '{ b }' },
  ],
])('a manifest %s', async ([, content, documents], { manifest, place }) => {
  place.write('documents.json', content)
  const { find } = await openTrustedDocuments(manifest.path, readAny, () => {})
  for (const [id, document] of Object.entries(documents)) expect(find(id)).toBe(document)
})

const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`a${index}`, text]))
const twice = `{"${hashed}": "{ a }", "sha256:${hashed}": "${text}"}`

test.for<[what: string, content: string | Buffer, message: RegExp]>([
  ['no JSON', '{\n"a": "{ a }",\n}', /in JSON at position/],
  ['deep JSON', `{"a": ${'['.repeat(30_000)}`, /nested more than 10 levels/],
  ['a list', '["{ a }"]', /expected an object/],
  ['no documents', '{}', /no documents/],
  ['no operations', apollo(), /no documents/],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /utf-8/],
  ['a document that is no string', '{"a": {}}', /document "a" is not a string/],
  ['two documents with an id', twice, new RegExp(`"${hashed}" has two documents`)],
  ['no id', '{"": "{ a }"}', /id "" is not a string of 1 to 200 characters/],
  ['a long id', `{"${'a'.repeat(201)}": "{ a }"}`, /id "a{201}" is not a string of 1 to 200/],
  ['a wrong hash', `{"sha256:${hashed}": "{ a }"}`, /id "sha256:.*" is not the SHA-256/],
  ['another format', '{"format": "x"}', /format/],
  ['an operation without an id', apollo({ body: '{ a }' }), /id "undefined" is not a string/],
  ['an operation without a body', apollo({ id: 'a' }), /document "a" is not a string/],
  ['too many documents', JSON.stringify(many), /more than 10000 documents/],
  ['a document that is invalid', '{"b": "{\\n  nothing\\n}"}', /document "b": Cannot query field "nothing"/],
])('a manifest with %s is refused', async ([, content, message], { manifest, place }) => {
  place.write('documents.json', content)
  const refused = openTrustedDocuments(
    manifest.path,
    message.source.includes('Cannot') ? read : readAny,
    () => {},
  )
  await expect(refused).rejects.toThrow(ConfigError)
  await expect(refused).rejects.toThrow(message)
  await expect(refused).rejects.toThrow(`  ${manifest.path}: `)
})

test('a file of more than 4 MiB, a folder and a device are refused', async ({ place: { path } }) => {
  const large = join(path, 'large.json')
  writeFileSync(large, '')
  truncateSync(large, 5 * 2 ** 20)
  const open = (file: string) => openTrustedDocuments(file, readAny, () => {})
  await expect(open(large)).rejects.toThrow('more than 4 MiB')
  for (const file of [path, '/dev/zero']) await expect(open(file)).rejects.toThrow('not a regular file')
})

test('a reload checks new documents alone, and a wrong manifest changes nothing', async ({ manifest }) => {
  const checked: string[] = []
  const noting: ReadQuery = (query) => {
    checked.push(query)
    return read(query)
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
  expect([trusted.find('titles'), trusted.find('names'), trusted.has(names)]).toEqual([
    titles,
    undefined,
    false,
  ])
  expect(observed.map((one) => one.type === 'documents-read' && one.count)).toEqual([1, 2, 1])
})

test('requests are served while documents are checked', async ({ manifest }) => {
  manifest.save({ names, titles, other })
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const slow: ReadQuery = (query) => {
    const end = performance.now() + 10
    while (performance.now() < end);
    return read(query)
  }
  await openTrustedDocuments(manifest.path, slow, () => {})
  clearInterval(counting)
  expect(turns).toBeGreaterThan(0)
})

plain('documents of clients push no trusted document out of the cache', () => {
  const times = new Map<string, number>()
  const counting: ReadQuery = (query) => {
    times.set(query, (times.get(query) ?? 0) + 1)
    return read(query)
  }
  const readQuery = createDocuments(counting, (query) => query === names)
  for (let at = 0; at < 15; at++)
    for (const query of [names, `{ b${at}: nothing }`, `{ a${at}: __typename } #${'x'.repeat(1_000_000)}`])
      readQuery(query)
  readQuery('{ b0: nothing }')
  expect([times.get(names), times.get('{ b0: nothing }')]).toEqual([1, 2])
})

plain('queries with the same fingerprint are kept apart', () => {
  const [one, two] = twins((index) => `{ a${index}: __typename }`)
  const readQuery = createDocuments(read, () => false)
  for (const query of [one, two, one, two]) expect(readQuery(query).document).toEqual(read(query).document)
})
