import { type FragmentType, graphql, useFragment } from './gql/index.ts'

const userRow = graphql(`
  fragment UserRow on User {
    id
    username
    displayName
    banned
  }
`)

interface UserListProps {
  readonly values: readonly string[]
  /** A user for each value, in order; `null` if nothing matches. */
  readonly users: readonly (FragmentType<typeof userRow> | null)[]
}

export function UserList({ values, users }: UserListProps) {
  return (
    <ul>
      {users.map((user, at) => (
        <li key={values[at]}>{user === null ? `Nobody is ${values[at]}.` : <UserRow user={user} />}</li>
      ))}
    </ul>
  )
}

function UserRow({ user }: { readonly user: FragmentType<typeof userRow> }) {
  const { username, displayName, banned } = useFragment(userRow, user)
  return (
    <>
      <strong>{displayName || username}</strong> ({username}){banned && ', banned'}
    </>
  )
}
