// The declarations of forum programs. To add a program, add a declaration here, or in `sites.ts`, and its
// name to `names` in `program.ts`. A change here reaches only `lookup views`, which loads this file.

import type { ForumProgram, ProgramName } from './program.ts'
import { discourse, drupal, flarum, wordpress } from './sites.ts'

const phpbb: ForumProgram = {
  title: 'phpBB 3.3',
  engine: 'mysql',
  prefix: 'phpbb_',
  entities: 'usernames and display names',
  users: {
    table: 'users',
    id: 'user_id',
    name: 'username',
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
  chats: (chat) => [{ table: 'profile_fields_data', user: 'user_id', value: `pf_${chat}` }],
}

const mybb: ForumProgram = {
  title: 'MyBB 1.8',
  engine: 'mysql',
  prefix: 'mybb_',
  users: {
    table: 'users',
    id: 'uid',
    name: 'username',
    rank: '{users}.usergroup',
    joined: '{users}.regdate',
    // 5 are those who await their activation.
    confirmed: '{users}.usergroup <> 5',
    // An end of 0 is never. 7 are those who were banned by hand, without an end.
    banned: `coalesce((SELECT max({banned}.lifted = 0 OR {banned}.lifted > unix_timestamp()) FROM {banned}
      WHERE {banned}.uid = {users}.uid), {users}.usergroup = 7)`,
    where: '{users}.uid > 0',
  },
  chats: (chat) => [{ table: 'userfields', user: 'ufid', value: chat }],
}

const smf: ForumProgram = {
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
  chats: (chat) => [
    {
      table: 'themes',
      user: 'id_member',
      value: 'value',
      match: { variable: `cust_${chat}`, id_theme: '1' },
    },
  ],
  index: ['ban_items', 'id_member'],
}

const vbulletin: ForumProgram = {
  title: 'vBulletin 4',
  engine: 'mysql',
  entities: 'usernames and display names',
  users: {
    table: 'user',
    id: 'userid',
    name: 'username',
    rank: '{user}.usergroupid',
    joined: '{user}.joindate',
    // 3 await the confirmation by e-mail, 4 a moderator.
    confirmed: '{user}.usergroupid NOT IN (3, 4)',
    // An end of 0 is never. 8 are those who were banned by hand, without an end.
    banned: `coalesce((SELECT max({userban}.liftdate = 0 OR {userban}.liftdate > unix_timestamp()) FROM {userban}
      WHERE {userban}.userid = {user}.userid), {user}.usergroupid = 8)`,
    where: '{user}.userid > 0',
  },
  chats: (chat) => [{ table: 'userfield', user: 'userid', value: chat }],
}

const xenforoVersion = `trim(LEADING 'v' FROM {rm_resource_version}.version_string)`

const xenforo: ForumProgram = {
  title: 'XenForo 2.3',
  engine: 'mysql',
  prefix: 'xf_',
  users: {
    table: 'user',
    id: 'user_id',
    name: 'username',
    rank: '{user}.user_group_id',
    joined: '{user}.register_date',
    confirmed: `{user}.user_state NOT IN ('email_confirm', 'moderated')`,
    // An end of 0 is never.
    banned: `EXISTS (SELECT 1 FROM {user_ban} WHERE {user_ban}.user_id = {user}.user_id
      AND ({user_ban}.end_date = 0 OR {user_ban}.end_date > unix_timestamp()))`,
    where: `{user}.user_state NOT IN ('rejected', 'disabled')`,
  },
  chats: (chat) => [
    { table: 'user_connected_account', user: 'user_id', value: 'provider_key', match: { provider: chat } },
    { table: 'user_field_value', user: 'user_id', value: 'field_value', match: { field_id: chat } },
  ],
  apps: {
    table: 'rm_resource',
    url: `SELECT option_value AS value FROM {option} WHERE option_id = 'boardUrl'`,
    sql: `SELECT {rm_resource}.resource_id AS id, {rm_resource}.title AS title,
      CASE WHEN ${xenforoVersion} REGEXP '^[0-9]+[.][0-9]+[.][0-9]+$' THEN ${xenforoVersion}
        WHEN ${xenforoVersion} REGEXP '^[0-9]+[.][0-9]+$' THEN concat(${xenforoVersion}, '.0')
        WHEN ${xenforoVersion} REGEXP '^[0-9]+$' THEN concat(${xenforoVersion}, '.0.0') ELSE '0.0.0' END AS version,
      {rm_resource}.resource_category_id AS category,
      concat({url}, '/resources/', {rm_resource}.resource_id, '/history') AS changelog_link,
      concat({url}, '/resources/', {rm_resource}.resource_id, '/') AS download_link
    FROM {rm_resource}
    LEFT JOIN {rm_resource_version} ON {rm_resource_version}.resource_version_id = {rm_resource}.current_version_id
    WHERE {rm_resource}.resource_state = 'visible'`,
  },
}

export const programs: Readonly<Record<ProgramName, ForumProgram>> = {
  phpbb,
  mybb,
  smf,
  vbulletin,
  xenforo,
  wordpress,
  flarum,
  discourse,
  drupal,
}
