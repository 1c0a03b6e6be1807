import { useState } from 'react'
import { useQuery } from 'urql'
import { graphql } from './gql/index.ts'
import { Releases } from './releases.tsx'
import { useSettled } from './settled.ts'
import { UserList } from './user-list.tsx'

/** Two lists of users and the apps, in one request. The gateway asks its store once for both lists. */
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
  const [asked, setAsked] = useState('3:99')
  // One request for "1:2:3", and none for what is typed on the way to it.
  const settled = useSettled(asked, 300)
  const guests = settled.split(':').filter((value) => value !== '')
  const [{ data, fetching, error }] = useQuery({ query: communityQuery, variables: { makers, guests, apps } })
  // Until it is there, or where it fails, `data` is still that of the question before.
  const shown = fetching || error ? undefined : data
  return (
    <main>
      <h1>Community</h1>
      {error && <p role="alert">{error.graphQLErrors[0]?.message ?? 'The gateway does not answer.'}</p>}
      {fetching && <p role="status">Asking …</p>}
      <h2>Makers</h2>
      <UserList values={makers} users={shown?.makers ?? []} />
      <h2>Guests</h2>
      <label>
        Ids, separated by colons <input value={asked} onChange={(event) => setAsked(event.target.value)} />
      </label>
      <UserList values={guests} users={shown?.guests ?? []} />
      <h2>Releases</h2>
      <Releases ids={apps} apps={shown?.apps ?? []} />
    </main>
  )
}
