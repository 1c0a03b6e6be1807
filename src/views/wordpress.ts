import type { Program } from './program.ts'

// WordPress keeps most facts about a user in `usermeta`, one row for each user and key.
const meta = (key: string) =>
  `(SELECT {usermeta}.meta_value FROM {usermeta} WHERE {usermeta}.user_id = {users}.ID AND {usermeta}.meta_key = '{prefix}${key}' LIMIT 1)`
const blocked = `coalesce(${meta('capabilities')} LIKE '%"bbp_blocked"%', 0)`

export const wordpress: Program = {
  title: 'WordPress with bbPress',
  engine: 'mysql',
  prefix: 'wp_',
  entities: 'display names',
  users: {
    table: 'users',
    id: 'ID',
    name: 'user_login',
    display: '{users}.display_name',
    rank: `coalesce(CAST(${meta('user_level')} AS SIGNED), 0)`,
    // In UTC. MySQL's own function would take it for the time zone of the server.
    joined: `CASE WHEN year({users}.user_registered) = 0 THEN 0
      ELSE timestampdiff(SECOND, '1970-01-01', {users}.user_registered) END`,
    confirmed: '{users}.user_status = 0',
    // Of a network of sites, users have these two columns.
    banned: { if: 'users.spam', yes: `({users}.spam = 1 OR ${blocked})`, no: blocked },
    where: { if: 'users.deleted', yes: '{users}.deleted = 0', no: '{users}.ID > 0' },
  },
  chats: [
    {
      table: 'usermeta',
      user: 'user_id',
      value: 'meta_value',
      match: { meta_key: '{chat}' },
      order: 'umeta_id',
    },
  ],
  limits: [
    'A ban has no end in bbPress.',
    'rank is the user level: 0 for subscribers, 10 for administrators.',
  ],
}
