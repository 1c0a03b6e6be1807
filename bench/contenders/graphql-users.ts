// The schema of the GraphQL servers, which is the gateway's, and one query of SQLite for each field.

import { readFileSync } from 'node:fs'
import { openDatabase } from './place.ts'

export const typeDefs = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8')

const find = openDatabase().prepare(
  `SELECT found.id, username, display_name AS displayName, rank, join_date AS joinDate,
          is_confirmed AS isConfirmed, banned
   FROM json_each(?) AS wanted LEFT JOIN users AS found ON found.id = wanted.value`,
)

export const resolvers = {
  Query: {
    users: (_root: unknown, { values }: { values: readonly string[] }) =>
      find.all(JSON.stringify(values)).map((row) => (row.id === null ? null : row)),
  },
}
