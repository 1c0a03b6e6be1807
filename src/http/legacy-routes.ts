import type { IncomingMessage } from 'node:http'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import { accepted } from '../gateway/accept.ts'
import type { Answer } from '../gateway/answer.ts'
import { preflight } from './preflight.ts'
import { refusal } from './respond.ts'
import { isReading, notAllowed, type RequestContext, type Route, withAllow } from './route.ts'

/** What the legacy interface does with a query string (without its `?`). */
export interface Legacy {
  /** Whether it asks for a lookup, rather than coming from a person with a browser. */
  readonly isLookup: (query: string) => boolean
  readonly answer: (query: string, caller: Caller) => Answer | Promise<Answer>
  readonly refuse: (error: LookupError, query: string) => Answer
}

/** What the gateway itself can do for a request to the legacy interface. */
export interface OwnSide {
  readonly answer: () => Answer | Promise<Answer>
  readonly refuse: (error: LookupError) => Answer
}

/** Passes requests of some clients to the old service. */
export interface Divert {
  /** Reads the body of a request that is passed on; `null` if the gateway itself answers. */
  readonly readBody: (request: IncomingMessage) => Promise<Buffer<ArrayBuffer>> | null
  readonly handle: (context: RequestContext, own: OwnSide) => Answer | Promise<Answer>
}

/**
 * The routes of the paths on which lookups are answered, and the one of all paths that nothing answers for.
 * @param explorer the page for browsers that ask for no lookup; `null` if it is switched off
 */
export function legacyRoutes(
  legacy: Legacy,
  paths: readonly string[],
  explorer: (() => Answer) | null,
  divert: Divert | null = null,
): { readonly routes: ReadonlyMap<string, Route>; readonly nowhere: Route } {
  const notFound = new LookupError('NotFound', [paths.join(', ')])
  const nowhere: Route = {
    handle: () => refusal(notFound),
    refuse: (error, { query }) => legacy.refuse(error, query),
  }
  const lookups = lookupRoute(legacy, divert)
  const root = withPage(legacy, explorer, paths.includes('/') ? lookups : nowhere)
  // Below another path, the links of the page would lead astray.
  return { routes: new Map([...paths.map((path) => [path, lookups] as const), ['/', root]]), nowhere }
}

const answerPreflight = preflight('GET, HEAD, OPTIONS', 'none')

function lookupRoute(legacy: Legacy, divert: Divert | null): Route {
  const answer: Route['handle'] = (context) => {
    const { request, query } = context
    if (isReading(request)) return legacy.answer(query, context)
    return request.method === 'OPTIONS'
      ? answerPreflight(request)
      : withAllow(legacy.refuse(notAllowed, query))
  }
  const refuse: Route['refuse'] = (error, { query }) => legacy.refuse(error, query)
  if (divert === null) return { handle: answer, refuse, isLegacy: true }
  return {
    handle: (context) =>
      divert.handle(context, {
        answer: () => answer(context),
        refuse: (error) => refuse(error, context),
      }),
    refuse,
    readBody: divert.readBody,
    isLegacy: true,
  }
}

/** Shows the page to browsers, and leaves all else to a route. */
function withPage({ isLookup }: Legacy, explorer: (() => Answer) | null, route: Route): Route {
  if (explorer === null) return route
  const isPage = (request: IncomingMessage, query: string) =>
    isReading(request) && accepted(request.headers.accept).html && !isLookup(query)
  return {
    ...route,
    handle: (context) => (isPage(context.request, context.query) ? explorer() : route.handle(context)),
  }
}
