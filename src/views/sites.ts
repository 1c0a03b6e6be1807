// The declarations of programs that are more than a forum.

import type { ForumProgram } from './program.ts'

// WordPress keeps most facts about a user in `usermeta`, one row for each user and key.
const meta = (key: string) =>
  `(SELECT {usermeta}.meta_value FROM {usermeta} WHERE {usermeta}.user_id = {users}.ID AND {usermeta}.meta_key = '{prefix}${key}' LIMIT 1)`
const blocked = `coalesce(${meta('capabilities')} LIKE '%"bbp_blocked"%', 0)`

export const wordpress: ForumProgram = {
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
    // Only a network of sites has these two columns.
    banned: { if: 'users.spam', yes: `({users}.spam = 1 OR ${blocked})`, no: blocked },
    where: { if: 'users.deleted', yes: '{users}.deleted = 0', no: '{users}.ID > 0' },
  },
  chats: (chat) => [
    { table: 'usermeta', user: 'user_id', value: 'meta_value', match: { meta_key: chat }, order: 'umeta_id' },
  ],
}

export const flarum: ForumProgram = {
  title: 'Flarum 1 and 2',
  engine: 'mysql',
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
  chats: (chat) => [
    {
      table: 'login_providers',
      user: 'user_id',
      value: 'identifier',
      match: { provider: chat },
      order: 'id',
    },
  ],
}

export const discourse: ForumProgram = {
  title: 'Discourse',
  engine: 'postgres',
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
  chats: (chat) => [
    {
      table: 'user_associated_accounts',
      user: 'user_id',
      value: 'provider_uid',
      match: { provider_name: chat },
    },
  ],
}

export const drupal: ForumProgram = {
  title: 'Drupal 10',
  engine: 'mysql',
  users: {
    table: 'users_field_data',
    id: 'uid',
    name: 'name',
    rank: `EXISTS (SELECT 1 FROM {user__roles} WHERE {user__roles}.entity_id = {users_field_data}.uid
      AND {user__roles}.deleted = 0 AND {user__roles}.roles_target_id = 'administrator')`,
    joined: '{users_field_data}.created',
    // A blocked user who was never there has not been confirmed yet.
    confirmed: '({users_field_data}.status = 1 OR {users_field_data}.access > 0)',
    banned: '({users_field_data}.status = 0 AND {users_field_data}.access > 0)',
    where: '{users_field_data}.uid > 0 AND {users_field_data}.default_langcode = 1',
  },
  chats: (chat) => [
    {
      table: `user__${chat}`,
      user: 'entity_id',
      value: `${chat}_value`,
      match: { deleted: '0', delta: '0' },
      // A field may be translated.
      order: 'langcode',
    },
  ],
}
