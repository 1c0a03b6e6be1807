import type { Program } from './program.ts'

export const flarum: Program = {
  title: 'Flarum 1 and 2',
  engine: 'mysql',
  prefix: '',
  users: {
    table: 'users',
    id: 'id',
    name: 'username',
    display: {
      if: 'users.nickname',
      yes: `coalesce(nullif({users}.nickname, ''), {users}.username)`,
      no: '{users}.username',
    },
    // 1 are administrators, 4 moderators; members are in none of the groups.
    rank: `CAST(coalesce((SELECT min({group_user}.group_id) FROM {group_user}
      WHERE {group_user}.user_id = {users}.id), 3) AS SIGNED)`,
    // In UTC. MySQL's own function would take it for the time zone of the server.
    joined: `coalesce(timestampdiff(SECOND, '1970-01-01', {users}.joined_at), 0)`,
    confirmed: '{users}.is_email_confirmed',
    banned: {
      if: 'users.suspended_until',
      yes: 'coalesce({users}.suspended_until > utc_timestamp(), 0)',
      no: '0',
    },
    where: '{users}.id > 0',
  },
  chats: [
    {
      table: 'login_providers',
      user: 'user_id',
      value: 'identifier',
      match: { provider: '{chat}' },
      order: 'id',
    },
  ],
  limits: ['rank is the lowest number of the groups of a user: 1 for administrators, 3 for members.'],
}
