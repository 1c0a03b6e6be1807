// Answers made up for the writers: any value, any text, any number a store can hold.

import fc from 'fast-check'
import { readConfig } from '../../../../src/config.ts'
import type { Entry, Field, LegacyEvent } from '../../../../src/gateway/legacy/events/event.ts'
import { legacyEvents } from '../../../../src/gateway/legacy/events/index.ts'
import { type FormatName, formats } from '../../../../src/gateway/legacy/formats/index.ts'
import type { Dialect } from '../../../../src/settings.ts'

/** The default dialect, but misses are shown, so that they can be written at all. */
export const dialect: Dialect = { ...readConfig({}).dialect, unknown: 'null' }
export const events = legacyEvents(dialect)

export interface Answer {
  readonly event: LegacyEvent
  readonly values: readonly string[]
  readonly entries: readonly (Entry | null)[]
}

export function write({ event, values, entries }: Answer, format: FormatName): string {
  return formats[format].answers(event, dialect)(values, entries)
}

const hostile = fc.constantFrom(
  ...[
    '&#0;',
    '&nbsp;',
    '&amp;',
    '&lt;',
    '&',
    ']]>',
    '<![CDATA[',
    '<!--',
    '<?',
    '</Data>',
    '<',
    '>',
    '"',
    "'",
  ],
  ...[
    '\\',
    '/',
    '\\u0041',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\0',
    '\x01',
    '\b',
    '\f',
    '\x1f',
    '\x7f',
    '\x85',
    '\xa0',
  ],
  ...['\u2028', '\ufffe', '\uffff', '\ufdd0', '\ufeff', '\ufffd', '\u{10000}', '\u{1fffe}', '\u{10ffff}'],
  ...['__proto__', 'constructor', '0', '-0', '007', '10', '1e3', ' '],
)

const mixed = fc
  .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 6 })
  .map((parts) => parts.join(''))

/** Texts that PHP takes for numbers. */
const numeric = fc.oneof(
  fc.constantFrom(
    '2077',
    '007',
    ' 7',
    '7 ',
    '7\n',
    '+5',
    '-0',
    '-0.0',
    '1e5',
    '.5',
    '5.',
    '1e400',
    '1e-7',
    '0.0001',
  ),
  fc.constantFrom(
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '1e17',
    '12345678901234567890',
  ),
  fc.integer().map(String),
  fc.double().map(String),
)

/** Texts without lone surrogates, with a good share of what writers stumble over. */
export const text = fc.oneof({ weight: 9, arbitrary: mixed }, { weight: 1, arbitrary: numeric })

const content = {
  string: text,
  integer: fc.oneof(fc.integer(), fc.maxSafeInteger()),
  boolean: fc.boolean(),
} satisfies Record<Field['type'], unknown>

function answerTo(event: LegacyEvent): fc.Arbitrary<Answer> {
  const entry: fc.Arbitrary<Entry> = fc.record(
    Object.fromEntries(event.fields.map(({ source, type }) => [source, content[type]])),
  )
  const value = text.filter((key) => key !== '')
  return fc
    .uniqueArray(fc.tuple(value, fc.option(entry, { freq: 9 })), { selector: ([key]) => key, maxLength: 6 })
    .map((pairs) => ({ event, values: pairs.map(([key]) => key), entries: pairs.map(([, found]) => found) }))
}

export const answer = fc.oneof(...events.map(answerTo))
