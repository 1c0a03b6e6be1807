// The JSON of services with other habits, against json_encode with its flags, and against what Python,
// Perl and JavaScript write, for generated answers and habits.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formats } from '../../../../src/gateway/legacy/formats/index.ts'
import { compareBytes } from '../../../../src/gateway/legacy/habits/collations.ts'
import type { Dialect } from '../../../../src/settings.ts'
import { seedOf } from '../../../kit/generate.ts'
import { hasProgram } from '../../../kit/programs.ts'
import { type Answer, answer, dialect as plain } from '../support/answers.ts'
import { runPerl, runPhp, runPython } from '../support/programs.ts'

/** Answers in one process. */
const BATCH = 2000
/** Of a slow library, or in a loop. */
const FEW = 300

const habits = fc.record({
  unknown: fc.constantFrom(
    ...[
      'omit',
      'null',
      'false',
      '{}',
      '[]',
      'error',
      '{"Error":{"Code":404,"At":"é/<","No":"007","Message":"{message}"}}',
    ],
    ...['nulls', 'nulls+0', 'nulls+false', 'nulls+0+false', 'zeros'],
  ),
  empty: fc.constantFrom('{}', '[]', 'null'),
  numbers: fc.constantFrom('number', 'string', 'string,Id=number', 'number,JoinDate=string,Category=string'),
  textEscapes: fc.constantFrom('none', 'html', 'html-json', 'compat', 'compat-json'),
  booleans: fc.constantFrom('boolean', 'integer', 'string', 'strval', 'string,strval', 'integer,boolean'),
  jsonFlags: fc.subarray([
    ...(['unescaped-unicode', 'unescaped-slashes', 'pretty', 'newline'] as const),
    ...(['hex-tag', 'hex-amp', 'hex-apos', 'hex-quot', 'numeric-check'] as const),
  ]),
  unknownText: fc.constantFrom('There is no "{value}"', '{value}', '0{value}', ' 404'),
} satisfies { readonly [Key in keyof Dialect]?: fc.Arbitrary<Dialect[Key]> })

/** With 0, 1, 2 and so on for values, or nearly so: PHP's arrays of such keys are lists. */
const placed = fc.tuple(answer, fc.constantFrom(0, 0, 0, 1), fc.boolean()).map(([made, first, isTurned]) => {
  const values = made.values.map((_, at) => String(first + at))
  return { ...made, values: isTurned ? values.toReversed() : values }
})

/** PHP's objects have no properties whose names begin with a NUL, nor has a query string any. */
const speakable = answer.filter(({ values }) => values.every((value) => !value.startsWith('\0')))

test.skipIf(!hasProgram('php'))('JSON is the bytes of json_encode, whatever its flags', () => {
  const seed = seedOf('formats/json-php.test.ts')
  const asked = fc.sample(fc.tuple(habits, fc.oneof(speakable, placed)), { seed, numRuns: BATCH })
  const input = asked.map(([{ jsonFlags, ...others }, made]) => {
    const fields = made.event.fields.map(({ name }) => name)
    const types = Object.fromEntries(made.event.fields.map(({ name, type }) => [name, type]))
    return [{ ...others, text: others.unknownText, fields, types, flags: jsonFlags }, toLists(made)]
  })
  const written = textsIn(runPhp('write-json.php', [], JSON.stringify(input)))
  expect(written).toHaveLength(BATCH)
  asked.forEach(([spoken, made], index) => {
    expect(write(made, spoken), `answer ${index} of SEED=${seed}, ${JSON.stringify(spoken)}`).toBe(
      written[index],
    )
  })
})

interface Way {
  readonly flags: readonly JsonFlag[]
  readonly by: Readonly<Record<string, unknown>>
}
type JsonFlag = Dialect['jsonFlags'][number]

// The separators of a list with a blank at their end are those of Python before 3.4, and of Flask.
const inPython: readonly Way[] = [
  { flags: ['spaced'], by: {} },
  { flags: ['indent-2'], by: { indent: 2 } },
  { flags: ['indent-2', 'spaced', 'newline'], by: { indent: 2, separators: [', ', ': '] } },
  { flags: ['indent-2', 'spaced', 'sorted'], by: { indent: 2, separators: [', ', ': '], sort_keys: true } },
  { flags: ['pretty', 'spaced'], by: { indent: 4, separators: [', ', ': '] } },
  { flags: ['indent-tab', 'sorted'], by: { indent: '\t', sort_keys: true } },
  { flags: ['sorted', 'newline'], by: { separators: [',', ':'], sort_keys: true } },
  { flags: ['spaced', 'sorted'], by: { sort_keys: true } },
  { flags: ['spaced-colons'], by: { separators: [',', ' :'] } },
]

