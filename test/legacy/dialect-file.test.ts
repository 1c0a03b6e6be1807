// The file LEGACY_DIALECT: what it may have, what is said of mistakes, and that its JSON Schema says the
// same.

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { choices } from '../../src/legacy/choices.ts'
import { type Dialect, defaultDialect } from '../../src/legacy/dialect.ts'
import { readDialect, writeDialect } from '../../src/legacy/dialect-file.ts'
import { dialectSchema, isSame, places, valueAt, withValue } from '../../src/legacy/dialect-places.ts'

const reply = { status: 404, type: 'application/json', body: '{"error":"{value}"}' }
/** Values of places that are no choices, by their last or first name. */
const others: Readonly<Record<string, readonly unknown[]>> = {
  serviceName: ['Acme', '_', 'X'.repeat(64)],
  chatMethod: ['irc', 'two words', 'ID', '💬'.repeat(64)],
  fields: [['Id'], ['Title']],
  missing: ['null', '', '<Data Value="{value}"/>', null],
  nothing: [reply, { ...reply, status: 200, body: '' }, null],
  type: ['text/html; charset=UTF-8', ''],
  before: [")]}',\n", ''],
  callback: ['{callback}({json});', null],
  declaration: ['', '<?xml version="1.0" encoding="UTF-8"?>'],
  root: ['Users version="1.0"', null],
  status: [200, 400, 599, null],
  replies: [reply],
  other: [reply, null],
}

/** Values that a place may have. */
function valuesFor(path: readonly string[]): readonly unknown[] {
  const choice = choices.find((one) => isSame(one.path, path))
  if (choice !== undefined) return choice.values
  const name = path.find((one) => others[one] !== undefined) ?? ''
  const all = others[name] ?? []
  if (name === 'fields') return all.slice(path[1] === 'users' ? 0 : 1, path[1] === 'users' ? 1 : 2)
  return all
}

const readGood = (content: string): Dialect => {
  const read = readDialect(content)
  if (!('read' in read)) throw new Error(read.join('\n'))
  return read
}
const nested = (path: readonly string[], value: unknown) => withValue({}, path, value)

const ajv = new Ajv2020({ allErrors: true })
const isValid = ajv.compile(
  JSON.parse(readFileSync(new URL('../../schema/dialect.schema.json', import.meta.url), 'utf8')),
)

