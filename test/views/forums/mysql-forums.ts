// Forum programs over MySQL.

import { escapeHtml, numbered, row, type TestForum, utc } from './forum.ts'

const bin = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin'
const utf8mb3 = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci'
const general = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci'
const unicode = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci'
const unicode520 = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci'
const myisam = 'ENGINE=MyISAM DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci'
const id = 'int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY'
const number = 'int unsigned NOT NULL DEFAULT 0'
const small = 'tinyint unsigned NOT NULL DEFAULT 0'

const phpbb: TestForum = {
  program: 'phpbb',
  chat: 'talk',
  tables: `
    CREATE TABLE phpbb_users (user_id ${id}, user_type tinyint NOT NULL DEFAULT 0, group_id ${number},
      user_permissions mediumtext NOT NULL, user_regdate ${number}, username varchar(255) NOT NULL DEFAULT '',
      username_clean varchar(255) NOT NULL DEFAULT '', UNIQUE KEY username_clean (username_clean)) ${bin};
    CREATE TABLE phpbb_banlist (ban_id ${id}, ban_userid ${number}, ban_ip varchar(40) NOT NULL DEFAULT '',
      ban_end ${number}, ban_exclude ${small}, KEY ban_user (ban_userid, ban_exclude)) ${bin};
    CREATE TABLE phpbb_profile_fields_data (user_id int unsigned PRIMARY KEY, pf_talk varchar(255)) ${bin}`,
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    phpbb_users: row(
      ...[id, isConfirmed ? 0 : 1, group, '', joined, escapeHtml(name), escapeHtml(name.toLowerCase())],
    ),
    ...(ban !== null && { 'phpbb_banlist (ban_userid, ban_end)': row(id, ban) }),
    phpbb_profile_fields_data: row(id, chat ?? ''),
  }),
  hidden: {
    phpbb_users: [
      row(1, 2, 1, '', 0, 'Anonymous', 'anonymous'),
      row(2, 2, 6, '', 0, 'Some Robot', 'some robot'),
    ].join(),
    'phpbb_banlist (ban_ip)': row('192.0.2.1'),
    // A user on the list of exclusions is not banned.
    'phpbb_banlist (ban_userid, ban_exclude)': `${row(10, 0)},${row(10, 1)}`,
  },
  lacks: ['display'],
  name: ['phpbb_users', 'username', 255],
  insert: (name) => ({
    'phpbb_users (user_id, user_permissions, username, username_clean)': row(900_000, '', name, 'x'),
  }),
}

const mybb: TestForum = {
  program: 'mybb',
  chat: 'fid4',
  tables: `
    CREATE TABLE mybb_users (uid ${id}, username varchar(120) NOT NULL default '', usergroup ${number},
      regdate ${number}, UNIQUE KEY username (username)) ${general};
    CREATE TABLE mybb_banned (uid ${number}, lifted ${number}, KEY uid (uid)) ${general};
    CREATE TABLE mybb_userfields (ufid int unsigned PRIMARY KEY, fid1 text, fid4 text) ${general}`,
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    mybb_users: row(id, name, ban === 0 ? 7 : isConfirmed ? group : 5, joined),
    ...(ban && { mybb_banned: row(id, ban) }),
    mybb_userfields: row(id, '', chat),
  }),
  hidden: {},
  lacks: ['display', 'group'],
  name: ['mybb_users', 'username', 120],
  insert: (name) => ({ 'mybb_users (uid, username)': row(900_000, name) }),
}

const smf: TestForum = {
  program: 'smf',
  chat: 'talk',
  tables: `
    CREATE TABLE smf_members (id_member ${id}, member_name varchar(80) NOT NULL DEFAULT '',
      real_name varchar(255) NOT NULL DEFAULT '', date_registered ${number}, id_group ${number},
      is_activated tinyint unsigned NOT NULL DEFAULT 1, KEY idx_member_name (member_name)) ${utf8mb3};
    CREATE TABLE smf_ban_groups (id_ban_group ${id}, expire_time int unsigned, cannot_access ${small},
      cannot_login ${small}) ${utf8mb3};
    CREATE TABLE smf_ban_items (id_ban ${id}, id_ban_group ${number}, id_member ${number},
      KEY idx_id_ban_group (id_ban_group)) ${utf8mb3};
    CREATE TABLE smf_themes (id_member mediumint DEFAULT 0, id_theme tinyint unsigned DEFAULT 1,
      variable varchar(255) DEFAULT '', value text NOT NULL, PRIMARY KEY (id_theme, id_member, variable(30)),
      KEY idx_id_member (id_member)) ${utf8mb3}`,
  rows: ({ id, name, display, joined, group, isConfirmed, ban, chat }) => ({
    smf_members: row(
      ...[id, name, numbered(escapeHtml(display), 0xffff), joined, group],
      (isConfirmed ? 1 : 0) + (ban === null ? 0 : 10),
    ),
    ...(ban !== null && {
      smf_ban_groups: row(id, ban === 0 ? null : ban, 1, 0),
      'smf_ban_items (id_ban_group, id_member)': row(id, id),
    }),
    smf_themes: row(id, 1, 'cust_talk', chat ?? ''),
  }),
  hidden: {
    'smf_members (id_member, member_name, is_activated)': row(9, 'deleted', 4),
    smf_themes: row(10, 2, 'cust_talk', 'other'),
  },
  name: ['smf_members', 'member_name', 80],
  insert: (name) => ({ 'smf_members (id_member, member_name)': row(900_000, name) }),
}