test.skipIf(!hasProgram('python3'))("it is the bytes of Python's json.dumps", () => {
  const seed = seedOf('formats/json-php.test.ts')
  const ways = fc.tuple(fc.constantFrom(...inPython), fc.boolean(), answer)
  const asked = fc.sample(ways, { seed, numRuns: BATCH })
  const input = asked.map(([{ flags, by }, isAscii, made]) => [
    { ...by, ensure_ascii: isAscii },
    flags.includes('newline') ? '\n' : '',
    toLists(made),
  ])
  const written = textsIn(runPython('dumps.py', JSON.stringify(input)))
  expect(written).toHaveLength(BATCH)
  asked.forEach(([{ flags }, isAscii, made], index) => {
    const jsonFlags = [...flags, 'unescaped-slashes', ...beyondAscii(isAscii)] as const
    expect(write(made, { jsonFlags }), `answer ${index} of SEED=${seed}: ${flags}`).toBe(written[index])
  })
})

test.skipIf(!hasProgram('perl'))("it is the bytes of Perl's pretty canonical JSON", () => {
  const seed = seedOf('formats/json-php.test.ts')
  // Its modules differ in whether they escape DEL.
  const made = answer.filter((one) => !JSON.stringify(one).includes('\x7f'))
  const asked = fc.sample(fc.tuple(fc.boolean(), made), { seed, numRuns: FEW })
  const input = asked.map(([isAscii, one]) => [isAscii ? 'ascii' : 'utf8', toLists(one)])
  const written = textsIn(runPerl('pretty.pl', JSON.stringify(input)))
  expect(written).toHaveLength(FEW)
  asked.forEach(([isAscii, one], index) => {
    const jsonFlags = [...perl, ...beyondAscii(isAscii)] as const
    expect(write(one, { jsonFlags }), `answer ${index} of SEED=${seed}`).toBe(written[index])
  })
})

test('it is the bytes of JSON.stringify', () => {
  const seed = seedOf('formats/json-php.test.ts')
  // An object of JavaScript would put names that are integers first.
  const made = answer.filter(({ values }) => values.length < 2)
  for (const [flag, indent] of [
    ['indent-2', 2],
    ['indent-3', 3],
    ['pretty', 4],
    ['indent-tab', '\t'],
  ] as const) {
    const jsonFlags = [flag, 'unescaped-unicode', 'unescaped-slashes'] as const
    for (const one of fc.sample(made, { seed, numRuns: FEW })) {
      const found = Object.fromEntries(
        toLists(one).map(([value, fields]) => [value, fields && Object.fromEntries(fields)]),
      )
      const text = JSON.stringify(found, null, indent)
      // PHP escapes two characters that end lines in old JavaScript.
      if (flag === 'pretty' && /[\u2028\u2029]/.test(text)) continue
      expect(write(one, { jsonFlags }), `SEED=${seed}`).toBe(Buffer.from(text).toString('latin1'))
    }
  }
})

const perl = ['indent-3', 'spaced-colons', 'newline', 'sorted', 'unescaped-slashes'] as const
const beyondAscii = (isAscii: boolean) => (isAscii ? [] : (['unescaped-unicode'] as const))

function write({ event, values, entries }: Answer, spoken: Partial<Dialect>): string {
  const dialect = { ...plain, ...spoken }
  const named = values.map((value, at) => [value, entries[at] ?? null] as const)
  // The writer puts fields in order, and is given entries in theirs.
  if (dialect.jsonFlags.includes('sorted')) named.sort(([one], [other]) => compareBytes(one, other))
  return formats.JSON.answers(event, dialect)(
    named.map(([value]) => value),
    named.map(([, entry]) => entry),
  )
}

/** A character for each byte. */
function textsIn(printed: string): string[] {
  const texts: string[] = JSON.parse(printed)
  return texts.map((text) => Buffer.from(text, 'base64').toString('latin1'))
}

function toLists({ event, values, entries }: Answer) {
  return values.map((value, index) => {
    const entry = entries[index] ?? null
    const fields = entry && event.fields.map(({ name, source }) => [name, entry[source]] as const)
    return [value, fields] as const
  })
}
