// The users, field by field.

import { usernameKey } from '../model.ts'
import { boolean, chatId, id, int32, int53, text, username } from './fields.ts'
import { defineRelation, type ReadRow, type RowOf } from './relation.ts'

const fields = {
  id: { sql: 'id', ...id },
  username: { sql: 'username', ...username },
  chatId: { sql: 'chat_id', ...chatId, optional: true, hidden: true },
  displayName: { sql: 'display_name', ...text },
  rank: { sql: 'rank', ...int32 },
  joinDate: { sql: 'join_date', ...int53 },
  isConfirmed: { sql: 'is_confirmed', ...boolean },
  banned: { sql: 'banned', ...boolean },
} as const

/** A user's public profile (specification 2.1). */
export type User = RowOf<typeof fields>

/** Reads the row of a store. A value that no response can carry is undefined. */
export const readUser: ReadRow<User> = (row) => ({
  id: fields.id.read(row[0]),
  username: fields.username.read(row[1]),
  displayName: fields.displayName.read(row[2]),
  rank: fields.rank.read(row[3]),
  joinDate: fields.joinDate.read(row[4]),
  isConfirmed: fields.isConfirmed.read(row[5]),
  banned: fields.banned.read(row[6]),
})

/** Users, as files and stores hold them. */
export const users = defineRelation('users', fields, {
  derived: { sql: 'username_key', from: 1, make: usernameKey },
  taken: {
    id: 'another user has this id',
    username_key: 'another user has this username (case does not count)',
    chat_id: 'another user has this chatId',
  },
})
