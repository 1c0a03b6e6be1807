// The reader that knows lines reads what JSON.parse reads, and refuses what JSON.parse refuses.

import { expect, test } from 'vitest'
import { FileFault, type Placed, readPlacedJson } from '../../../src/gateway/graphql/placed-json.ts'

/** As JSON.parse has it. */
function plain(value: Placed): unknown {
  if (value.kind === 'list') return value.items.map(plain)
  if (value.kind === 'string') return value.text
  if (value.kind === 'word') return JSON.parse(value.text)
  return Object.fromEntries(value.members.map(({ name, value: member }) => [name, plain(member)]))
}

function outcome(read: () => unknown): unknown {
  try {
    return { read: read() }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof FileFault) return 'refused'
    throw error
  }
}

const whole = [
  '{"a": "x\\"y\\\\", "b": [1, -0.5e+3, true, false, null, {}], "c": {"\\u00e9": "é\\n"}}',
  '[]',
  ' \t\r\n"\\\\"\n',
  '[[["a"], []], {"__proto__": "x", "constructor": 0}]',
  '-0',
]

/** The text itself, and what one wrong character makes of it. */
function* spoilt(text: string) {
  yield text
  for (let at = 0; at <= text.length; at++) {
    yield text.slice(0, at)
    yield text.slice(0, at) + text.slice(at + 1)
    for (const character of ['"', '\\', ',', ':', '[', ']', '{', '}', '0', 'x', '\n', ' ', '\u00a0'])
      yield text.slice(0, at) + character + text.slice(at)
  }
}

test.each(whole)('%s', (text) => {
  for (const given of spoilt(text))
    expect(
      outcome(() => plain(readPlacedJson(given, 100))),
      given,
    ).toEqual(outcome(() => JSON.parse(given)))
})

test('knows the line of each value and name', () => {
  const value = readPlacedJson('\n{ "a": 1,\r\n\n"b"\n:\n["x",\n"y"] }', 100)
  expect(value).toEqual({
    kind: 'object',
    line: 2,
    members: [
      { name: 'a', line: 2, value: { kind: 'word', line: 2, text: '1' } },
      {
        name: 'b',
        line: 4,
        value: {
          kind: 'list',
          line: 6,
          items: [
            { kind: 'string', line: 6, text: 'x' },
            { kind: 'string', line: 7, text: 'y' },
          ],
        },
      },
    ],
  })
})

test('keeps members that share a name', () => {
  expect(readPlacedJson('{"a": 1, "a": 2}', 100)).toMatchObject({ members: [{ name: 'a' }, { name: 'a' }] })
})

test.each([
  ['no comma in an object', '{\n"a": 1\n"b": 2}', 3, 'not valid JSON: expected a comma or }'],
  ['a comma too many', '[1,\n\n]', 3, 'not valid JSON: expected a value'],
  ['no colon', '{\n"a"\n1}', 3, 'not valid JSON: expected a colon'],
  ['a name without quotes', '{\na: 1}', 2, 'not valid JSON: expected a name in quotes'],
  ['a line break in a string', '["a\n"]', 1, 'not valid JSON: expected a valid string'],
  ['an open string', '\n"a', 2, 'not valid JSON: expected a quote that ends the string'],
  ['two values', '[1]\n[2]', 2, 'not valid JSON: expected the end of the file'],
  ['nothing', '', 1, 'not valid JSON: expected a value'],
  ['eleven levels', '['.repeat(11), 1, 'nested more than 10 levels deep'],
  ['thousands of levels', '['.repeat(30_000), 1, 'nested more than 10 levels deep'],
  ['too many values', `[${'1,\n'.repeat(100)}1]`, 100, 'more than 100 values'],
])('%s', (_what, text, line, message) => {
  expect(() => readPlacedJson(text, 100)).toThrow(expect.objectContaining({ line, message }))
})
