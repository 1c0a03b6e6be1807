// Yoga writes streams: server-sent events, and multipart responses of one part. Each has one result, which
// execute.ts has made.

import type { ExecutionResult } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import type { GraphqlType } from '../accept.ts'
import { type HttpResponse, openHeaders } from '../response.ts'
import { aboutOf, bodyOf } from './response.ts'

/** The HTTP server sets these headers. */
const serverHeaders = [
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'transfer-encoding',
]

interface StreamContext {
  readonly result: ExecutionResult
}

export function createStreamWriter() {
  const plugin: Plugin<StreamContext, StreamContext> = {
    onParams: ({ context: { result }, setResult }) => {
      const written = { ...result, stringify: () => JSON.stringify(bodyOf(result)) }
      setResult(written)
    },
  }
  const yoga = createYoga<StreamContext>({
    graphiql: false,
    landingPage: false,
    logging: false,
    cors: false,
    maskedErrors: false,
    plugins: [plugin],
  })
  return async (result: ExecutionResult, type: GraphqlType, values: number): Promise<HttpResponse> => {
    // Yoga needs some request: the plugin replaces its result, so the query never runs.
    const address = 'http://gateway/graphql?query={__typename}'
    const response = await yoga.fetch(address, { headers: { accept: type } }, { result })
    const own = [...response.headers].filter(([name]) => !serverHeaders.includes(name.toLowerCase()))
    return {
      status: response.status,
      headers: [...openHeaders, ...own.flat()],
      body: Buffer.from(await response.arrayBuffer()).toString('latin1'),
      etag: null,
      about: aboutOf(result.errors ?? [], values),
    }
  }
}
