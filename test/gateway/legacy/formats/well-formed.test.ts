// XML of every style, with every flag, is well-formed, whatever texts hold.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../../src/config.ts'
import { legacyEvents } from '../../../../src/gateway/legacy/events/index.ts'
import { formats } from '../../../../src/gateway/legacy/formats/index.ts'
import { settings } from '../../../../src/settings.ts'
import { seedOf } from '../../../kit/generate.ts'
import { type Answer, answer, events } from '../support/answers.ts'
import { xmlFacts } from '../support/facts.ts'

type Settings = Readonly<Record<string, string>>

const listed = (name: 'LEGACY_FIELDS' | 'LEGACY_XML_STYLE' | 'LEGACY_UNKNOWN_XML' | 'LEGACY_XML_FLAGS') =>
  settings[name].allowed
    .replace(/^of |, comma-separated$/g, '')
    .replace('FIELD', 'Title')
    .split(', ')
const flagSets = [
  '',
  ...listed('LEGACY_XML_FLAGS'),
  'cdata,open-fields,open-root,crlf',
  'cdata,open-tags',
  'needed-cdata,no-cdata:DownloadLink',
]

/** Lone surrogates, too, which neither PHP nor Python can be asked for. */
const hostile = '\ud800<&"\'>]]>\0\x01\x0b\x7f\x85é\u2028\ufdd0\ufffe\uffff\u{1f338}\u{10ffff}\udfff\t\r\n'
const made: Answer[] = events.flatMap((event) => {
  const entry = Object.fromEntries(
    event.fields.map(({ source, type }) => [
      source,
      type === 'string' ? hostile : type === 'integer' ? 1 : true,
    ]),
  )
  const empty = Object.fromEntries(
    event.fields.map(({ source, type }) => [source, type === 'integer' ? 0 : '']),
  )
  return [
    { event, values: [hostile, '2', hostile.repeat(2)], entries: [entry, empty, null] },
    { event, values: [], entries: [] },
  ]
})

describe.each(listed('LEGACY_XML_STYLE'))('%s', (style) => {
  test.each(listed('LEGACY_UNKNOWN_XML'))('unknown: %s', async (unknown) => {
    const seed = seedOf('formats/well-formed.test.ts')
    const answers = [...made, ...fc.sample(answer, { seed, numRuns: 10 })]
    const dialects = flagSets.flatMap((flags) =>
      ['none', '2'].map((indent) => dialectOf({ style, unknown, flags, indent })),
    )
    const documents = dialects.flatMap((dialect) => [
      ...answers.map(({ event, values, entries }) => formats.XML.answers(event, dialect)(values, entries)),
      formats.XML.errors(dialect)('UnknownEvent', hostile),
    ])
    // The bytes are UTF-8, which the parser decodes by itself: nothing in them is Latin-1.
    const texts = documents.map((bytes) => new TextDecoder('utf-8', { fatal: true }).decode(toBuffer(bytes)))
    expect(await xmlFacts(texts)).toHaveLength(documents.length)
  })
})

test('so is what any few habits make together', async () => {
  const seed = seedOf('formats/well-formed.test.ts')
  const few = (choices: readonly string[]) =>
    fc.subarray([...choices], { maxLength: 4 }).map((chosen) => chosen.join(','))
  const together = fc.record({
    LEGACY_XML_STYLE: fc.constantFrom(...listed('LEGACY_XML_STYLE')),
    LEGACY_XML_FLAGS: few(listed('LEGACY_XML_FLAGS')),
    LEGACY_XML_INDENT: fc.constantFrom('none', 'tab', '0', '4'),
    LEGACY_FIELDS: few(listed('LEGACY_FIELDS')),
    LEGACY_UNKNOWN_XML: fc.constantFrom(...listed('LEGACY_UNKNOWN_XML')),
  })
  const isAllowed = ({ LEGACY_XML_FLAGS }: Settings) =>
    LEGACY_XML_FLAGS === '' || settings.LEGACY_XML_FLAGS.parse(LEGACY_XML_FLAGS ?? '') !== undefined
  const all = fc.sample(fc.tuple(together.filter(isAllowed), answer), { seed, numRuns: 60 })
  for (const [chosen, one] of all) {
    const flags = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''))
    const { dialect } = readConfig({ flags })
    const spoken = legacyEvents(dialect)
    const documents = [...made, one].map(({ event, values, entries }) => {
      const inOrder = spoken.find(({ name }) => name === event.name) ?? event
      return toBuffer(formats.XML.answers(inOrder, dialect)(values, entries)).toString()
    })
    expect(await xmlFacts(documents), JSON.stringify(flags)).toHaveLength(documents.length)
  }
})

test('without characters that XML cannot carry, none is replaced', () => {
  const [event] = events
  if (event === undefined) throw new Error('there is no event')
  const carried = 'é\x85\u2028\ufdd0\u{10ffff}'
  for (const style of ['dom', 'xmlwriter', 'plain']) {
    const dialect = dialectOf({ style, unknown: 'empty', flags: 'no-newline', indent: 'none' })
    expect(formats.XML.answers(event, dialect)([carried], [null])).toContain(
      `"${Buffer.from(carried).toString('latin1')}"`,
    )
  }
})

function dialectOf({ style = '', unknown = '', flags = '', indent = '' }: Settings) {
  return readConfig({
    flags: {
      LEGACY_XML_STYLE: style,
      LEGACY_UNKNOWN_XML: unknown,
      LEGACY_XML_INDENT: indent,
      ...(flags === '' ? {} : { LEGACY_XML_FLAGS: flags }),
    },
  }).dialect
}

function toBuffer(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1')
}
