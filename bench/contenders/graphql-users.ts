// What the GraphQL servers share: the gateway's own schema, and one query of SQLite per field.

import { readFileSync } from 'node:fs'
import { openDatabase } from './place.ts'

type Method = 'ID' | 'USERNAME' | 'CHAT'

export const typeDefs = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8')

const database = openDatabase()
const prepare = (key: string) =>
  database.prepare(
    `SELECT found.id, username, display_name AS displayName, rank, join_date AS joinDate,
            is_confirmed AS isConfirmed, banned
     FROM json_each(?) AS asked LEFT JOIN users AS found ON found.${key} = asked.value`,
  )
const find = { ID: prepare('id'), USERNAME: prepare('username_key'), CHAT: prepare('chat_id') }

export const resolvers = {
  Query: {
    users: (_root: unknown, { by, values }: { by: Method; values: readonly string[] }) => {
      const keys = by === 'USERNAME' ? values.map((name) => name.normalize('NFKC').toLowerCase()) : values
      return find[by].all(JSON.stringify(keys)).map((row) => (row.id === null ? null : row))
    },
  },
}
