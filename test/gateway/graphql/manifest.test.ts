// Manifests of trusted documents: both formats, and what is wrong in one, with its line.

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
  return readManifest(path)
}

const text = '{ __typename }'
const sha256 = hash('sha256', text, 'hex')
const apollo = (...operations: readonly unknown[]) =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }, null, 2)

test('as graphql-codegen 6.2.0 writes it', () => {
  expect(reading(`{\n  "sha256:${sha256}": "${text}",\n  "other": "{ a }"\n}`)).toEqual([
    { id: sha256, text, line: 2 },
    { id: 'other', text: '{ a }', line: 3 },
  ])
})

test('as generate-persisted-query-manifest 1.4.0 writes it', () => {
  const operations = ['a', 'b'].map((name) => ({ id: name, name, type: 'query', body: `{ ${name} }` }))
  expect(reading(apollo(...operations))).toEqual([
    { id: 'a', text: '{ a }', line: 5 },
    { id: 'b', text: '{ b }', line: 11 },
  ])
})

test('with a byte order mark, escapes, and names that objects inherit', () => {
  expect(reading('\ufeff{"__proto__": "{ a }", "constructor": "\\u007b b }"}')).toEqual([
    { id: '__proto__', text: '{ a }', line: 1 },
    { id: 'constructor', text: '{ b }', line: 1 },
  ])
})

test('of two versions of a front end, with what they have in common', () => {
  expect(reading('{\n"a": "{ a }",\n"b": "{ b }",\n"a": "{ a }"}')).toHaveLength(2)
})

test.each<[what: string, content: string | Buffer, line: number, message: string]>([
  ['an empty file', '', 1, 'not valid JSON: expected a value'],
  ['no JSON', '{\n"a": "{ a }",\n}', 3, 'not valid JSON: expected a name in quotes'],
  ['deep JSON', `{"a": ${'['.repeat(30_000)}`, 1, 'nested more than 10 levels deep'],
  ['a list', '\n["{ a }"]', 2, 'expected an object'],
  ['no documents', '{}', 1, 'no documents'],
  ['no operations', apollo(), 1, 'no documents'],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 1, 'not UTF-8'],
  ['a document that is no string', '{\n"a":\n{}}', 3, 'the document "a" is not a string'],
  [
    'two documents with an id',
    '{\n"a": "{ a }",\n"a": "{ b }"}',
    3,
    'the id "a" has another document in line 2',
  ],
  [
    'two with a hash, once with its prefix',
    `{\n"${sha256}": "{ a }",\n"sha256:${sha256}": "${text}"}`,
    3,
    `the id "${sha256}" has another document in line 2`,
  ],
  ['no id', '{\n"": "{ a }"}', 2, 'the id "" does not have 1 to 200 characters'],
  [
    'a long id',
    `{"${'a'.repeat(201)}": "{ a }"}`,
    1,
    `the id "${'a'.repeat(80)}…" does not have 1 to 200 characters`,
  ],
  [
    'a wrong hash',
    `{"sha256:${sha256}": "{ a }"}`,
    1,
    `the id "sha256:${sha256}" is not the SHA-256 of its document`,
  ],
  ['another format', '{\n"format": "x"}', 2, 'the format is not "apollo-persisted-query-manifest"'],
  ['another version', apollo().replace('1,', '2,'), 3, 'the version is not 1'],
  ['a version in quotes', apollo().replace('1,', '"1",'), 3, 'the version is not 1'],
  ['operations that are no list', apollo().replace('[]', '{}'), 4, 'operations is no list'],
  ['operations twice', apollo().replace('[]', '[],\n"operations": []'), 5, 'operations is there twice'],
  ['an operation that is no object', apollo('{ a }'), 5, 'an operation is no object'],
  ['an operation without an id', apollo({ body: '{ a }' }), 5, 'the id of an operation is not a string'],
  ['an operation without a body', apollo({ id: 'a' }), 5, 'the body of "a" is not a string'],
  [
    'too many documents',
    `{${Array.from({ length: 10_001 }, (_, index) => `\n"${index}": "{ a }"`)}}`,
    10_002,
    'more than 10000 documents',
  ],
  ['too many values', `{"format": [${'0,'.repeat(100_001)}0]}`, 1, 'more than 100000 values'],
])('%s', (_what, content, line, message) => {
  expect(() => reading(content)).toThrow(expect.objectContaining({ line, message }))
})

test('a file of 100 MB is not read', () => {
  writeFileSync(path, '')
  truncateSync(path, 100e6)
  const before = process.memoryUsage.rss()
  expect(() => readManifest(path)).toThrow(expect.objectContaining({ message: 'more than 4 MiB' }))
  expect(process.memoryUsage.rss() - before).toBeLessThan(50e6)
})

test('what is no regular file is not waited for', () => {
  const pipe = join(folder.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const other of [pipe, folder.path, '/dev/zero'])
    expect(() => readManifest(other)).toThrow(expect.objectContaining({ message: 'not a regular file' }))
})