test('the published schema is that of the table', () => {
  const file = new URL('../../schema/dialect.schema.json', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(dialectSchema())
})

test.for(places)('$path is read as it was written, and valid by the schema', ({ path, isAllowed }) => {
  const values = valuesFor(path)
  expect(values).not.toHaveLength(0)
  for (const value of values) {
    expect(isAllowed(value)).toBe(true)
    const dialect = withValue(defaultDialect, path, value)
    const written = writeDialect(dialect, 'https://a.example/dialect.schema.json')
    expect(readGood(written)).toEqual(dialect)
    expect(isValid(JSON.parse(written)), written).toBe(true)
    expect(isValid(nested(path, value)), JSON.stringify(value)).toBe(true)
  }
})

test.for(places)('$path refuses what is not allowed, as the schema does', ({ path, allowed }) => {
  for (const value of [-1, 'no\nsuch\nvalue<', [], ['Id', 'Id'], {}, { ...reply, status: 302 }]) {
    // A text may be anything where any text is allowed.
    const read = readDialect(JSON.stringify(nested(path, value)))
    const isRead = 'read' in read
    expect(isValid(nested(path, value)), JSON.stringify(value)).toBe(isRead)
    if (isRead) expect(allowed).toContain('a text')
    else expect(read).toEqual([expect.stringContaining(`${path.join('.')} cannot be `)])
  }
})

test('the default is an empty file', () => {
  expect(writeDialect(defaultDialect)).toBe('{}\n')
  expect(readGood('{}')).toEqual(defaultDialect)
})

test('all changes at once are read as they were written', () => {
  const changed = places.reduce((dialect, { path }) => {
    const value = valuesFor(path).find((one) => one !== valueAt(defaultDialect, path))
    return withValue(dialect, path, value)
  }, defaultDialect)
  expect(readGood(writeDialect(changed))).toEqual(changed)
})

test('a file may have a byte order mark, the URL of its schema, and one text for users and apps', () => {
  const missing = { json: 'null', xml: '<Data Value="{value}"/>' }
  const content = `\ufeff${JSON.stringify({ $schema: './dialect.schema.json', missing })}`
  expect(readGood(content)).toEqual({ ...defaultDialect, missing: { users: missing, apps: missing } })
  expect(readGood('{"missing":{"json":"null"}}').missing).toEqual({
    users: { json: 'null', xml: null },
    apps: { json: 'null', xml: null },
  })
  // A text for users or apps wins, wherever it is.
  for (const content of ['{"users":{"json":"0"},"json":"1"}', '{"json":"1","users":{"json":"0"}}']) {
    expect(readGood(`{"missing":${content}}`).missing).toMatchObject({
      users: { json: '0' },
      apps: { json: '1' },
    })
    expect(isValid({ missing: JSON.parse(content) })).toBe(true)
  }
  for (const file of [{ missing }, { missing: { users: missing } }, { missing: { apps: { json: '{}' } } }])
    expect(isValid(file)).toBe(true)
})

describe('mistakes', () => {
  test.for<[file: string, ...problems: (string | RegExp)[]]>([
    ['', /^It is not JSON: /],
    ['[]', 'It is not a JSON object.'],
    ['{"servicename":"Acme"}', 'There is no key servicename. Did you mean serviceName?'],
    ['{"read":{"id":"cast"}}', 'There is no key read.id. Did you mean read.ids?'],
    ['{"cdata":{"Rank":"always"}}', /^There is no key cdata\.Rank\. Keys: Username, DisplayName, Title, /],
    ['{"read":"exact"}', 'read must be an object, not "exact".'],
    ['{"read":{"ids":"Cast"}}', /^read\.ids cannot be "Cast"\. Allowed: "digits", "exact", .*, "cast"\.$/],
    [
      '{"errors":{"status":302}}',
      /^errors\.status cannot be 302\. Allowed: 200, or a status from 400 to 599/,
    ],
    [
      '{"errors":{"replies":{"noUsers":{"json":{"status":400}}}}}',
      'errors.replies.noUsers.json cannot be {"status":400}. Allowed: an object of ' +
        'status (200, or a status from 400 to 599), type (a Content-Type of at most 200 ASCII characters) ' +
        'and body (a text).',
    ],
    [
      '{"fields":{"users":{"json":["Id","Title"]}}}',
      /^fields\.users\.json cannot be \["Id","Title"\]\. Allowed: a list of Id, /,
    ],
    ['{"__proto__":{"read":1}}', /^There is no key __proto__\./],
    ['{"$schema":1}', '$schema cannot be 1. Allowed: a text.'],
    ['{"missing":{"json":1}}', 'missing.json cannot be 1. Allowed: a text, or null.'],
    ['{"chatMethod":"username"}', /^chatMethod cannot be "username"\. Allowed: .* but id and username\.$/],
    ['{"read.ids":"cast"}', 'There is no key read.ids. Did you mean {"read":{"ids":"…"}}?'],
    [
      '{"json":{"before":"{\\"a\\":1,\\"a\\":[{"},"read":{"ids":"cast"},"json":{"end":"","\\u0065nd":""},"read":{}}',
      'json is there more than once.',
      'json.end is there more than once.',
      'read is there more than once.',
    ],
    ['{"\\u001b[1m\\n":1}', /^There is no key \ufffd\[1m\ufffd\. Keys: /],
    ['// A comment\n{}', /^It is not JSON: [^\n]*$/],
    ['{"errors":{"status":1e999}}', /^errors\.status cannot be Infinity\./],
    [`{"read":${'['.repeat(50_000)}`, 'It is nested more than 100 levels deep.'],
    [
      '{"serviceName":"two words","read":{"ids":1,"idz":2},"xml":null}',
      'serviceName cannot be "two words". Allowed: a name of letters, digits, - and _.',
      /^read\.ids cannot be 1\./,
      'There is no key read.idz. Did you mean read.ids?',
      'xml must be an object, not null.',
    ],
  ])('%s', ([file, ...problems]) => {
    expect(readDialect(file)).toEqual(
      problems.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    )
  })

  test('a long value is cut', () => {
    const [problem = ''] = [readDialect(JSON.stringify({ serviceName: 'x'.repeat(1_000) }))].flat()
    expect(String(problem).length).toBeLessThan(200)
  })

  test('a file of something else has a few lines of problems', () => {
    const names = Array.from({ length: 1_000 }, (_, at) => [`${'x'.repeat(1_000)}${at}`, at])
    const problems = [readDialect(JSON.stringify(Object.fromEntries(names)))].flat()
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toBe('There are more problems.')
    expect(problems.join('').length).toBeLessThan(5_000)
  })
})
