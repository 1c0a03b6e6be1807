// The requests. The load generator puts random values in the place of {values}.

import { type ClientRequest, clients } from '../test/graphql/client-requests.ts'

export interface Workload {
  readonly title: string
  /** Values per request. */
  readonly count: number
  /** Default: ids. */
  readonly isByName?: boolean
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The separator of values. */
  readonly between: string
}

function legacy(title: string, count: number, query: string): Workload {
  return { title, count, method: 'GET', target: `/?${query}`, headers: {}, body: '', between: ':' }
}

/** Puts {values} in the place of the only value in the recorded request of a client: "1". */
function graphql(title: string, count: number, { method, target, headers, body }: ClientRequest): Workload {
  const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : []))
  return {
    ...{
      title,
      count,
      method,
      headers: Object.fromEntries(pairs),
      between: method === 'GET' ? '%22%2C%22' : '","',
    },
    target: target.replace(/(?<=%22)1(?=%22)/, '{values}'),
    body: body.replace(/(?<=")1(?=")/, '{values}'),
  }
}

/** The same with the values in the text, as some programs write it: each request is another document. */
const textual = (title: string, count: number): Workload => ({
  ...graphql(title, count, clients.apollo),
  body: '{"query":"{\\n  users(by: ID, values: [\\"{values}\\"]) {\\n    id\\n    username\\n    displayName\\n    rank\\n    joinDate\\n    isConfirmed\\n    banned\\n    __typename\\n  }\\n}"}',
  between: '\\",\\"',
})

/** Selects the fields that PostGraphile makes of the columns, under the names of our schema. */
export const postgraphileRequest = graphql('', 1, {
  ...clients.apollo,
  body: '{"operationName":"User","variables":{"id":"1"},"query":"query User($id: BigInt!) {\\n  user: userByRowId(rowId: $id) {\\n    id: rowId\\n    username\\n    displayName\\n    rank\\n    joinDate\\n    isConfirmed\\n    banned\\n    __typename\\n  }\\n}"}',
})

const ids = 'Event=ProfileLookup&Users={values}'
const usernames = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users={values}'

export const workloads = {
  'json-1': legacy('Legacy JSON, 1 id', 1, ids),
  'json-10': legacy('Legacy JSON, 10 ids', 10, ids),
  'json-100': legacy('Legacy JSON, 100 ids', 100, ids),
  'xml-1': legacy('Legacy XML, 1 id', 1, `${ids}&Format=XML`),
  'xml-100': legacy('Legacy XML, 100 ids', 100, `${ids}&Format=XML`),
  'username-1': { ...legacy('Legacy JSON, 1 username', 1, usernames), isByName: true },
  'app-1': legacy('Legacy JSON, 1 app', 1, 'Event=AppLookup&Apps={values}'),
  'graphql-1': graphql('GraphQL POST, 1 id', 1, clients.apollo),
  'graphql-get-1': graphql('GraphQL GET, 1 id', 1, clients['apollo-get']),
  'graphql-100': graphql('GraphQL POST, 100 ids', 100, clients.apollo),
  'graphql-text-1': textual('GraphQL POST, 1 id in the text', 1),
  'graphql-text-100': textual('GraphQL POST, 100 ids in the text', 100),
} as const satisfies Readonly<Record<string, Workload>>

export type WorkloadName = keyof typeof workloads

export type Template = ReturnType<typeof templateOf>

/** The raw request. @param digits of each id: as all have the same number, Content-Length is a constant */
export function templateOf({ method, target, headers, body, between, count }: Workload, digits: number) {
  const length = body.length - '{values}'.length + count * digits + (count - 1) * between.length
  const sent = { Host: 'localhost', ...headers, ...(body === '' ? {} : { 'Content-Length': length }) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  const raw = `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
  const [before = '', after = ''] = raw.split('{values}')
  return { before, between, after, count }
}
