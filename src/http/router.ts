// Who answers what. Routing is by the exact pathname and happens before any library sees the request.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Answer, AnswerGraphql } from '../answer.ts'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Observe, Surface } from '../observe/observation.ts'
import { prefersHtml } from './accept.ts'
import { readBody } from './body.ts'
import { graphqlRefusal, refusal, send } from './respond.ts'
import { parseTarget } from './target.ts'

/** Bytes of a request target (contract: longer is 414). */
export const MAX_TARGET = 64 * 1024

/** Bytes of a request body. */
const MAX_BODY = 64 * 1024

/** The rooms a request may be sent to. */
export interface Rooms {
  readonly legacy: {
    /** Whether a query string asks for a lookup, rather than coming from someone who looks around. */
    readonly isLookup: (query: string) => boolean
    readonly answer: (query: string, caller: Caller | null) => Answer | Promise<Answer>
    readonly refuse: (error: LookupError, query: string) => Answer
  }
  readonly graphql: AnswerGraphql
  /** The pages for browsers; `null` where switched off. */
  readonly graphiql: (() => Promise<Answer>) | null
  readonly explorer: (() => Answer) | null
  readonly observe: Observe
}

export function createRouter({ legacy, graphql, graphiql, explorer, observe }: Rooms): RequestListener {
  function answerRoot(request: IncomingMessage, query: string): Answer | Promise<Answer> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const refused = legacy.refuse(new LookupError('MethodNotAllowed', ['GET, HEAD']), query)
      return { ...refused, headers: [...refused.headers, 'Allow', 'GET, HEAD'] }
    }
    if (explorer !== null && prefersHtml(request.headers.accept) && !legacy.isLookup(query)) return explorer()
    return legacy.answer(query, request)
  }

  async function answerGraphql(request: IncomingMessage, query: string): Promise<Answer> {
    const browsing = request.method === 'GET' || request.method === 'HEAD'
    if (graphiql !== null && browsing && prefersHtml(request.headers.accept)) return graphiql()
    const body = await readBody(request, MAX_BODY)
    if (body === null) return graphqlRefusal(new LookupError('TooLargeBody', [String(MAX_BODY)]))
    // Awaited here, since a promise that is returned as it is takes a longer way.
    return await graphql(request, query, body)
  }

  function route(request: IncomingMessage, url: string): [Surface, Answer | Promise<Answer>] {
    const { pathname, query } = parseTarget(url)
    if (url.length > MAX_TARGET)
      return ['other', legacy.refuse(new LookupError('TooLongTarget', [String(MAX_TARGET)]), query)]
    if (pathname === '/') return ['legacy', answerRoot(request, query)]
    if (pathname === '/graphql') return ['graphql', answerGraphql(request, query)]
    return ['other', refusal(new LookupError('NotFound'))]
  }

  function fail(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    observe({ type: 'unexpected', requestId: randomUUID(), error })
    if (response.headersSent) response.destroy()
    else send(request, response, refusal(new LookupError('Internal')))
  }

  return async (request, response) => {
    const started = performance.now()
    let surface: Surface = 'other'
    try {
      const [room, answer] = route(request, request.url ?? '/')
      surface = room
      // What is there at once is sent at once: an answer that was kept waits for nobody.
      send(request, response, answer instanceof Promise ? await answer : answer)
    } catch (error) {
      // A client that breaks off in the middle of its request needs no answer.
      if (request.errored !== null) response.destroy()
      else fail(error, request, response)
    }
    observe({ type: 'request', surface, status: response.statusCode, duration: performance.now() - started })
  }
}
