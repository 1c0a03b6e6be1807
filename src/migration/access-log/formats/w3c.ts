// The W3C extended log file format: a line "#Fields:" names the fields of the lines after it. IIS and
// CloudFront write it, each in its own way.

import { addressIn, type LoggedRequest, type NoRequest } from '../line.ts'
import { createTimeReader } from '../time.ts'
import { type LineReader, plainFormat } from './format.ts'

interface W3cHabits {
  readonly separator: ' ' | '\t'
  /** Decodes a User-Agent or a Referer. */
  readonly decodeText: (text: string) => string
  readonly decodeQuery: (text: string) => string
}

/** Fields of a line; no server writes more. */
const MAX_FIELDS = 200

function createReader({ separator, decodeText, decodeQuery }: W3cHabits): LineReader {
  const timeOf = createTimeReader()
  let place: Readonly<Record<string, number>> | null = null
  let fields = 0

  return (line) => {
    if (line.startsWith('#')) {
      // The fields may change within a file, when the operator has chosen others.
      const names = /^#Fields:(.*)$/i.exec(line)?.[1]?.trim().toLowerCase().split(/\s+/, MAX_FIELDS)
      if (names === undefined) return null
      place = Object.fromEntries(names.map((name, at) => [name, at]))
      fields = names.length
      return null
    }
    if (place === null) return 'no fields'
    const values = line.split(separator, MAX_FIELDS)
    if (values.length < fields) return 'unreadable'
    return callOf(values, place)
  }

  function callOf(
    values: readonly string[],
    place: Readonly<Record<string, number>>,
  ): LoggedRequest | NoRequest {
    const value = (...names: readonly string[]) => {
      for (const name of names) {
        const found = values[place[name] ?? -1]
        if (found !== undefined && found !== '-' && found !== '') return found
      }
      return ''
    }
    if (place['cs-uri-stem'] === undefined && place['cs-uri'] === undefined) return 'no fields'
    const stem = value('cs-uri-stem', 'cs-uri')
    if (stem === '') return 'no request'
    const query = value('cs-uri-query')
    return {
      method: value('cs-method') || 'GET',
      target: query === '' ? stem : `${stem}?${decodeQuery(query)}`,
      address: addressIn(decodeText(value('x-forwarded-for', 'cs(x-forwarded-for)', 'c-ip'))),
      userAgent: decodeText(value('cs(user-agent)')),
      referer: decodeText(value('cs(referer)')),
      time:
        place.date === undefined ? timeOf(value('timestamp')) : timeOf(`${value('date')} ${value('time')}Z`),
    }
  }
}

/** IIS writes times in UTC, and `+` for the blanks of a User-Agent. */
const iisHabits: W3cHabits = {
  separator: ' ',
  decodeText: (text) => text.replaceAll('+', ' '),
  decodeQuery: (text) => text,
}
/** Without the lines at its beginning, a file of IIS can be recognised by its dates, but not read. */
const iisLine =
  /^#(?:Software|Version|Date|Fields|Start-Date|End-Date|Remark):|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ \S/

export const iis = plainFormat(
  'IIS W3C',
  () => createReader(iisHabits),
  (line) => iisLine.test(line),
)

/** CloudFront writes tabs, and percent-encodes. Some texts are encoded twice: "%2520". */
const cloudfrontHabits: W3cHabits = {
  separator: '\t',
  decodeText: (text) => decoded(decoded(text)),
  // A percent sign of the client is "%25": it is the only encoding that the client cannot have sent itself.
  decodeQuery: (text) => text.replace(/%25(?=[0-9A-Fa-f]{2})/g, '%'),
}
const cloudfrontLine = /^#Fields:.{0,200}\bx-edge-|^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}\d+[-\t]/

export const cloudfront = plainFormat(
  'CloudFront',
  () => createReader(cloudfrontHabits),
  (line) => cloudfrontLine.test(line),
)

function decoded(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
