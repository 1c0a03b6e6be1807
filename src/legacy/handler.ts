// A legacy lookup, from its query string to its response: read (request.ts), execute the stored GraphQL
// operation, write (json.ts, xml.ts), add headers. All old clients notice a change of the bytes or headers.
// The tests are in test/legacy.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Caller } from '../caller.ts'
import { checkResponseSize } from '../data/response-size.ts'
import { LookupError } from '../errors.ts'
import type { Observe } from '../observe/events.ts'
import { etagOf, type HttpResponse } from '../response.ts'
import { type Dialect, formatNames } from './dialect.ts'
import type { LegacyResponse } from './errors.ts'
import type { SchemaRows } from './events.ts'
import { createFacade } from './facade.ts'
import { AppLookupDocument, ProfileLookupDocument } from './operations.generated.ts'
import type { LegacyRequest } from './request.ts'
import { createResponseCache } from './response-cache.ts'

interface LegacyHandler {
  /** Whether a query string asks for a lookup. If not, a browser gets the explorer. */
  readonly isLookup: (query: string) => boolean
  /** Responds to a query string (without its `?`); never throws. */
  readonly handle: (query: string, caller: Caller) => HttpResponse | Promise<HttpResponse>
  /** The response to a request that is refused before its query string is read. */
  readonly refuse: (error: LookupError, query: string) => HttpResponse
}

/** Runs a stored GraphQL operation. */
export type ExecuteStored = <Data, Variables extends Readonly<Record<string, unknown>>>(
  operation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  caller: Caller | null,
) => Promise<Data>

/** The settings of the legacy interface that are not part of the dialect. */
export interface LegacySettings {
  /** Distinct values in one request. */
  readonly maxValues: number
  /** Seconds for Cache-Control. */
  readonly maxAge: number
  readonly deprecation: Date | null
  readonly sunset: Date | null
  readonly sunsetLink: string | null
}

interface LegacyOptions {
  readonly dialect: Dialect
  readonly settings: LegacySettings
  /** Bytes of all texts of a response. */
  readonly maxResponseBytes: number
  readonly execute: ExecuteStored
  /** Changes whenever the data does; null if the store cannot tell, and no response is cached. */
  readonly version: (() => number) | null
  readonly observe: Observe
}

export function createLegacyHandler(options: LegacyOptions): LegacyHandler {
  const { dialect, settings, maxResponseBytes, execute, version, observe } = options
  const facade = createFacade(dialect, settings.maxValues)
  const common = legacyHeaders(settings)
  const cached = [...common, 'Cache-Control', `public, max-age=${settings.maxAge}`]
  const uncached = [...common, 'Cache-Control', 'no-store']
  const found = {
    json: [...cached, ...typeHeaders(dialect.json.type)],
    xml: [...cached, ...typeHeaders(dialect.xml.type, dialect.xml.markup === 'plain')],
  }
  const cache = version === null ? null : createResponseCache(version)

  function handle(query: string, caller: Caller): HttpResponse | Promise<HttpResponse> {
    try {
      return cache === null ? lookUp(query, caller) : cache(query, caller, lookUp)
    } catch (error) {
      return fail(error, query, caller)
    }
  }

  async function lookUp(query: string, caller: Caller): Promise<HttpResponse> {
    try {
      const request = facade.read(query)
      const rows = await findRows(execute, request, caller)
      checkResponseSize(rows, rows.length * request.event.fields.length, maxResponseBytes)
      return respond(request, facade.write(request, rows))
    } catch (error) {
      return fail(error, query, caller)
    }
  }

  function respond(
    { event, format, values }: LegacyRequest,
    { status, type, body }: LegacyResponse,
  ): HttpResponse {
    const about = { event: event.name, format: formatNames[format], outcome: 'ok', values: values.length }
    // A dialect may contain an error response for a lookup that finds nothing. Caches must not keep it.
    const caching = status === 200 ? cached : uncached
    const isUsual = status === 200 && type === dialect[format].type
    const headers = isUsual ? found[format] : [...caching, ...typeHeaders(type)]
    return { status, headers, body, etag: etagOf(body), about, isLegacy: true }
  }

  function fail(error: unknown, query: string, { requestId }: Caller): HttpResponse {
    if (!(error instanceof LookupError)) observe({ type: 'unexpected', requestId, error })
    return refuse(error instanceof LookupError ? error : new LookupError('Internal', [], error), query)
  }

  function refuse(error: LookupError, query: string): HttpResponse {
    const { event, format } = facade.readRefused(query)
    const { status, type, body } = facade.refuse(error, format)
    const headers = [...uncached, ...typeHeaders(type)]
    if (error.retryAfter !== undefined) headers.push('Retry-After', String(error.retryAfter))
    const about = {
      event: event?.name ?? 'none',
      format: formatNames[format],
      outcome: error.code,
      values: 0,
    }
    return { status, headers, body, etag: null, about, isLegacy: true }
  }

  return { isLookup: facade.isLookup, handle, refuse }
}