const vbulletin: TestForum = {
  program: 'vbulletin',
  chat: 'field5',
  tables: `
    CREATE TABLE user (userid ${id}, usergroupid ${number}, username varchar(100) NOT NULL DEFAULT '',
      joindate ${number}, KEY username (username)) ${myisam};
    CREATE TABLE userban (userid int unsigned PRIMARY KEY, liftdate ${number}) ${myisam};
    CREATE TABLE userfield (userid int unsigned PRIMARY KEY, field1 mediumtext, field5 mediumtext) ${myisam}`,
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    user: row(id, ban === 0 ? 8 : isConfirmed ? group : 3, numbered(escapeHtml(name), 0xff), joined),
    ...(ban && { userban: row(id, ban) }),
    userfield: row(id, null, chat ?? ''),
  }),
  hidden: {},
  lacks: ['display', 'group'],
  name: ['user', 'username', 100],
  insert: (name) => ({ 'user (userid, username)': row(900_000, name) }),
}

const xenforo: TestForum = {
  program: 'xenforo',
  chat: 'talk',
  tables: `
    CREATE TABLE xf_user (user_id ${id}, username varchar(50) NOT NULL,
      user_group_id int unsigned NOT NULL DEFAULT 2, register_date ${number},
      user_state enum('valid','email_confirm','moderated','rejected','disabled') NOT NULL DEFAULT 'valid',
      UNIQUE KEY username (username)) ${general};
    CREATE TABLE xf_user_ban (user_id int unsigned PRIMARY KEY, end_date ${number}) ${general};
    CREATE TABLE xf_user_connected_account (user_id int unsigned, provider varbinary(25) NOT NULL,
      provider_key varbinary(150) NOT NULL, PRIMARY KEY (user_id, provider),
      UNIQUE KEY provider (provider, provider_key)) ${general};
    CREATE TABLE xf_user_field_value (user_id int unsigned, field_id varbinary(25) NOT NULL,
      field_value mediumtext NOT NULL, PRIMARY KEY (user_id, field_id), KEY field_id (field_id)) ${general};
    CREATE TABLE xf_option (option_id varbinary(50) PRIMARY KEY, option_value mediumblob NOT NULL) ${general};
    INSERT INTO xf_option VALUES ('boardUrl', 'https://forum.example/');
    CREATE TABLE xf_rm_resource (resource_id ${id}, title varchar(150) NOT NULL,
      resource_state enum('visible','moderated','deleted') NOT NULL DEFAULT 'visible',
      resource_category_id int NOT NULL, current_version_id ${number}) ${general};
    INSERT INTO xf_rm_resource VALUES (7, 'Kite', 'visible', 2, 21), (8, 'Boat & Co', 'visible', 3, 22),
      (9, 'Gone', 'deleted', 3, 23), (10, 'New', 'visible', 3, 24);
    CREATE TABLE xf_rm_resource_version (resource_version_id ${id}, version_string varchar(50) NOT NULL) ${general};
    INSERT INTO xf_rm_resource_version VALUES (21, '2.10.3'), (22, 'v1.4'), (23, '1.0.0'), (24, '2 beta')`,
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    xf_user: row(id, name, group, joined, isConfirmed ? 'valid' : 'email_confirm'),
    ...(ban !== null && { xf_user_ban: row(id, ban) }),
    ...(chat !== null && { xf_user_connected_account: row(id, 'talk', chat) }),
  }),
  hidden: { xf_user: `${row(8, 'rejected', 2, 0, 'rejected')},${row(9, 'disabled', 2, 0, 'disabled')}` },
  lacks: ['display'],
  name: ['xf_user', 'username', 50],
  insert: (name) => ({ 'xf_user (user_id, username)': row(900_000, name) }),
}

