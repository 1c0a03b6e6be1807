import type { Program } from './program.ts'

export const discourse: Program = {
  title: 'Discourse',
  engine: 'postgres',
  prefix: '',
  users: {
    table: 'users',
    id: 'id',
    name: 'username',
    display: `coalesce(nullif({users}.name, ''), {users}.username)`,
    rank: '{users}.trust_level',
    // In UTC, without a time zone.
    joined: `extract(epoch FROM {users}.created_at)::bigint`,
    confirmed: '{users}.active',
    banned: `coalesce({users}.suspended_till > now() AT TIME ZONE 'UTC', false)`,
    // Below 1 are the system's own; staged users have written an e-mail, and have no account.
    where: {
      if: 'anonymous_users.user_id',
      yes: `{users}.id > 0 AND NOT {users}.staged AND NOT coalesce(
        (SELECT true FROM {anonymous_users} WHERE {anonymous_users}.user_id = {users}.id LIMIT 1), false)`,
      no: '{users}.id > 0 AND NOT {users}.staged',
    },
  },
  chats: [
    {
      table: 'user_associated_accounts',
      user: 'user_id',
      value: 'provider_uid',
      match: { provider_name: '{chat}' },
    },
  ],
  limits: ['rank is the trust level.'],
}
