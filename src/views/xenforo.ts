import type { Program } from './program.ts'

const version = `trim(LEADING 'v' FROM {rm_resource_version}.version_string)`

export const xenforo: Program = {
  title: 'XenForo 2.3',
  engine: 'mysql',
  prefix: 'xf_',
  users: {
    table: 'user',
    id: 'user_id',
    name: 'username',
    display: '{user}.username',
    rank: '{user}.user_group_id',
    joined: '{user}.register_date',
    confirmed: `{user}.user_state NOT IN ('email_confirm', 'moderated')`,
    // An end of 0 is never.
    banned: `EXISTS (SELECT 1 FROM {user_ban} WHERE {user_ban}.user_id = {user}.user_id
      AND ({user_ban}.end_date = 0 OR {user_ban}.end_date > unix_timestamp()))`,
    where: `{user}.user_state NOT IN ('rejected', 'disabled')`,
  },
  chats: [
    {
      table: 'user_connected_account',
      user: 'user_id',
      value: 'provider_key',
      match: { provider: '{chat}' },
    },
    { table: 'user_field_value', user: 'user_id', value: 'field_value', match: { field_id: '{chat}' } },
  ],
  apps: {
    table: 'rm_resource',
    url: `SELECT option_value AS value FROM {option} WHERE option_id = 'boardUrl'`,
    sql: `SELECT {rm_resource}.resource_id AS id, {rm_resource}.title AS title,
      CASE WHEN ${version} REGEXP '^[0-9]+[.][0-9]+[.][0-9]+$' THEN ${version}
        WHEN ${version} REGEXP '^[0-9]+[.][0-9]+$' THEN concat(${version}, '.0')
        WHEN ${version} REGEXP '^[0-9]+$' THEN concat(${version}, '.0.0') ELSE '0.0.0' END AS version,
      {rm_resource}.resource_category_id AS category,
      concat({url}, '/resources/', {rm_resource}.resource_id, '/history') AS changelog_link,
      concat({url}, '/resources/', {rm_resource}.resource_id, '/') AS download_link
    FROM {rm_resource}
    LEFT JOIN {rm_resource_version} ON {rm_resource_version}.resource_version_id = {rm_resource}.current_version_id
    WHERE {rm_resource}.resource_state = 'visible'`,
  },
  limits: [
    'rank is the primary user group.',
    'A version of a resource that is not numbers is 0.0.0.',
    'The links are those of full friendly URLs.',
  ],
}
