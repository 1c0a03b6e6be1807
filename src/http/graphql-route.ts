import { accepted } from '../gateway/accept.ts'
import type { Answer, AnswerGraphql } from '../gateway/answer.ts'
import { createBodyReader } from './body.ts'
import { preflight } from './preflight.ts'
import { graphqlRefusal } from './respond.ts'
import { isReading, type Route } from './route.ts'

interface GraphqlRouteOptions {
  readonly answer: AnswerGraphql
  /** The page for browsers; `null` if it is switched off. */
  readonly graphiql: (() => Promise<Answer>) | null
  /** Bytes of a request body. */
  readonly maxBody: number
}

const noBody = Buffer.alloc(0)
const answerPreflight = preflight('GET, POST, OPTIONS', 'graphql')

export function graphqlRoute({ answer, graphiql, maxBody }: GraphqlRouteOptions): Route {
  const readBody = createBodyReader(maxBody)
  return {
    handle: (context) => {
      const { request, query, body } = context
      if (request.method === 'OPTIONS') return answerPreflight(request)
      if (graphiql !== null && isReading(request) && accepted(request.headers.accept).html) return graphiql()
      return answer(request, query, body ?? noBody, context)
    },
    refuse: (error, { request }) => {
      const refused = graphqlRefusal(error, request.headers.accept)
      // Which codings would be accepted (RFC 9110, 15.5.16).
      return error.code === 'CompressedBody'
        ? { ...refused, headers: [...refused.headers, 'Accept-Encoding', 'identity'] }
        : refused
    },
    readBody: (request) => (request.method === 'OPTIONS' ? null : readBody(request)),
  }
}
