import { usernameKey } from '../model.ts'
import { parseBoolean, parseInt32, parseInt53, parsePositiveId, parseText, parseUsername } from './parsers.ts'
import type { Relation } from './relation.ts'

const boolean = { type: 'boolean', allowed: 'true, false, 1 or 0', parse: parseBoolean } as const

/** Users, as files and stores hold them. */
export const users: Relation = {
  name: 'users',
  columns: [
    {
      name: 'id',
      sql: 'id',
      type: 'integer',
      allowed: 'an integer from 1 to 2^53-1',
      parse: parsePositiveId,
    },
    {
      name: 'username',
      sql: 'username',
      type: 'string',
      allowed: 'a text without colons and control characters, and not empty',
      parse: parseUsername,
    },
    {
      name: 'chatId',
      sql: 'chat_id',
      type: 'string',
      optional: true,
      allowed: 'valid Unicode text',
      parse: parseText,
    },
    {
      name: 'displayName',
      sql: 'display_name',
      type: 'string',
      allowed: 'valid Unicode text',
      parse: parseText,
    },
    { name: 'rank', sql: 'rank', type: 'integer', allowed: 'a 32-bit integer', parse: parseInt32 },
    {
      name: 'joinDate',
      sql: 'join_date',
      type: 'integer',
      allowed: 'an integer between -(2^53-1) and 2^53-1',
      parse: parseInt53,
    },
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
