// The requests of GraphQL clients, as a server recorded them, without Host, Content-Length and
// Accept-Encoding. The benchmark sends two of them.

export interface ClientRequest {
  readonly version: string
  readonly method: 'GET' | 'POST'
  /** With `["1"]` as the values that are looked up. */
  readonly target: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Of Node's fetch. */
const fetchHeaders = ['accept-language', '*', 'sec-fetch-mode', 'cors', 'user-agent', 'node'] as const

const urqlAccept =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'

const apolloHeaders = [
  'accept',
  'application/graphql-response+json,application/json;q=0.9',
  'content-type',
  'application/json',
  ...fetchHeaders,
] as const

export const clients = {
  urql: {
    version: '@urql/core 6.0.3',
    method: 'GET',
    target:
      '/graphql?query=query+Users%28%24values%3A+%5BID%21%5D%21%29+%7B%0A++users%28by%3A+ID%2C+values%3A+%24values%29+%7B%0A++++id%0A++++username%0A++++displayName%0A++++rank%0A++++joinDate%0A++++isConfirmed%0A++++banned%0A++%7D%0A%7D&operationName=Users&variables=%7B%22values%22%3A%5B%221%22%5D%7D',
    headers: ['accept', urqlAccept, ...fetchHeaders],
    body: '',
  },
  'urql-post': {
    version: '@urql/core 6.0.3 with `preferGetMethod: false`',
    method: 'POST',
    target: '/graphql',
    headers: ['accept', urqlAccept, 'content-type', 'application/json', ...fetchHeaders],
    body: '{"operationName":"Users","query":"query Users($values: [ID!]!) {\\n  users(by: ID, values: $values) {\\n    id\\n    username\\n    displayName\\n    rank\\n    joinDate\\n    isConfirmed\\n    banned\\n  }\\n}","variables":{"values":["1"]}}',
  },
  apollo: {
    version: '@apollo/client 4.3.8',
    method: 'POST',
    target: '/graphql',
    headers: apolloHeaders,
    body: '{"operationName":"Users","variables":{"values":["1"]},"extensions":{"clientLibrary":{"name":"@apollo/client","version":"4.3.8"}},"query":"query Users($values: [ID!]!) {\\n  users(by: ID, values: $values) {\\n    id\\n    username\\n    displayName\\n    rank\\n    joinDate\\n    isConfirmed\\n    banned\\n    __typename\\n  }\\n}"}',
  },
  'apollo-get': {
    version: '@apollo/client 4.3.8 with `useGETForQueries`',
    method: 'GET',
    target:
      '/graphql?query=query%20Users(%24values%3A%20%5BID!%5D!)%20%7B%0A%20%20users(by%3A%20ID%2C%20values%3A%20%24values)%20%7B%0A%20%20%20%20id%0A%20%20%20%20username%0A%20%20%20%20displayName%0A%20%20%20%20rank%0A%20%20%20%20joinDate%0A%20%20%20%20isConfirmed%0A%20%20%20%20banned%0A%20%20%20%20__typename%0A%20%20%7D%0A%7D&operationName=Users&variables=%7B%22values%22%3A%5B%221%22%5D%7D&extensions=%7B%22clientLibrary%22%3A%7B%22name%22%3A%22%40apollo%2Fclient%22%2C%22version%22%3A%224.3.8%22%7D%7D',
    headers: apolloHeaders,
    body: '',
  },
  'graphql-request': {
    version: 'graphql-request 7.4.0',
    method: 'POST',
    target: '/graphql',
    headers: [
      'Accept',
      'application/graphql-response+json, application/json',
      'Content-Type',
      'application/json',
      ...fetchHeaders,
    ],
    body: '{"query":"query Users($values: [ID!]!) {\\n  users(by: ID, values: $values) {\\n    id\\n    username\\n    displayName\\n    rank\\n    joinDate\\n    isConfirmed\\n    banned\\n  }\\n}","variables":{"values":["1"]},"operationName":"Users"}',
  },
  'executor-http': {
    version: '@graphql-tools/executor-http 3.4.1',
    method: 'POST',
    target: '/graphql',
    headers: [
      'accept',
      'application/graphql-response+json, application/json, multipart/mixed',
      'content-type',
      'application/json',
      'user-agent',
      'node',
    ],
    body: '{"query":"query Users($values:[ID!]!){users(by:ID values:$values){id username displayName rank joinDate isConfirmed banned}}","variables":{"values":["1"]}}',
  },
  axios: {
    version: 'axios 1.21.1',
    method: 'POST',
    target: '/graphql',
    headers: [
      'Accept',
      'application/json, text/plain, */*',
      'Content-Type',
      'application/json',
      'User-Agent',
      'axios/1.21.1',
    ],
    body: '{"query":"query Users($values: [ID!]!) {\\n  users(by: ID, values: $values) {\\n    id\\n    username\\n    displayName\\n    rank\\n    joinDate\\n    isConfirmed\\n    banned\\n  }\\n}","variables":{"values":["1"]}}',
  },
} as const satisfies Readonly<Record<string, ClientRequest>>
