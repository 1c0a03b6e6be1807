import type { Program } from './program.ts'

export const phpbb: Program = {
  title: 'phpBB 3.3',
  engine: 'mysql',
  prefix: 'phpbb_',
  entities: 'usernames and display names',
  users: {
    table: 'users',
    id: 'user_id',
    name: 'username',
    display: '{users}.username',
    rank: '{users}.group_id',
    joined: '{users}.user_regdate',
    // 1 is inactive: registered, and not confirmed by e-mail.
    confirmed: '{users}.user_type <> 1',
    // An end of 0 is never. A row may also exclude a user from all bans.
    banned: `coalesce((SELECT max({banlist}.ban_exclude) = 0 FROM {banlist} WHERE {banlist}.ban_userid = {users}.user_id
      AND ({banlist}.ban_end = 0 OR {banlist}.ban_end > unix_timestamp())), 0)`,
    // 2 are robots and the anonymous user.
    where: '{users}.user_type <> 2',
  },
  chats: [{ table: 'profile_fields_data', user: 'user_id', value: 'pf_{chat}' }],
  limits: [
    'Bans of addresses and of e-mails are not shown: only bans of users are.',
    'rank is the default group.',
  ],
}
