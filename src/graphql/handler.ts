// The handler of GraphQL requests: puts its parts together.

import type { GraphQLSchema } from 'graphql'
import type { Config } from '../config/config.ts'
import { lazily, whenIdle } from '../lazily.ts'
import type { Observe } from '../observe/events.ts'
import type { GraphqlResponder } from '../response.ts'
import { createCallReader } from './calls.ts'
import { createDocuments, createReader } from './documents.ts'
import type { Execution } from './execute.ts'
import { createResponder } from './http.ts'
import { noTrustedDocuments, openTrustedDocuments } from './trusted.ts'

export interface GraphqlHandler {
  readonly answer: GraphqlResponder
  /** Reads the manifest of trusted documents again. @throws ConfigError, and changes nothing */
  readonly reload: () => Promise<void>
}

/** @throws ConfigError if the manifest of trusted documents cannot be used */
export async function createGraphqlHandler(
  { queryLimits, trustedDocuments, graphqlMaxAge }: Config,
  schema: GraphQLSchema,
  execution: Execution,
  observe: Observe,
): Promise<GraphqlHandler> {
  const { manifest, only: onlyTrusted } = trustedDocuments
  const reader = createReader(schema, queryLimits, execution.readOperations)
  const trusted =
    manifest === null ? noTrustedDocuments : await openTrustedDocuments(manifest, reader, observe)
  const readQuery = createDocuments(reader, trusted.has)
  const readCalls = createCallReader({ readQuery, trusted, onlyTrusted, maxTokens: queryLimits.tokens })
  // Yoga takes 0.2 s to load, which no request should wait for.
  const writeStream = lazily(async () => (await import('./yoga.ts')).createStreamWriter())
  whenIdle(writeStream)
  return {
    answer: createResponder(
      execution,
      readCalls,
      async (...result) => (await writeStream())(...result),
      graphqlMaxAge,
    ),
    reload: trusted.reload,
  }
}
