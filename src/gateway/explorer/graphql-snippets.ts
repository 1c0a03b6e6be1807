// The same request as a GraphQL operation, in what front ends send one with. Each shows errors, too.

import type { Explanation } from '../legacy/explanation.ts'
import type { Snippet } from './snippets.ts'
import { escapedJson } from './token.ts'

/** @param url with nothing in it that would have to be escaped in a shell or a program */
export function graphqlSnippetsFor(
  url: string,
  { query, variables }: NonNullable<Explanation['operation']>,
): Snippet[] {
  const json = escapedJson(variables)
  const operation = `query = gql\`${query}\`
const variables = ${json}`
  return [
    {
      language: 'fetch',
      code: `const query = \`${query}\`
const variables = ${json}

const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query, variables }),
})
const { data, errors } = await response.json()
console.log(errors ?? data.entries)`,
    },
    {
      language: 'Apollo',
      code: `import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'

const ${operation}

const client = new ApolloClient({
  link: new HttpLink({ uri: '${url}' }),
  cache: new InMemoryCache(),
})
const { data, error } = await client.query({ query, variables, errorPolicy: 'all' })
console.log(error ?? data.entries)`,
    },
    {
      language: 'urql',
      code: `import { Client, fetchExchange, gql } from '@urql/core'

const ${operation}

const client = new Client({ url: '${url}', exchanges: [fetchExchange] })
const { data, error } = await client.query(query, variables)
console.log(error ?? data.entries)`,
    },
    {
      language: 'curl',
      code: `curl '${url}' \\
  -H 'Content-Type: application/json' \\
  -d '{"query":${inShell(JSON.stringify(onOneLine(query)))},"variables":${inShell(json)}}'`,
    },
  ]
}

/** Where there is no text in it, blanks and line ends only part the words. */
function onOneLine(query: string): string {
  return query.includes('"') ? query : query.replaceAll(/\s+/g, ' ')
}

/** JSON that stands between apostrophes. */
function inShell(json: string): string {
  return json.replaceAll("'", '\\u0027')
}
