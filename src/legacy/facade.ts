// A dialect, compiled: reads requests, writes responses. The gateway and the probe run the same functions.

import { LookupError } from '../errors.ts'
import { usernameKey } from '../model.ts'
import { arrangerOf } from './arrange.ts'
import { utf8 } from './ascii.ts'
import type { Dialect, Format, LookupSubject } from './dialect.ts'
import { type LegacyResponse, type Refuse, RefusedRequest, recordedWriter, refuserOf } from './errors.ts'
import type { SchemaRow, SchemaRows } from './events.ts'
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

/** Puts a body in the form of JSONP. The form has what stands around the JSON. */
function callbackWriter({ json }: Dialect): (callback: string, body: string) => string {
  const encode = charsetEncoder(json.charset)
  const before = encode(utf8(json.before)).length
  const form = encode(utf8(json.callback ?? '{json}'))
  return (callback, body) =>
    form
      .replaceAll('{callback}', () => callback)
      .replace('{json}', () => body.slice(before, body.length - json.end.length))
}

/** Rows in memory instead of a store: those that a probe has seen, or an example of the documentation. */
export interface KnownRows {
  readonly users: readonly (SchemaRow & { readonly chatId?: string })[]
  readonly apps: readonly (SchemaRow & { readonly id: string | number })[]
}

/** Finds the rows of a request among known rows, as a store does. */
export function rowFinder({ users, apps }: KnownRows): (request: LegacyRequest) => SchemaRows {
  const byId = {
    users: new Map(users.map((row) => [String(row.id), row])),
    apps: new Map(apps.map((row) => [String(row.id), row])),
  }
  const byUsername = new Map(users.map((row) => [usernameKey(String(row.username)), row]))
  const byChat = new Map(users.map((row) => [row.chatId, row]))
  return ({ event, method, values, keys, isExcluded }) =>
    keys.map((key, at) => {
      if (key === null) return null
      const row: SchemaRow | undefined =
        method === 'ID'
          ? byId[event.subject].get(key)
          : method === 'USERNAME'
            ? byUsername.get(usernameKey(key))
            : byChat.get(key)
      return row === undefined || isExcluded?.(values[at] ?? '', row) ? null : row
    })
}

/** The response to a query string over known rows. */
export function legacyResponseTo(
  facade: Facade,
  find: (request: LegacyRequest) => SchemaRows,
  query: string,
): LegacyResponse {
  let format: Format | null = null
  try {
    const request = facade.read(query)
    format = request.format
    return facade.write(request, find(request))
  } catch (error) {
    if (error instanceof LookupError) return facade.refuse(error, format ?? facade.readRefused(query).format)
    throw error
  }
}
