// The W3C extended log file format: a line "#Fields:" says which fields the lines after it have. IIS and
// CloudFront write it, each in its own way.

import { addressIn, type LoggedRequest, type NoRequest } from '../line.ts'
import { createTimeReader } from '../time.ts'
import type { LineReader } from './format.ts'

export interface W3cHabits {
  readonly separator: ' ' | '\t'
  /** What stands for a User-Agent or a Referer. */
  readonly decodeText: (text: string) => string
  readonly decodeQuery: (text: string) => string
}

/** Fields of a line; no server writes more. */
const MAX_FIELDS = 200

type Place = Readonly<Record<string, number>>

export function createW3cReader({ separator, decodeText, decodeQuery }: W3cHabits): LineReader {
  const timeOf = createTimeReader()
  let places: Place | null = null
  let fields = 0

  return (line) => {
    if (line.startsWith('#')) {
      // It may change within a file, when the operator has chosen others.
      const names = /^#Fields:(.*)$/i.exec(line)?.[1]?.trim().toLowerCase().split(/\s+/, MAX_FIELDS)
      if (names === undefined) return null
      places = Object.fromEntries(names.map((name, at) => [name, at]))
      fields = names.length
      return null
    }
    if (places === null) return 'no fields'
    const values = line.split(separator, MAX_FIELDS)
    if (values.length < fields) return 'unreadable'
    return requestOf(values, places)
  }

  function requestOf(values: readonly string[], place: Place): LoggedRequest | NoRequest {
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
