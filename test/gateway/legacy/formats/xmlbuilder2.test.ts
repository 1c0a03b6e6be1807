// The XML writer against xmlbuilder2, byte for byte; and what neither it nor PHP can be asked: lone
// surrogates.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import type { FieldValue } from '../../../../src/gateway/legacy/events/event.ts'
import { seedOf } from '../../../kit/generate.ts'
import { type Answer, answer, dialect, events, write } from '../support/answers.ts'
import { xmlText } from '../support/facts.ts'

test('XML is the bytes of xmlbuilder2', () => {
  const seed = seedOf('formats/xmlbuilder2.test.ts')
  const same = fc.property(answer, (made) => {
    expect(write(made, 'XML')).toBe(build(made))
  })
  fc.assert(same, { seed, numRuns: 600 })
})

function build({ event, values, entries }: Answer): string {
  const root = create({ version: '1.0' }).ele(`${dialect.serviceName}API`)
  values.forEach((value, index) => {
    const data = root.ele('Data', { Value: escapeBlanks(escapeAmpersands(value)) })
    const entry = entries[index]
    if (entry === null || entry === undefined) return
    for (const { name, source, xml } of event.fields) {
      const content = escapeAmpersands(inXml(entry[source], xml))
      if (content === '') data.ele(name)
      else data.ele(name).txt(content)
    }
  })
  const [declaration, document] = root.end({ prettyPrint: false }).split(/(?<=^<\?xml version="1.0"\?>)/)
  return `${declaration}\n${toAscii(document ?? '')}\n`
}

function inXml(value: FieldValue | undefined, xml: 'digit' | 'flag' | undefined): string {
  if (xml === undefined) return String(value)
  return value === true ? '1' : xml === 'digit' ? '0' : ''
}

// xmlbuilder2 takes whatever looks like a reference for one (its issues #116, #117), so that an ampersand has
// to reach it escaped.
function escapeAmpersands(text: string): string {
  return xmlText(text).replaceAll('&', '&amp;')
}

// It writes blanks in attributes as they are, where a parser would turn them into spaces.
function escapeBlanks(text: string): string {
  return text.replace(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`)
}

// Its document is in Unicode; PHP's names no encoding and is in ASCII, and keeps carriage returns from
// parsers.
function toAscii(document: string): string {
  return document.replace(
    /[\r\u{80}-\u{10ffff}]/gu,
    (character) => `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`,
  )
}

describe('a lone surrogate', () => {
  const high = '\ud83c'
  const low = '\udf38'
  const [profile] = events
  if (profile === undefined) throw new Error('there is no event')
  const entry = { id: 1, username: `a${high}`, displayName: `${low}${high}b`, rank: 1, joinDate: 1 }
  const made: Answer = {
    event: profile,
    values: [`${low}x`, `${high}${low}`],
    entries: [{ ...entry, isConfirmed: true, banned: false }, null],
  }

  test('becomes \\ufffd in JSON', () => {
    expect(write(made, 'JSON')).toBe(
      '{"\\ufffdx":{"Id":1,"Username":"a\\ufffd","DisplayName":"\\ufffd\\ufffdb",' +
        '"Rank":1,"JoinDate":1,"IsConfirmed":true,"Banned":false},"\\ud83c\\udf38":null}',
    )
  })

  test('becomes &#xFFFD; in XML', () => {
    expect(write(made, 'XML')).toBe(
      '<?xml version="1.0"?>\n<ServiceAPI><Data Value="&#xFFFD;x"><Id>1</Id><Username>a&#xFFFD;</Username>' +
        '<DisplayName>&#xFFFD;&#xFFFD;b</DisplayName><Rank>1</Rank><JoinDate>1</JoinDate>' +
        '<IsConfirmed>1</IsConfirmed><Banned/></Data><Data Value="&#x1F338;"/></ServiceAPI>\n',
    )
  })
})
