import type { Program } from './program.ts'

export const smf: Program = {
  title: 'SMF 2.1',
  engine: 'mysql',
  prefix: 'smf_',
  entities: 'display names',
  users: {
    table: 'members',
    id: 'id_member',
    name: 'member_name',
    display: '{members}.real_name',
    rank: '{members}.id_group',
    joined: '{members}.date_registered',
    // 1 is activated, and 10 more means that a ban of the account is known.
    confirmed: '{members}.is_activated % 10 = 1',
    banned: `EXISTS (SELECT 1 FROM {ban_items} JOIN {ban_groups} ON {ban_groups}.id_ban_group = {ban_items}.id_ban_group
      WHERE {ban_items}.id_member = {members}.id_member AND ({ban_groups}.cannot_access = 1 OR {ban_groups}.cannot_login = 1)
      AND ({ban_groups}.expire_time IS NULL OR {ban_groups}.expire_time > unix_timestamp()))`,
    // 4 is an account that awaits its deletion.
    where: '{members}.is_activated % 10 <> 4',
  },
  chats: [
    {
      table: 'themes',
      user: 'id_member',
      value: 'value',
      match: { variable: 'cust_{chat}', id_theme: '1' },
    },
  ],
  index: ['ban_items', 'id_member'],
  limits: [
    'Bans of addresses and of e-mails are not shown, nor bans from posting only.',
    'rank is the member group.',
  ],
}
