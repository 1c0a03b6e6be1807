import type { Program } from './program.ts'

export const mybb: Program = {
  title: 'MyBB 1.8',
  engine: 'mysql',
  prefix: 'mybb_',
  users: {
    table: 'users',
    id: 'uid',
    name: 'username',
    display: '{users}.username',
    rank: '{users}.usergroup',
    joined: '{users}.regdate',
    // 5 are those who await their activation.
    confirmed: '{users}.usergroup <> 5',
    // An end of 0 is never. 7 are those who were banned by hand, without an end.
    banned: `coalesce((SELECT max({banned}.lifted = 0 OR {banned}.lifted > unix_timestamp()) FROM {banned}
      WHERE {banned}.uid = {users}.uid), {users}.usergroup = 7)`,
    where: '{users}.uid > 0',
  },
  chats: [{ table: 'userfields', user: 'ufid', value: '{chat}' }],
  limits: ['rank is the user group.'],
}
