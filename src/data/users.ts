import { usernameKey } from '../model.ts'
import { boolean, chatId, id, int32, int53, text, username } from './kinds.ts'
import type { Relation } from './relation.ts'

/** Users, as files and stores hold them. */
export const users: Relation = {
  name: 'users',
  columns: [
    { name: 'id', sql: 'id', ...id },
    { name: 'username', sql: 'username', ...username },
    { name: 'chatId', sql: 'chat_id', optional: true, ...chatId },
    { name: 'displayName', sql: 'display_name', ...text },
    { name: 'rank', sql: 'rank', ...int32 },
    { name: 'joinDate', sql: 'join_date', ...int53 },
    { name: 'isConfirmed', sql: 'is_confirmed', ...boolean },
    { name: 'banned', sql: 'banned', ...boolean },
  ],
  derived: { sql: 'username_key', from: 1, make: usernameKey },
  taken: {
    id: 'another user has this id',
    username_key: 'another user has this username (case does not count)',
    chat_id: 'another user has this chatId',
  },
}