const wordpress: TestForum = {
  program: 'wordpress',
  chat: 'talk_id',
  tables: `
    CREATE TABLE wp_users (ID bigint unsigned AUTO_INCREMENT PRIMARY KEY, user_login varchar(60) NOT NULL default '',
      user_registered datetime NOT NULL default '0000-00-00 00:00:00', user_status int NOT NULL default 0,
      display_name varchar(250) NOT NULL default '', KEY user_login_key (user_login)) ${unicode520};
    CREATE TABLE wp_usermeta (umeta_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, user_id bigint unsigned NOT NULL,
      meta_key varchar(255), meta_value longtext, KEY user_id (user_id), KEY meta_key (meta_key(191))) ${unicode520}`,
  rows: ({ id, name, display, joined, group, isConfirmed, ban, chat }) => {
    const role = ban === null ? 's:15:"bbp_participant"' : 's:11:"bbp_blocked"'
    const meta = [
      ['wp_capabilities', `a:2:{s:10:"subscriber";b:1;${role};b:1;}`],
      ['wp_user_level', String(group)],
      ...(chat === null ? [] : ['', chat, `later chat of ${id}`].map((text) => ['talk_id', text])),
    ]
    return {
      wp_users: row(id, name, utc(joined), isConfirmed ? 0 : 1, display.replaceAll('&', '&amp;')),
      'wp_usermeta (user_id, meta_key, meta_value)': meta.map((pair) => row(id, ...pair)).join(),
    }
  },
  hidden: {},
  lacks: ['ban end'],
  name: ['wp_users', 'user_login', 60],
  insert: (name) => ({ 'wp_users (ID, user_login)': row(900_000, name) }),
}

const flarum: TestForum = {
  program: 'flarum',
  chat: 'talk',
  tables: `
    CREATE TABLE users (id ${id}, username varchar(100) NOT NULL, nickname varchar(150),
      is_email_confirmed ${small}, joined_at datetime, suspended_until datetime,
      UNIQUE KEY users_username_unique (username)) ${unicode};
    CREATE TABLE group_user (user_id int unsigned, group_id int unsigned, PRIMARY KEY (user_id, group_id)) ${unicode};
    CREATE TABLE login_providers (id ${id}, user_id int unsigned NOT NULL, provider varchar(100) NOT NULL,
      identifier varchar(100) NOT NULL, UNIQUE KEY provider_identifier (provider, identifier),
      KEY user_id (user_id)) ${unicode}`,
  rows: ({ id, name, display, joined, group, isConfirmed, ban, chat }) => ({
    users: row(
      ...[id, name, display === name ? null : display, isConfirmed, utc(joined)],
      ban === null ? null : utc(ban === 0 ? 2_145_916_800 : ban),
    ),
    group_user: `${row(id, group)},${row(id, group + 3)}`,
    ...(chat !== null && {
      'login_providers (user_id, provider, identifier)': `${row(id, 'talk', chat)},${row(id, 'talk', `later ${id}`)}`,
    }),
  }),
  hidden: {},
  name: ['users', 'username', 100],
  insert: (name) => ({ 'users (id, username)': row(900_000, name) }),
}

const field = (column: string) => `(deleted ${small}, entity_id int unsigned NOT NULL,
  langcode varchar(32) CHARACTER SET ascii NOT NULL DEFAULT '', delta ${number}, ${column} NOT NULL,
  PRIMARY KEY (entity_id, deleted, delta, langcode)) ${general}`

const drupal: TestForum = {
  program: 'drupal',
  chat: 'field_talk',
  tables: `
    CREATE TABLE users_field_data (uid int unsigned NOT NULL, langcode varchar(12) CHARACTER SET ascii NOT NULL,
      name varchar(60) NOT NULL, status tinyint, created int NOT NULL, access int NOT NULL,
      default_langcode tinyint NOT NULL, PRIMARY KEY (uid, langcode), UNIQUE KEY user__name (name, langcode),
      KEY user__id__default_langcode__langcode (uid, default_langcode, langcode)) ${general};
    CREATE TABLE user__roles ${field('roles_target_id varchar(255) CHARACTER SET ascii')};
    CREATE TABLE user__field_talk ${field('field_talk_value varchar(255)')}`,
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    users_field_data: row(
      ...[id, 'en', name, isConfirmed && ban === null, joined, isConfirmed ? joined : 0, 1],
    ),
    ...(group === 1 && { user__roles: row(0, id, 'en', 0, 'administrator') }),
    ...(chat !== null && {
      user__field_talk: `${row(0, id, 'en', 0, chat)},${row(0, id, 'fr', 0, `later ${id}`)}`,
    }),
  }),
  hidden: {
    users_field_data: `${row(0, 'en', '', 0, 1, 0, 1)},${row(10, 'de', 'Nora in another language', 1, 1, 1, 0)}`,
  },
  lacks: ['display', 'ban end', 'group'],
  name: ['users_field_data', 'name', 60],
  insert: (name) => ({ users_field_data: row(900_000, 'en', name, 0, 1, 1, 1) }),
}

export const mysqlForums: readonly TestForum[] = [
  ...[phpbb, mybb, smf, vbulletin, xenforo, wordpress, flarum, drupal],
]
