import { LookupError } from '../errors.ts'
import { accepted } from '../gateway/accept.ts'
import type { Answer, AnswerGraphql } from '../gateway/answer.ts'
import { createBodyReader, hasBody } from './body.ts'
import type { Admission } from './overload.ts'
import { preflight } from './preflight.ts'
import { graphqlRefusal } from './respond.ts'
import { type Asked, isReading, type Room } from './room.ts'

interface GraphqlRoomOptions {
  readonly answer: AnswerGraphql
  /** The page for browsers; `null` where it is switched off. */
  readonly graphiql: (() => Promise<Answer>) | null
  readonly admission: Admission
  /** Bytes of a request body. */
  readonly maxBody: number
}

const noBody = Buffer.alloc(0)
const overloaded = new LookupError('Overloaded')
const answerPreflight = preflight('GET, POST, OPTIONS', 'graphql')

export function graphqlRoom({ answer, graphiql, admission, maxBody }: GraphqlRoomOptions): Room {
  const readBody = createBodyReader(maxBody)

  /** It takes a place when its body is there, which takes as long as its client likes. */
  async function answerWithBody({ request, query, caller }: Asked): Promise<Answer> {
    const { accept } = request.headers
    let body: Buffer<ArrayBuffer>
    try {
      body = await readBody(request)
    } catch (error) {
      if (!(error instanceof LookupError)) throw error
      // What is left of the body is not read any more.
      const refused = graphqlRefusal(error, accept)
      // Which codings would be accepted (RFC 9110, 15.5.16).
      const accepting = error.code === 'CompressedBody' ? ['Accept-Encoding', 'identity'] : []
      return { ...refused, headers: [...refused.headers, ...accepting, 'Connection', 'close'] }
    }
    const entered = performance.now()
    const isAdmitted = admission.enter(entered)
    try {
      return isAdmitted ? await answer(request, query, body, caller) : graphqlRefusal(overloaded, accept)
    } finally {
      admission.leave(isAdmitted, performance.now() - entered)
    }
  }

  return {
    answer: (asked) => {
      const { request, query, caller } = asked
      if (request.method === 'OPTIONS') return answerPreflight(request)
      if (graphiql !== null && isReading(request) && accepted(request.headers.accept).html) return graphiql()
      return hasBody(request) ? answerWithBody(asked) : answer(request, query, noBody, caller)
    },
    refuse: (error, { request }) => graphqlRefusal(error, request.headers.accept),
    readsBodies: true,
  }
}
