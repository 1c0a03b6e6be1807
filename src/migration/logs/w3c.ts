// The W3C extended log file format: a line "#Fields:" names the fields of the lines after it. IIS and
// CloudFront write it, each in its own way.

import { type Fields, type LineReader, type LogFormat, requestOf } from './request.ts'
import { createTimeReader } from './time.ts'

/** The fields of each role; the first that has a value counts. */
const names = {
  method: ['cs-method'],
  target: ['cs-uri-stem', 'cs-uri'],
  query: ['cs-uri-query'],
  address: ['x-forwarded-for', 'cs(x-forwarded-for)', 'c-ip'],
  userAgent: ['cs(user-agent)'],
  referer: ['cs(referer)'],
} as const

/** Fields of a line; no server writes more. */
const MAX_FIELDS = 200

interface Habits {
  readonly separator: ' ' | '\t'
  /** Decodes an address, a User-Agent or a Referer. */
  readonly decodeText: (text: string) => string
  readonly decodeQuery: (text: string) => string
}

function createReader(
  isOwnHeader: (line: string) => boolean,
  { separator, decodeText, decodeQuery }: Habits,
): LineReader {
  const timeOf = createTimeReader()
  let places = new Map<string, number>()
  let fields = 0

  return (line) => {
    if (line.startsWith('#')) {
      if (!isOwnHeader(line)) return 'unreadable'
      // The fields may change within a file, when the operator has chosen others.
      const header = line.slice('#Fields:'.length).trim().toLowerCase().split(/\s+/, MAX_FIELDS)
      places = new Map(header.map((name, at) => [name, at]))
      fields = header.length
      return 'comment'
    }
    if (!names.target.some((name) => places.has(name))) return 'no fields'
    const values = line.split(separator, MAX_FIELDS)
    if (values.length < fields) return 'unreadable'
    const found = fieldsOf(values)
    // Another program's line may have as many words.
    const isTarget = found.target === undefined || /^(?:\/|\*|https?:)/.test(found.target)
    const isTime = found.time === undefined || /^\d[-\d:.T /]+Z?$/.test(found.time)
    return isTarget && isTime ? requestOf(found, timeOf, (text) => text) : 'unreadable'
  }

  function fieldsOf(values: readonly string[]): Fields {
    const value = (...wanted: readonly string[]) => {
      const found = wanted.map((name) => values[places.get(name) ?? -1])
      return found.find((text) => text !== undefined && text !== '-' && text !== '')
    }
    const [date, time] = [value('date'), value('time')]
    return {
      method: value(...names.method),
      target: value(...names.target),
      query: decodeQuery(value(...names.query) ?? ''),
      address: decodeText(value(...names.address) ?? ''),
      userAgent: decodeText(value(...names.userAgent) ?? ''),
      referer: decodeText(value(...names.referer) ?? ''),
      // Times are in UTC.
      time: date === undefined ? value('timestamp') : `${date} ${time ?? ''}Z`,
    }
  }
}

/** Other directives than #Fields say nothing about lines. */
export const isRemark = (line: string) =>
  /^#(?:Software|Version|Date|Start-Date|End-Date|Remark):/i.test(line)
const isHeader = (line: string) => /^#Fields:/i.test(line)
const isCloudfrontHeader = (line: string) => /^#Fields:.{0,200}\bx-edge-/i.test(line)

/** IIS writes `+` for the blanks of a User-Agent. */
export const iis: LogFormat = {
  name: 'IIS W3C',
  // Without its header, a line can be recognised by its date, but not read.
  detect: /^#Fields:|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ \S/i,
  open: () =>
    createReader((line) => isHeader(line) && !isCloudfrontHeader(line), {
      separator: ' ',
      decodeText: (text) => text.replaceAll('+', ' '),
      decodeQuery: (text) => text,
    }),
}

/** CloudFront writes tabs, and percent-encodes. Some texts are encoded twice: "%2520". */
export const cloudfront: LogFormat = {
  name: 'CloudFront',
  detect: /^#Fields:.{0,200}\bx-edge-|^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}\d+[-\t]/i,
  open: () =>
    createReader(isCloudfrontHeader, {
      separator: '\t',
      decodeText: (text) => decoded(decoded(text)),
      // A percent sign of the client is "%25": the only encoding that the client cannot have sent itself.
      decodeQuery: (text) => text.replace(/%25(?=[0-9A-Fa-f]{2})/g, '%'),
    }),
}

function decoded(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
