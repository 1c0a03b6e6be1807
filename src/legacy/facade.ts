// Compiles a dialect to functions that read requests and write responses. Each byte of a legacy response
// comes from here. The gateway and the probe run the same functions.

import { arrangerOf } from './arrange.ts'
import { utf8 } from './ascii.ts'
import type { Dialect, LookupSubject } from './dialect.ts'
import { type LegacyResponse, type Refuse, RefusedRequest, recordedWriter, refuserOf } from './errors.ts'
import type { SchemaRows } from './events.ts'
import { jsonWriter } from './json.ts'
import { createRequestReader, type LegacyRequest, type RequestReader } from './request.ts'
import { charsetEncoder } from './text.ts'
import { xmlWriter } from './xml.ts'

export interface Facade extends RequestReader {
  /**
   * Writes the response to a request.
   * @throws RefusedRequest if the dialect refuses a request with a missing row
   */
  readonly write: (request: LegacyRequest, rows: SchemaRows) => LegacyResponse
  readonly refuse: Refuse
}

export function createFacade(dialect: Dialect, maxValues: number): Facade {
  const writeRecorded = recordedWriter(dialect)
  const arrange = { json: arrangerOf(dialect, 'json'), xml: arrangerOf(dialect, 'xml') }
  const writersOf = (subject: LookupSubject) => ({
    json: jsonWriter(dialect, subject),
    xml: xmlWriter(dialect, subject),
  })
  const writers = { users: writersOf('users'), apps: writersOf('apps') }
  const inCallback = callbackWriter(dialect)
  const isMissingRefused = dialect.read.missing === 'refuse'

  function write(request: LegacyRequest, rows: SchemaRows): LegacyResponse {
    const { event, format, values, callback } = request
    const { subject } = event
    const missing = isMissingRefused ? rows.indexOf(null) : -1
    if (missing !== -1) throw missingRefusal(subject, values[missing] ?? '')
    const entries = arrange[format](request, rows)
    const nothing = dialect.nothing[subject][format]
    if (nothing !== null && rows.every((row) => row === null))
      return writeRecorded(nothing, entries.names[0] ?? values[0] ?? '')
    const body = writers[subject][format](entries)
    const isWrapped = callback !== null && format === 'json'
    return { status: 200, type: dialect[format].type, body: isWrapped ? inCallback(callback, body) : body }
  }

  return {
    ...createRequestReader(dialect, maxValues),
    write,
    refuse: refuserOf(dialect, writeRecorded),
  }
}

function missingRefusal(subject: LookupSubject, value: string): RefusedRequest {
  const [kind, what] =
    subject === 'users' ? (['missingUser', 'user'] as const) : (['missingApp', 'app'] as const)
  return new RefusedRequest(kind, value, 'NothingFound', [`There is no ${what} ${value}.`])
}

/** Puts a body in the form of JSONP, without the texts before and after the JSON: the form has its own. */
function callbackWriter({ json }: Dialect): (callback: string, body: string) => string {
  const encode = charsetEncoder(json.charset)
  const before = encode(utf8(json.before)).length
  const form = encode(utf8(json.callback ?? '{json}'))
  return (callback, body) =>
    form
      .replaceAll('{callback}', () => callback)
      .replace('{json}', () => body.slice(before, body.length - json.end.length))
}
