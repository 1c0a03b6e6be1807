import type { IncomingMessage } from 'node:http'
import type { Answer } from '../answer.ts'

/** Answers a GraphQL request whose body has been read; `query` is the query string without its `?`. */
export type AnswerGraphql = (request: IncomingMessage, query: string, body: Buffer) => Promise<Answer>
