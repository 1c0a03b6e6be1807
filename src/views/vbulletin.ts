import type { Program } from './program.ts'

export const vbulletin: Program = {
  title: 'vBulletin 4',
  engine: 'mysql',
  prefix: '',
  entities: 'usernames and display names',
  users: {
    table: 'user',
    id: 'userid',
    name: 'username',
    display: '{user}.username',
    rank: '{user}.usergroupid',
    joined: '{user}.joindate',
    // 3 await the confirmation by e-mail, 4 a moderator.
    confirmed: '{user}.usergroupid NOT IN (3, 4)',
    // An end of 0 is never. 8 are those who were banned by hand, without an end.
    banned: `coalesce((SELECT max({userban}.liftdate = 0 OR {userban}.liftdate > unix_timestamp()) FROM {userban}
      WHERE {userban}.userid = {user}.userid), {user}.usergroupid = 8)`,
    where: '{user}.userid > 0',
  },
  chats: [{ table: 'userfield', user: 'userid', value: '{chat}' }],
  limits: ['rank is the primary user group.'],
}
