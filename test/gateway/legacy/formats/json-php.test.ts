// The JSON of services with other habits, against json_encode with its flags, for generated answers and
// habits.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formats } from '../../../../src/gateway/legacy/formats/index.ts'
import type { Dialect } from '../../../../src/settings.ts'
import { hasProgram } from '../../../support/programs.ts'
import { chooseSeed } from '../../../support/seed.ts'
import { type Answer, answer, dialect as plain } from '../support/answers.ts'
import { runPhp, runPython } from '../support/programs.ts'

/** Answers in one process. */
const BATCH = 2000

const habits = fc.record({
  unknown: fc.constantFrom('omit', 'null', 'false', '{}', '[]', 'nulls', 'error'),
  empty: fc.constantFrom('{}', '[]'),
  numbers: fc.constantFrom('number', 'string'),
  booleans: fc.constantFrom('boolean', 'integer', 'string', 'strval'),
  jsonFlags: fc.subarray([
    ...(['unescaped-unicode', 'unescaped-slashes', 'pretty', 'newline'] as const),
    ...(['hex-tag', 'hex-amp', 'hex-apos', 'hex-quot'] as const),
  ]),
} satisfies { readonly [Key in keyof Dialect]?: fc.Arbitrary<Dialect[Key]> })

/** PHP's objects have no properties whose names begin with a NUL, nor has a query string any. */
const speakable = answer.filter(({ values }) => values.every((value) => !value.startsWith('\0')))

test.skipIf(!hasProgram('php'))('JSON is the bytes of json_encode, whatever its flags', () => {
  const seed = chooseSeed('formats/json-php.test.ts')
  const asked = fc.sample(fc.tuple(habits, speakable), { seed, numRuns: BATCH })
  const input = asked.map(([{ jsonFlags, ...others }, made]) => {
    const fields = made.event.fields.map(({ name }) => name)
    return [{ ...others, fields, flags: jsonFlags }, toLists(made)]
  })
  const written = textsIn(runPhp('write-json.php', [], JSON.stringify(input)))
  expect(written).toHaveLength(BATCH)
  asked.forEach(([spoken, made], index) => {
    expect(write(made, spoken), `answer ${index} of SEED=${seed}, ${JSON.stringify(spoken)}`).toBe(
      written[index],
    )
  })
})

const ofPython = fc.tuple(
  fc.constant('spaced' as const),
  fc.constantFrom<readonly 'unescaped-unicode'[]>([], ['unescaped-unicode']),
  fc.constantFrom<readonly 'pretty'[]>([], ['pretty']),
)

test.skipIf(!hasProgram('python3'))("spaced, it is the bytes of Python's json.dumps", () => {
  const seed = chooseSeed('formats/json-php.test.ts')
  const asked = fc.sample(fc.tuple(ofPython, answer), { seed, numRuns: BATCH })
  const input = asked.map(([[, unicode, pretty], made]) => [unicode.length, pretty.length, toLists(made)])
  const written = textsIn(runPython('dumps.py', JSON.stringify(input)))
  expect(written).toHaveLength(BATCH)
  asked.forEach(([[spaced, unicode, pretty], made], index) => {
    const jsonFlags = [spaced, ...unicode, ...pretty, 'unescaped-slashes'] as const
    expect(write(made, { jsonFlags }), `answer ${index} of SEED=${seed}`).toBe(written[index])
  })
})

function write({ event, values, entries }: Answer, spoken: Partial<Dialect>): string {
  const dialect = { ...plain, unknownText: 'There is no "{value}"', ...spoken }
  return formats.JSON.answers(event, dialect)(values, entries)
}

/** A character for each byte. */
function textsIn(printed: string): string[] {
  const texts: string[] = JSON.parse(printed)
  return texts.map((text) => Buffer.from(text, 'base64').toString('latin1'))
}

function toLists({ event, values, entries }: Answer) {
  return values.map((value, index) => {
    const entry = entries[index] ?? null
    return [value, entry === null ? null : event.fields.map(({ name, source }) => [name, entry[source]])]
  })
}
