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
  /** A user for each value, in order; `null` if nothing matches or the value failed. */
  readonly users: readonly (FragmentType<typeof userRow> | null)[]
  readonly isFailed: (at: number) => boolean
}

export function UserList({ values, users, isFailed }: UserListProps) {
  const absence = (at: number) =>
    isFailed(at) ? `User ${values[at]} is not available.` : `Nobody is ${values[at]}.`
  return (
    <ul>
      {users.map((user, at) => (
        <li key={values[at]}>{user === null ? absence(at) : <UserRow user={user} />}</li>
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
