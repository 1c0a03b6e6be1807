// Manifests of trusted documents: both formats, and their faults.

import { hash } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openTrustedDocuments } from '../../src/graphql/trusted.ts'
import { test } from '../kit/test.ts'
import type { Workplace } from '../kit/workplace.ts'

const read = (path: string) =>
  openTrustedDocuments(
    path,
    () => ({ document: null, operations: [], errors: [] }),
    () => {},
  )
const readIn = ({ path, write }: Workplace, content: string | Buffer) => {
  write('documents.json', content)
  return read(join(path, 'documents.json'))
}

const text = '{ __typename }'
const sha256 = hash('sha256', text, 'hex')
const apollo = (...operations: readonly unknown[]) =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations })
const [a, b] = ['a', 'b'].map((name) => ({ id: name, name, type: 'query', body: `{ ${name} }` }))

test.for<[what: string, content: string, documents: readonly (readonly [string, string])[]]>([
  [
    'as graphql-codegen 6.2.0 writes it',
    `{\n  "sha256:${sha256}": "${text}",\n  "other": "{ a }"\n}`,
    [
      [sha256, text],
      ['other', '{ a }'],
    ],
  ],
  [
    'as generate-persisted-query-manifest 1.4.0 writes it',
    apollo(a, b, a),
    [
      ['a', '{ a }'],
      ['b', '{ b }'],
    ],
  ],
  [
    'with a byte order mark, escapes, and names that objects inherit',
    '\ufeff{"__proto__": "{ a }", "constructor": "\\u007b b }"}',
    [
      ['__proto__', '{ a }'],
      ['constructor', '{ b }'],
    ],
  ],
])('%s', async ([, content, documents], { place }) => {
  const { find } = await readIn(place, content)
  expect(documents.map(([id]) => [id, find(id)])).toEqual(documents)
})

const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`a${index}`, text]))
const twice = `{"${sha256}": "{ a }", "sha256:${sha256}": "${text}"}`

test.for<[what: string, content: string | Buffer, message: RegExp]>([
  ['no JSON', '{\n"a": "{ a }",\n}', /in JSON at position/],
  ['deep JSON', `{"a": ${'['.repeat(30_000)}`, /nested more than 10 levels/],
  ['a list', '["{ a }"]', /expected an object/],
  ['no documents', '{}', /no documents/],
  ['no operations', apollo(), /no documents/],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /utf-8/],
  ['a document that is no string', '{"a": {}}', /document "a" is not a string/],
  ['two documents with an id', twice, new RegExp(`"${sha256}" has two documents`)],
  ['no id', '{"": "{ a }"}', /id "" is not a string of 1 to 200 characters/],
  ['a long id', `{"${'a'.repeat(201)}": "{ a }"}`, /id "a{201}" is not a string of 1 to 200/],
  ['a wrong hash', `{"sha256:${sha256}": "{ a }"}`, /id "sha256:.*" is not the SHA-256/],
  ['another format', '{"format": "x"}', /format/],
  ['another version', apollo().replace('1,', '"1",'), /version/],
  ['operations that are no list', apollo().replace('[]', '{}'), /operations/],
  ['an operation without an id', apollo({ body: '{ a }' }), /id "undefined" is not a string/],
  ['an operation without a body', apollo({ id: 'a' }), /document "a" is not a string/],
  ['too many documents', JSON.stringify(many), /more than 10000 documents/],
])('%s', async ([, content, message], { place }) => {
  await expect(readIn(place, content)).rejects.toThrow(message)
})

test('a file of more than 4 MiB, a folder and a device', async ({ place: { path } }) => {
  const large = join(path, 'large.json')
  writeFileSync(large, '')
  truncateSync(large, 5 * 2 ** 20)
  await expect(read(large)).rejects.toThrow('more than 4 MiB')
  for (const other of [path, '/dev/zero']) await expect(read(other)).rejects.toThrow('not a regular file')
})
