// schema/legacy.xsd is written by hand. It has what the declarations of the fields have.

import { expect, test } from 'vitest'
import { relations } from '../../src/data/relations.ts'
import { readReferences } from '../../src/html-text.ts'
import { legacyEvents } from '../../src/legacy/events.ts'
import { publishedXsd } from '../legacy/support/documents.ts'

const element =
  /<xs:element name="(?<name>\w+)"(?<head>[^>]*)>\s*<xs:annotation>\s*<xs:documentation>(?<text>.*?)<\/xs:documentation>(?<rest>.*?)<\/xs:element>/gs

/** The texts of a boolean, and the sentence about them. */
const booleans = {
  confirmed: { text: 'In XML it is 0 or 1.', values: ['0', '1'] },
  banned: { text: 'In XML it is empty for false, and 1 for true.', values: ['', '1'] },
} as const

test('each field is there, in order, with its type, description, length and values', () => {
  const published = Array.from(publishedXsd.matchAll(element), ({ groups = {} }) => {
    const { name, head = '', text = '', rest = '' } = groups
    return {
      name,
      text: readReferences(text),
      type: /(?:type|base)="xs:(\w+)"/.exec(head + rest)?.[1],
      maxLength: /<xs:maxLength value="(\d+)"/.exec(rest)?.[1],
      values: Array.from(rest.matchAll(/<xs:enumeration value="(.*?)"/g), ([, value]) => value),
    }
  })
  const declared = legacyEvents.flatMap(({ subject, fields }) =>
    fields.map(({ name, source, kind, description }) => {
      const boolean = kind === 'confirmed' || kind === 'banned' ? booleans[kind] : null
      const length = relations[subject].columns.find((column) => column.name === source)?.maxLength
      return {
        name,
        text: boolean === null ? description : `${description} ${boolean.text}`,
        type: kind === 'id' || kind === 'number' ? 'integer' : 'string',
        maxLength: length === undefined ? undefined : String(length),
        values: boolean?.values ?? [],
      }
    }),
  )
  expect(published).toEqual(declared)
})
