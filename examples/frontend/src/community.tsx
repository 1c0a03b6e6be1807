import { useState } from 'react'
import { useQuery } from 'urql'
import { useDebounced } from './debounced.ts'
import { graphql } from './gql/index.ts'
import { Releases } from './releases.tsx'
import { UserList } from './user-list.tsx'

/** Two lists of users and the apps, in one request. The gateway queries its store once for both lists. */
const communityQuery = graphql(`
  query Community($makers: [ID!]!, $guests: [ID!]!, $apps: [ID!]!) {
    makers: users(values: $makers) {
      ...UserRow
    }
    guests: users(values: $guests) {
      ...UserRow
    }
    apps(ids: $apps) {
      ...Release
    }
  }
`)

const makers = ['1', '2']
const apps = ['1', '2', '3']

export function Community() {
  const [typed, setTyped] = useState('3:99')
  // "1:2:3" needs one request; "1" and "1:2" were typed too fast for requests of their own.
  const guests = useDebounced(typed, 300)
    .split(':')
    .filter((value) => value !== '')
  const variables = { makers, guests, apps }
  // During a request, `data` and `operation` are those of the last response, so the lists stay.
  const [{ data, error, fetching, operation }] = useQuery({ query: communityQuery, variables })
  const shown = operation?.variables ?? variables
  // A field or value that failed is null, and an error has its path, such as guests or guests.0. An unknown
  // value is null without an error.
  const failed = new Set(error?.graphQLErrors.map(({ path }) => path?.join('.')))
  return (
    <main>
      <h1>Community</h1>
      {error && <p role="alert">{error.graphQLErrors[0]?.message ?? 'The gateway does not respond.'}</p>}
      {fetching && <p role="status">Loading …</p>}
      <h2>Makers</h2>
      <UserList values={makers} users={data?.makers ?? []} isFailed={(at) => failed.has(`makers.${at}`)} />
      <h2>Guests</h2>
      <label>
        Ids, separated by colons <input value={typed} onChange={(event) => setTyped(event.target.value)} />
      </label>
      <UserList
        values={shown.guests}
        users={data?.guests ?? []}
        isFailed={(at) => failed.has(`guests.${at}`)}
      />
      <h2>Releases</h2>
      <Releases ids={apps} apps={data?.apps ?? []} />
    </main>
  )
}
