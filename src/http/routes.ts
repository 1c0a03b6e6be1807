// The routes of the public port: lookups, GraphQL, pages and files, and HEALTH_PATH. app.ts gives each route
// its path.

import type { IncomingMessage } from 'node:http'
import { accepted } from '../accept.ts'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { GraphqlResponder, HttpResponse } from '../response.ts'
import { createBodyReader } from './body.ts'
import { graphqlRefusal, preflight, refusal } from './respond.ts'

/** The parts of a request that routes read. */
export interface RequestContext extends Caller {
  readonly request: IncomingMessage
  /** The query string, without its `?`. */
  readonly query: string
  /** `null` if there is no body, or the route does not read it. */
  readonly body: Buffer<ArrayBuffer> | null
}

export interface Route {
  readonly handle: (context: RequestContext) => HttpResponse | Promise<HttpResponse>
  /** The response to a request that is refused. */
  readonly refuse: (error: LookupError, context: RequestContext) => HttpResponse
  /** Reads the body of a request; `null` if the route needs no body. Rejects with a LookupError. */
  readonly readBody?: (request: IncomingMessage) => Promise<Buffer<ArrayBuffer>> | null
  /** A health check is subject to no overload control and no RATE_LIMIT. */
  readonly isHealthCheck?: true
  /** ACCESS_LOG lists the requests of this route. */
  readonly isLegacy?: true
}

/** The old interface. Each query string is without its `?`. */
export interface LegacyResponder {
  /** Whether the query string is that of a lookup. A person who opens the address in a browser sends none. */
  readonly isLookup: (query: string) => boolean
  readonly handle: (query: string, caller: Caller) => HttpResponse | Promise<HttpResponse>
  readonly refuse: (error: LookupError, query: string) => HttpResponse
}

/** How the gateway itself responds to one request. */
export interface NewSide {
  readonly answer: () => HttpResponse | Promise<HttpResponse>
  readonly refuse: (error: LookupError) => HttpResponse
}

/** Sees legacy requests and their responses, and passes some requests to the old service. */
export interface Divert {
  /** Reads the body of a request that is passed on; `null` if the gateway itself responds. */
  readonly readBody: (request: IncomingMessage) => Promise<Buffer<ArrayBuffer>> | null
  readonly handle: (context: RequestContext, newSide: NewSide) => HttpResponse | Promise<HttpResponse>
}

const READ_METHODS = 'GET, HEAD'
const notAllowed = new LookupError('MethodNotAllowed', [READ_METHODS])
const legacyPreflight = preflight(`${READ_METHODS}, OPTIONS`, 'none')
const graphqlPreflight = preflight('GET, POST, OPTIONS', 'graphql')
const noBody = Buffer.alloc(0)

export function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

const withHeader = (result: HttpResponse, name: string, value: string): HttpResponse => ({
  ...result,
  headers: [...result.headers, name, value],
})
const withAllow = (refused: HttpResponse) => withHeader(refused, 'Allow', READ_METHODS)

/** @param explorer the page for browsers that request no lookup; `null` if it is switched off */
export function legacyRoutes(
  legacy: LegacyResponder,
  paths: readonly string[],
  explorer: (() => HttpResponse) | null,
  divert: Divert | null,
): { readonly routes: ReadonlyMap<string, Route>; readonly nowhere: Route } {
  const refuse: Route['refuse'] = (error, { query }) => legacy.refuse(error, query)
  const notFound = new LookupError('NotFound', [paths.join(', ')])
  const nowhere: Route = { handle: () => refusal(notFound), refuse }
  const answer: Route['handle'] = (context) => {
    const { request, query } = context
    if (isReading(request)) return legacy.handle(query, context)
    return request.method === 'OPTIONS'
      ? legacyPreflight(request)
      : withAllow(legacy.refuse(notAllowed, query))
  }
  const diverted = divert && {
    handle: (context: RequestContext) =>
      divert.handle(context, { answer: () => answer(context), refuse: (error) => refuse(error, context) }),
    readBody: divert.readBody,
  }
  const lookups: Route = { ...(diverted ?? { handle: answer }), refuse, isLegacy: true }
  const isPage = ({ request, query }: RequestContext) =>
    isReading(request) && accepted(request.headers.accept).html && !legacy.isLookup(query)
  // The explorer has relative links, so it is shown at `/` only, even if lookups have other paths.
  const root = paths.includes('/') ? lookups : nowhere
  const handle: Route['handle'] = (context) =>
    explorer !== null && isPage(context) ? explorer() : root.handle(context)
  return {
    routes: new Map([...paths.map((path) => [path, lookups] as const), ['/', { ...root, handle }]]),
    nowhere,
  }
}

/**
 * @param graphiql the page for browsers; `null` if it is switched off
 * @param maxBody bytes of a request body
 */
export function graphqlRoute(
  respond: GraphqlResponder,
  graphiql: (() => Promise<HttpResponse>) | null,
  maxBody: number,
): Route {
  const readBody = createBodyReader(maxBody)
  return {
    handle: (context) => {
      const { request, query, body } = context
      if (request.method === 'OPTIONS') return graphqlPreflight(request)
      if (graphiql !== null && isReading(request) && accepted(request.headers.accept).html) return graphiql()
      return respond(request, query, body ?? noBody, context)
    },
    refuse: (error, { request }) => {
      const refused = graphqlRefusal(error, request.headers.accept)
      // RFC 9110, 15.5.16: a 415 names the codings that would be accepted.
      return error.code === 'CompressedBody' ? withHeader(refused, 'Accept-Encoding', 'identity') : refused
    },
    readBody: (request) => (request.method === 'OPTIONS' ? null : readBody(request)),
  }
}

/** A route for GET and HEAD only. */
export function readRoute(
  handle: (query: string, caller: Caller) => HttpResponse | Promise<HttpResponse>,
): Route {
  return {
    handle: (context) =>
      isReading(context.request) ? handle(context.query, context) : withAllow(refusal(notAllowed)),
    refuse: refusal,
  }
}

/**
 * HEALTH_PATH: readiness on the public port, for platforms that know one port only. The response has no
 * details.
 * @param check rejects if lookups fail
 */
export function healthRoute(check: () => Promise<void> | void): Route {
  const handle = async () => {
    try {
      await check()
      return ready
    } catch {
      return unready
    }
  }
  return { ...readRoute(handle), isHealthCheck: true }
}

const healthResponse = (status: number, outcome: string, body: string): HttpResponse => ({
  status,
  body,
  etag: null,
  headers: ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'],
  about: { event: 'health', format: 'JSON', outcome, values: 0 },
})
const ready = healthResponse(200, 'ok', 'ready\n')
const unready = healthResponse(503, 'Unavailable', 'not ready\n')
