import { readFileSync } from 'node:fs'
import type { Gateway } from '../../../kit/gateway.ts'
import { ask, inFormat } from './ask.ts'
import { cases, formatlessQueries } from './cases.ts'

/** One question's answer in both formats. */
export interface Twins {
  readonly query: string
  readonly json: string
  readonly xml: string
}

/** Queries that are refused, some with values that a writer has to escape. */
const refused = [
  '',
  'Event=ProfileLookup&Users=:',
  'Event=%3Cb%3E%26amp%3B%22%27%5D%5D%3E%09%0D%0A%01%F0%9F%8C%B8%EF%BF%BE&Users=1',
  'Event=AppLookup&Apps=1:%26%230%3B%5C%2F',
  'Event=ProfileLookup&Users=1&Users=2',
  'Event=ProfileLookup&Users=%FF',
]

/** What a gateway says in JSON and in XML: the cases' questions and some that it refuses. */
export function askTwins({ url }: Gateway, queries = [...formatlessQueries, ...refused]): Promise<Twins[]> {
  const body = async (query: string, format: 'JSON' | 'XML') => (await ask(url, inFormat(query, format))).body
  return Promise.all(
    queries.map(async (query) => ({
      query,
      json: await body(query, 'JSON'),
      xml: await body(query, 'XML'),
    })),
  )
}

/** The golden answers in one format. */
export function goldenAnswers(format: 'JSON' | 'XML'): string[] {
  return cases
    .map(({ response }) => response)
    .filter((body) => body.startsWith('<?xml') === (format === 'XML'))
}

export const publishedXsd = readFileSync(new URL('../../../../schema/legacy.xsd', import.meta.url), 'utf8')
export const publishedOpenApi = readFileSync(
  new URL('../../../../schema/legacy.openapi.json', import.meta.url),
  'utf8',
)
