// What clients send for a query by its hash: first without the query, and again where the hash is not known.
// Recorded from Apollo Client 4.3.8 (PersistedQueryLink) and @urql/core 6.0.3 with @urql/exchange-persisted
// 5.0.1, under Node 26.

export interface Recorded {
  readonly method: 'GET' | 'POST'
  readonly accept: string
  /** The query string, or the body. */
  readonly text: string
}

const apollo = 'application/graphql-response+json,application/json;q=0.9'
const urql =
  'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'

const apolloRegistering = String.raw`{"operationName":"Names","variables":{"values":["1","søren & co"]},"extensions":{"clientLibrary":{"name":"@apollo/client","version":"4.3.8"},"persistedQuery":{"version":1,"sha256Hash":"a45de480714b3e085233be94cafd97c89be2658cc8f0263ddd441aca71ed02b7"}},"query":"query Names($values: [ID!]!) {\n  users(values: $values) {\n    username\n    __typename\n  }\n}"}`

export const recorded: Readonly<Record<string, readonly [first: Recorded, again: Recorded]>> = {
  'Apollo Client by GET': [
    {
      method: 'GET',
      accept: apollo,
      text: 'operationName=Names&variables=%7B%22values%22%3A%5B%221%22%2C%22s%C3%B8ren%20%26%20co%22%5D%7D&extensions=%7B%22clientLibrary%22%3A%7B%22name%22%3A%22%40apollo%2Fclient%22%2C%22version%22%3A%224.3.8%22%7D%2C%22persistedQuery%22%3A%7B%22version%22%3A1%2C%22sha256Hash%22%3A%22a45de480714b3e085233be94cafd97c89be2658cc8f0263ddd441aca71ed02b7%22%7D%7D',
    },
    { method: 'POST', accept: apollo, text: apolloRegistering },
  ],
  'Apollo Client by POST': [
    {
      method: 'POST',
      accept: apollo,
      text: '{"operationName":"Names","variables":{"values":["1","søren & co"]},"extensions":{"clientLibrary":{"name":"@apollo/client","version":"4.3.8"},"persistedQuery":{"version":1,"sha256Hash":"a45de480714b3e085233be94cafd97c89be2658cc8f0263ddd441aca71ed02b7"}}}',
    },
    { method: 'POST', accept: apollo, text: apolloRegistering },
  ],
  'urql by GET': [
    {
      method: 'GET',
      accept: urql,
      text: 'operationName=Names&variables=%7B%22values%22%3A%5B%221%22%2C%22s%C3%B8ren+%26+co%22%5D%7D&extensions=%7B%22persistedQuery%22%3A%7B%22sha256Hash%22%3A%22b8ce8f2bd3d504d049a2d6d0a798c369239fb1270385d82e52c6d029a8440039%22%2C%22version%22%3A1%7D%7D',
    },
    {
      method: 'GET',
      accept: urql,
      text: 'query=query+Names%28%24values%3A+%5BID%21%5D%21%29+%7B%0A++users%28values%3A+%24values%29+%7B%0A++++username%0A++%7D%0A%7D&operationName=Names&variables=%7B%22values%22%3A%5B%221%22%2C%22s%C3%B8ren+%26+co%22%5D%7D&extensions=%7B%22persistedQuery%22%3A%7B%22miss%22%3Atrue%2C%22sha256Hash%22%3A%22b8ce8f2bd3d504d049a2d6d0a798c369239fb1270385d82e52c6d029a8440039%22%2C%22version%22%3A1%7D%7D',
    },
  ],
  'urql by POST': [
    {
      method: 'POST',
      accept: urql,
      text: '{"extensions":{"persistedQuery":{"sha256Hash":"b8ce8f2bd3d504d049a2d6d0a798c369239fb1270385d82e52c6d029a8440039","version":1}},"operationName":"Names","variables":{"values":["1","søren & co"]}}',
    },
    {
      method: 'POST',
      accept: urql,
      text: String.raw`{"extensions":{"persistedQuery":{"miss":true,"sha256Hash":"b8ce8f2bd3d504d049a2d6d0a798c369239fb1270385d82e52c6d029a8440039","version":1}},"operationName":"Names","query":"query Names($values: [ID!]!) {\n  users(values: $values) {\n    username\n  }\n}","variables":{"values":["1","søren & co"]}}`,
    },
  ],
}