/**
 * Finds the row of each value, in order. The store gets keys instead of values: 7 and 007 have one key, and a
 * malformed value has the key null.
 */
export async function findRows(
  execute: ExecuteStored,
  request: LegacyRequest,
  caller: Caller | null,
): Promise<SchemaRows> {
  const { event, method, values, keys, mayRepeat, isExcluded } = request
  const known = areAllKeys(keys) ? keys : keys.filter((key) => key !== null)
  const lookedUp = mayRepeat ? [...new Set(known)] : known
  const { entries } =
    event.subject === 'apps'
      ? await execute(AppLookupDocument, { values: lookedUp }, caller)
      : await execute(ProfileLookupDocument, { by: method ?? 'ID', values: lookedUp }, caller)
  if (entries === null) throw new Error(`${event.name} has neither entries nor an error`)
  if (lookedUp === keys && isExcluded === null) return entries
  const rows = new Map(lookedUp.map((key, at) => [key, entries[at] ?? null]))
  return keys.map((key, at) => {
    const row = key === null ? null : (rows.get(key) ?? null)
    return row === null || isExcluded?.(values[at] ?? '', row) ? null : row
  })
}

const areAllKeys = (keys: readonly (string | null)[]): keys is readonly string[] => !keys.includes(null)

function typeHeaders(type: string, hasMarkup = false): readonly string[] {
  // A browser shows such a response as a page; it must not run scripts from names of users.
  const guard =
    hasMarkup || /html|svg/i.test(type) ? ['Content-Security-Policy', "default-src 'none'; sandbox"] : []
  return ['Content-Type', type, ...guard]
}

/** The headers of every legacy response, as name, value, name, value. */
export function legacyHeaders({ deprecation, sunset, sunsetLink }: LegacySettings): readonly string[] {
  const headers = ['Access-Control-Allow-Origin', '*', 'X-Content-Type-Options', 'nosniff']
  /** Pages of other origins may read these headers besides the safelisted ones of Fetch. */
  const exposed = ['ETag', 'Retry-After', 'X-Request-Id']
  function add(name: string, value: string): void {
    headers.push(name, value)
    exposed.push(name)
  }
  // RFC 9745 writes the date as a structured field, RFC 8594 as an HTTP date.
  if (deprecation !== null) add('Deprecation', `@${Math.floor(deprecation.getTime() / 1000)}`)
  if (sunset !== null) add('Sunset', sunset.toUTCString())
  // RFC 9745 section 3 and RFC 8594 section 6: one page explains both.
  if (sunsetLink !== null) add('Link', `<${sunsetLink}>; rel="deprecation", <${sunsetLink}>; rel="sunset"`)
  return [...headers, 'Access-Control-Expose-Headers', exposed.join(', ')]
}
