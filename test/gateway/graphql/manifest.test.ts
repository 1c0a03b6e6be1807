// Manifests of trusted documents: both formats, and what is wrong in one.

import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readManifest } from '../../../src/gateway/graphql/manifest.ts'
import { temporaryFolder } from '../../kit/gateway.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const path = join(folder.path, 'documents.json')
const reading = (content: string | Buffer) => {
  writeFileSync(path, content)
  return [...readManifest(path)]
}

const text = '{ __typename }'
const sha256 = hash('sha256', text, 'hex')
const apollo = (...operations: readonly unknown[]) =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations })

test('as graphql-codegen 6.2.0 writes it', () => {
  expect(reading(`{\n  "sha256:${sha256}": "${text}",\n  "other": "{ a }"\n}`)).toEqual([
    [sha256, text],
    ['other', '{ a }'],
  ])
})

test('as generate-persisted-query-manifest 1.4.0 writes it', () => {
  const operations = ['a', 'b'].map((name) => ({ id: name, name, type: 'query', body: `{ ${name} }` }))
  expect(reading(apollo(...operations, operations[0]))).toEqual([
    ['a', '{ a }'],
    ['b', '{ b }'],
  ])
})

test('with a byte order mark, escapes, and names that objects inherit', () => {
  expect(reading('\ufeff{"__proto__": "{ a }", "constructor": "\\u007b b }"}')).toEqual([
    ['__proto__', '{ a }'],
    ['constructor', '{ b }'],
  ])
})

const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`a${index}`, text]))

test.each<[what: string, content: string | Buffer, message: RegExp]>([
  ['no JSON', '{\n"a": "{ a }",\n}', /in JSON at position/],
  ['deep JSON', `{"a": ${'['.repeat(30_000)}`, /nested more than 10 levels/],
  ['a list', '["{ a }"]', /expected an object/],
  ['no documents', '{}', /no documents/],
  ['no operations', apollo(), /no documents/],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /utf-8/],
  ['a document that is no string', '{"a": {}}', /document "a" is not a string/],
  [
    'two documents with an id',
    `{"${sha256}": "{ a }", "sha256:${sha256}": "${text}"}`,
    new RegExp(`"${sha256}" has two documents`),
  ],
  ['no id', '{"": "{ a }"}', /id "" does not have 1 to 200 characters/],
  ['a long id', `{"${'a'.repeat(201)}": "{ a }"}`, /id "a{80}…" does not have 1 to 200/],
  ['a wrong hash', `{"sha256:${sha256}": "{ a }"}`, /id "sha256:.*" is not the SHA-256/],
  ['another format', '{"format": "x"}', /format/],
  ['another version', apollo().replace('1,', '"1",'), /version/],
  ['operations that are no list', apollo().replace('[]', '{}'), /operations/],
  ['an operation without an id', apollo({ body: '{ a }' }), /operation 1 has no id/],
  ['an operation without a body', apollo({ id: 'a' }), /document "a" is not a string/],
  ['too many documents', JSON.stringify(many), /more than 10000 documents/],
])('%s', (_what, content, message) => {
  expect(() => reading(content)).toThrow(message)
})

test('a file of 100 MB is not read', () => {
  writeFileSync(path, '')
  truncateSync(path, 100e6)
  const before = process.memoryUsage.rss()
  expect(() => readManifest(path)).toThrow('more than 4 MiB')
  expect(process.memoryUsage.rss() - before).toBeLessThan(50e6)
})

test('what is no regular file is not waited for', () => {
  const pipe = join(folder.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const other of [pipe, folder.path, '/dev/zero'])
    expect(() => readManifest(other)).toThrow('not a regular file')
})
