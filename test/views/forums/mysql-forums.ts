import { escapeHtml, numbered, q, type TestForum, utc } from './forum.ts'

const phpbb: TestForum = {
  program: 'phpbb',
  prefix: 'phpbb_',
  chat: 'talk',
  tables: [
    `CREATE TABLE phpbb_users (
      user_id int(10) unsigned NOT NULL AUTO_INCREMENT, user_type tinyint(2) NOT NULL DEFAULT '0',
      group_id mediumint(8) unsigned NOT NULL DEFAULT '3', user_permissions mediumtext COLLATE utf8mb3_bin NOT NULL,
      user_ip varchar(40) COLLATE utf8mb3_bin NOT NULL DEFAULT '', user_regdate int(11) unsigned NOT NULL DEFAULT '0',
      username varchar(255) COLLATE utf8mb3_bin NOT NULL DEFAULT '', username_clean varchar(255) COLLATE utf8mb3_bin NOT NULL DEFAULT '',
      user_password varchar(255) COLLATE utf8mb3_bin NOT NULL DEFAULT '', user_email varchar(100) COLLATE utf8mb3_bin NOT NULL DEFAULT '',
      user_lastvisit int(11) unsigned NOT NULL DEFAULT '0', user_rank mediumint(8) unsigned NOT NULL DEFAULT '0',
      PRIMARY KEY (user_id), KEY user_email (user_email), KEY user_type (user_type), UNIQUE KEY username_clean (username_clean)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin`,
    `CREATE TABLE phpbb_banlist (
      ban_id int(10) unsigned NOT NULL AUTO_INCREMENT, ban_userid int(10) unsigned NOT NULL DEFAULT '0',
      ban_ip varchar(40) COLLATE utf8mb3_bin NOT NULL DEFAULT '', ban_email varchar(100) COLLATE utf8mb3_bin NOT NULL DEFAULT '',
      ban_start int(11) unsigned NOT NULL DEFAULT '0', ban_end int(11) unsigned NOT NULL DEFAULT '0',
      ban_exclude tinyint(1) unsigned NOT NULL DEFAULT '0', ban_reason varchar(255) COLLATE utf8mb3_bin NOT NULL DEFAULT '',
      ban_give_reason varchar(255) COLLATE utf8mb3_bin NOT NULL DEFAULT '',
      PRIMARY KEY (ban_id), KEY ban_end (ban_end), KEY ban_user (ban_userid,ban_exclude),
      KEY ban_email (ban_email,ban_exclude), KEY ban_ip (ban_ip,ban_exclude)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin`,
    `CREATE TABLE phpbb_profile_fields_data (
      user_id int(10) unsigned NOT NULL DEFAULT '0', pf_phpbb_location varchar(255) COLLATE utf8mb3_bin DEFAULT NULL,
      pf_talk varchar(255) COLLATE utf8mb3_bin DEFAULT NULL, PRIMARY KEY (user_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_bin`,
  ],
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    'phpbb_users (user_id, user_type, group_id, user_permissions, user_regdate, username, username_clean)': `(${id}, ${isConfirmed ? 0 : 1}, ${group}, '', ${joined}, ${q(escapeHtml(name))}, ${q(escapeHtml(name.toLowerCase()))})`,
    ...(ban !== null && { 'phpbb_banlist (ban_userid, ban_start, ban_end)': `(${id}, 1, ${ban})` }),
    'phpbb_profile_fields_data (user_id, pf_talk)': `(${id}, ${q(chat ?? '')})`,
  }),
  hidden: {
    'phpbb_users (user_id, user_type, group_id, user_permissions, username, username_clean)': [
      `(1, 2, 1, '', 'Anonymous', 'anonymous')`,
      `(2, 2, 6, '', 'Some Robot', 'some robot')`,
    ],
    'phpbb_banlist (ban_ip)': [`('192.0.2.1')`],
    // A user on the list of exclusions is not banned.
    'phpbb_banlist (ban_userid, ban_exclude)': ['(10, 0)', '(10, 1)'],
  },
  lacks: ['display'],
  name: ['phpbb_users', 'username', 255],
  insert: (name) =>
    `INSERT INTO phpbb_users (user_id, user_permissions, username, username_clean) VALUES (900000, '', ${q(name)}, 'x')`,
}

const mybb: TestForum = {
  program: 'mybb',
  prefix: 'mybb_',
  chat: 'fid4',
  tables: [
    `CREATE TABLE mybb_users (
      uid int unsigned NOT NULL auto_increment, username varchar(120) NOT NULL default '', password varchar(500) NOT NULL default '',
      email varchar(220) NOT NULL default '', postnum int unsigned NOT NULL default '0', usergroup smallint unsigned NOT NULL default '0',
      additionalgroups varchar(200) NOT NULL default '', displaygroup smallint unsigned NOT NULL default '0',
      usertitle varchar(250) NOT NULL default '', regdate int unsigned NOT NULL default '0',
      UNIQUE KEY username (username), KEY usergroup (usergroup), KEY regdate (regdate), PRIMARY KEY (uid)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    `CREATE TABLE mybb_banned (
      uid int unsigned NOT NULL default '0', gid int unsigned NOT NULL default '0', oldgroup int unsigned NOT NULL default '0',
      oldadditionalgroups text NOT NULL, olddisplaygroup int unsigned NOT NULL default '0', admin int unsigned NOT NULL default '0',
      dateline int unsigned NOT NULL default '0', bantime varchar(50) NOT NULL default '', lifted int unsigned NOT NULL default '0',
      reason varchar(255) NOT NULL default '', KEY uid (uid), KEY dateline (dateline)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    `CREATE TABLE mybb_userfields (
      ufid int unsigned NOT NULL default '0', fid1 text NOT NULL, fid2 text NOT NULL, fid3 text NOT NULL, fid4 text, PRIMARY KEY (ufid)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
  ],
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    'mybb_users (uid, username, usergroup, regdate)': `(${id}, ${q(name)}, ${ban === 0 ? 7 : isConfirmed ? group : 5}, ${joined})`,
    ...(ban && {
      'mybb_banned (uid, gid, oldadditionalgroups, bantime, lifted)': `(${id}, 7, '', '---', ${ban})`,
    }),
    'mybb_userfields (ufid, fid1, fid2, fid3, fid4)': `(${id}, '', '', '', ${q(chat)})`,
  }),
  hidden: {},
  lacks: ['display', 'group'],
  name: ['mybb_users', 'username', 120],
  insert: (name) => `INSERT INTO mybb_users (uid, username) VALUES (900000, ${q(name)})`,
}

const smf: TestForum = {
  program: 'smf',
  prefix: 'smf_',
  chat: 'talk',
  tables: [
    `CREATE TABLE smf_members (
      id_member MEDIUMINT UNSIGNED AUTO_INCREMENT, member_name VARCHAR(80) NOT NULL DEFAULT '', date_registered INT UNSIGNED NOT NULL DEFAULT '0',
      posts MEDIUMINT UNSIGNED NOT NULL DEFAULT '0', id_group SMALLINT UNSIGNED NOT NULL DEFAULT '0', last_login INT UNSIGNED NOT NULL DEFAULT '0',
      real_name VARCHAR(255) NOT NULL DEFAULT '', passwd VARCHAR(64) NOT NULL DEFAULT '', email_address VARCHAR(255) NOT NULL DEFAULT '',
      is_activated TINYINT UNSIGNED NOT NULL DEFAULT '1', id_post_group SMALLINT UNSIGNED NOT NULL DEFAULT '0',
      PRIMARY KEY (id_member), INDEX idx_member_name (member_name), INDEX idx_real_name (real_name),
      INDEX idx_active_real_name (is_activated, real_name), INDEX idx_date_registered (date_registered), INDEX idx_id_group (id_group)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci`,
    `CREATE TABLE smf_ban_groups (
      id_ban_group MEDIUMINT UNSIGNED AUTO_INCREMENT, name VARCHAR(20) NOT NULL DEFAULT '', ban_time INT UNSIGNED NOT NULL DEFAULT '0',
      expire_time INT UNSIGNED, cannot_access TINYINT UNSIGNED NOT NULL DEFAULT '0', cannot_register TINYINT UNSIGNED NOT NULL DEFAULT '0',
      cannot_post TINYINT UNSIGNED NOT NULL DEFAULT '0', cannot_login TINYINT UNSIGNED NOT NULL DEFAULT '0',
      reason VARCHAR(255) NOT NULL DEFAULT '', notes TEXT NOT NULL, PRIMARY KEY (id_ban_group)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci`,
    `CREATE TABLE smf_ban_items (
      id_ban MEDIUMINT UNSIGNED AUTO_INCREMENT, id_ban_group SMALLINT UNSIGNED NOT NULL DEFAULT '0', ip_low VARBINARY(16), ip_high VARBINARY(16),
      hostname VARCHAR(255) NOT NULL DEFAULT '', email_address VARCHAR(255) NOT NULL DEFAULT '', id_member MEDIUMINT UNSIGNED NOT NULL DEFAULT '0',
      hits MEDIUMINT UNSIGNED NOT NULL DEFAULT '0', PRIMARY KEY (id_ban), INDEX idx_id_ban_group (id_ban_group), INDEX idx_id_ban_ip (ip_low, ip_high)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci`,
    `CREATE TABLE smf_themes (
      id_member MEDIUMINT DEFAULT '0', id_theme TINYINT UNSIGNED DEFAULT '1', variable VARCHAR(255) DEFAULT '', value TEXT NOT NULL,
      PRIMARY KEY (id_theme, id_member, variable(30)), INDEX idx_id_member (id_member)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci`,
  ],
  rows: ({ id, name, display, joined, group, isConfirmed, ban, chat }) => ({
    'smf_members (id_member, member_name, real_name, date_registered, id_group, is_activated)': `(${id}, ${q(name)}, ${q(numbered(escapeHtml(display), 0xffff))}, ${joined}, ${group}, ${(isConfirmed ? 1 : 0) + (ban === null ? 0 : 10)})`,
    ...(ban !== null && {
      'smf_ban_groups (id_ban_group, name, expire_time, cannot_access, notes)': `(${id}, 'ban ${id}', ${ban === 0 ? 'NULL' : ban}, 1, '')`,
      'smf_ban_items (id_ban_group, id_member)': `(${id}, ${id})`,
    }),
    'smf_themes (id_member, variable, value)': `(${id}, 'cust_talk', ${q(chat ?? '')})`,
  }),
  hidden: {
    'smf_members (id_member, member_name, is_activated)': [`(9, 'deleted', 4)`],
    'smf_themes (id_member, id_theme, variable, value)': [`(10, 2, 'cust_talk', 'other')`],
  },
  name: ['smf_members', 'member_name', 80],
  insert: (name) => `INSERT INTO smf_members (id_member, member_name) VALUES (900000, ${q(name)})`,
}

const vbulletin: TestForum = {
  program: 'vbulletin',
  prefix: '',
  chat: 'field5',
  tables: [
    `CREATE TABLE user (
      userid INT UNSIGNED NOT NULL AUTO_INCREMENT, usergroupid SMALLINT UNSIGNED NOT NULL DEFAULT '0', membergroupids CHAR(250) NOT NULL DEFAULT '',
      displaygroupid SMALLINT UNSIGNED NOT NULL DEFAULT '0', username VARCHAR(100) NOT NULL DEFAULT '', password CHAR(32) NOT NULL DEFAULT '',
      email CHAR(100) NOT NULL DEFAULT '', usertitle CHAR(250) NOT NULL DEFAULT '', joindate INT UNSIGNED NOT NULL DEFAULT '0',
      skype CHAR(32) NOT NULL DEFAULT '', PRIMARY KEY (userid), KEY usergroupid (usergroupid), KEY username (username)
    ) ENGINE=MyISAM DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci`,
    `CREATE TABLE userban (
      userid INT UNSIGNED NOT NULL DEFAULT '0', usergroupid SMALLINT UNSIGNED NOT NULL DEFAULT '0', adminid INT UNSIGNED NOT NULL DEFAULT '0',
      bandate INT UNSIGNED NOT NULL DEFAULT '0', liftdate INT UNSIGNED NOT NULL DEFAULT '0', reason VARCHAR(250) NOT NULL DEFAULT '',
      PRIMARY KEY (userid), KEY liftdate (liftdate)
    ) ENGINE=MyISAM DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci`,
    `CREATE TABLE userfield (
      userid INT UNSIGNED NOT NULL DEFAULT '0', temp MEDIUMTEXT, field1 MEDIUMTEXT, field5 MEDIUMTEXT, PRIMARY KEY (userid)
    ) ENGINE=MyISAM DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci`,
  ],
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    'user (userid, username, usergroupid, joindate)': `(${id}, ${q(numbered(escapeHtml(name), 0xff))}, ${ban === 0 ? 8 : isConfirmed ? group : 3}, ${joined})`,
    ...(ban && { 'userban (userid, bandate, liftdate)': `(${id}, 1, ${ban})` }),
    'userfield (userid, field5)': `(${id}, ${q(chat ?? '')})`,
  }),
  hidden: {},
  lacks: ['display', 'group'],
  name: ['user', 'username', 100],
  insert: (name) => `INSERT INTO user (userid, username) VALUES (900000, ${q(name)})`,
}

const xenforo: TestForum = {
  program: 'xenforo',
  prefix: 'xf_',
  chat: 'talk',
  tables: [
    `CREATE TABLE xf_user (
      user_id INT UNSIGNED AUTO_INCREMENT NOT NULL, username VARCHAR(50) NOT NULL, username_date INT UNSIGNED NOT NULL DEFAULT 0,
      email VARCHAR(120) NOT NULL DEFAULT '', custom_title VARCHAR(50) NOT NULL DEFAULT '', user_group_id INT UNSIGNED NOT NULL DEFAULT 2,
      secondary_group_ids VARBINARY(255) NOT NULL DEFAULT '', display_style_group_id INT UNSIGNED NOT NULL DEFAULT 0,
      register_date INT UNSIGNED NOT NULL DEFAULT 0, is_moderator TINYINT UNSIGNED NOT NULL DEFAULT 0, is_admin TINYINT UNSIGNED NOT NULL DEFAULT 0,
      is_banned TINYINT UNSIGNED NOT NULL DEFAULT 0, is_staff TINYINT UNSIGNED NOT NULL DEFAULT 0,
      user_state ENUM('valid','email_confirm','email_confirm_edit','moderated','email_bounce','rejected','disabled') NOT NULL DEFAULT 'valid',
      PRIMARY KEY (user_id), UNIQUE KEY username (username), KEY email (email), KEY register_date (register_date), KEY user_state (user_state)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    `CREATE TABLE xf_user_ban (
      user_id INT UNSIGNED NOT NULL, ban_user_id INT UNSIGNED NOT NULL, ban_date INT UNSIGNED NOT NULL DEFAULT 0, end_date INT UNSIGNED NOT NULL DEFAULT 0,
      user_reason VARCHAR(255) NOT NULL DEFAULT '', triggered TINYINT UNSIGNED NOT NULL DEFAULT 1, PRIMARY KEY (user_id), KEY ban_date (ban_date), KEY end_date (end_date)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    `CREATE TABLE xf_user_connected_account (
      user_id INT UNSIGNED NOT NULL, provider VARBINARY(25) NOT NULL, provider_key VARBINARY(150) NOT NULL, extra_data MEDIUMBLOB NOT NULL,
      PRIMARY KEY (user_id, provider), UNIQUE KEY provider (provider, provider_key)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    `CREATE TABLE xf_user_field_value (
      user_id INT UNSIGNED NOT NULL, field_id VARBINARY(25) NOT NULL, field_value MEDIUMTEXT NOT NULL,
      PRIMARY KEY (user_id, field_id), KEY field_id (field_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    `CREATE TABLE xf_option (option_id VARBINARY(50) NOT NULL, option_value MEDIUMBLOB NOT NULL, PRIMARY KEY (option_id)) ENGINE=InnoDB`,
    `INSERT INTO xf_option VALUES ('boardUrl', 'https://forum.example/')`,
    `CREATE TABLE xf_rm_resource (
      resource_id INT UNSIGNED AUTO_INCREMENT NOT NULL, title VARCHAR(150) NOT NULL, tag_line VARCHAR(100) NOT NULL DEFAULT '', user_id INT UNSIGNED NOT NULL DEFAULT 0,
      resource_state ENUM('visible','moderated','deleted') NOT NULL DEFAULT 'visible', resource_category_id INT NOT NULL, current_version_id INT UNSIGNED NOT NULL DEFAULT 0,
      PRIMARY KEY (resource_id), KEY category_last_update (resource_category_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    `CREATE TABLE xf_rm_resource_version (
      resource_version_id INT UNSIGNED AUTO_INCREMENT NOT NULL, resource_id INT UNSIGNED NOT NULL, version_string VARCHAR(50) NOT NULL,
      release_date INT UNSIGNED NOT NULL DEFAULT 0, version_state ENUM('visible','moderated','deleted') NOT NULL DEFAULT 'visible', PRIMARY KEY (resource_version_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    `INSERT INTO xf_rm_resource (resource_id, title, resource_state, resource_category_id, current_version_id) VALUES
      (7, 'Kite', 'visible', 2, 21), (8, 'Boat & Co', 'visible', 3, 22), (9, 'Gone', 'deleted', 3, 23), (10, 'New', 'visible', 3, 24)`,
    `INSERT INTO xf_rm_resource_version (resource_version_id, resource_id, version_string) VALUES
      (21, 7, '2.10.3'), (22, 8, 'v1.4'), (23, 9, '1.0.0'), (24, 10, '2 beta')`,
  ],
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    'xf_user (user_id, username, user_group_id, register_date, user_state, is_banned)': `(${id}, ${q(name)}, ${group}, ${joined}, '${isConfirmed ? 'valid' : 'email_confirm'}', ${ban === null ? 0 : 1})`,
    ...(ban !== null && { 'xf_user_ban (user_id, ban_user_id, end_date)': `(${id}, 1, ${ban})` }),
    ...(chat !== null && {
      'xf_user_connected_account (user_id, provider, provider_key, extra_data)': `(${id}, 'talk', ${q(chat)}, '')`,
    }),
  }),
  hidden: {
    'xf_user (user_id, username, user_state)': [`(8, 'rejected', 'rejected')`, `(9, 'disabled', 'disabled')`],
  },
  lacks: ['display'],
  name: ['xf_user', 'username', 50],
  insert: (name) => `INSERT INTO xf_user (user_id, username) VALUES (900000, ${q(name)})`,
}

const wordpress: TestForum = {
  program: 'wordpress',
  prefix: 'wp_',
  chat: 'talk_id',
  tables: [
    `CREATE TABLE wp_users (
      ID bigint(20) unsigned NOT NULL auto_increment, user_login varchar(60) NOT NULL default '', user_pass varchar(255) NOT NULL default '',
      user_nicename varchar(50) NOT NULL default '', user_email varchar(100) NOT NULL default '', user_url varchar(100) NOT NULL default '',
      user_registered datetime NOT NULL default '0000-00-00 00:00:00', user_activation_key varchar(255) NOT NULL default '',
      user_status int(11) NOT NULL default '0', display_name varchar(250) NOT NULL default '',
      PRIMARY KEY (ID), KEY user_login_key (user_login), KEY user_nicename (user_nicename), KEY user_email (user_email)
    ) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`,
    `CREATE TABLE wp_usermeta (
      umeta_id bigint(20) unsigned NOT NULL auto_increment, user_id bigint(20) unsigned NOT NULL default '0', meta_key varchar(255) default NULL,
      meta_value longtext, PRIMARY KEY (umeta_id), KEY user_id (user_id), KEY meta_key (meta_key(191))
    ) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`,
  ],
  rows: ({ id, name, display, joined, group, isConfirmed, ban, chat }) => ({
    'wp_users (ID, user_login, user_registered, user_status, display_name)': `(${id}, ${q(name)}, ${utc(joined)}, ${isConfirmed ? 0 : 1}, ${q(display.replaceAll('&', '&amp;'))})`,
    'wp_usermeta (user_id, meta_key, meta_value)': [
      `(${id}, 'wp_capabilities', ${q(`a:2:{s:10:"subscriber";b:1;s:${ban === null ? 15 : 11}:"${ban === null ? 'bbp_participant' : 'bbp_blocked'}";b:1;}`)})`,
      `(${id}, 'wp_user_level', '${group}')`,
      `(${id}, 'nickname', ${q(name)})`,
      ...(chat === null
        ? []
        : [
            `(${id}, 'talk_id', ''), (${id}, 'talk_id', ${q(chat)}), (${id}, 'talk_id', 'later chat of ${id}')`,
          ]),
    ].join(),
  }),
  hidden: {},
  lacks: ['ban end'],
  name: ['wp_users', 'user_login', 60],
  insert: (name) => `INSERT INTO wp_users (ID, user_login) VALUES (900000, ${q(name)})`,
}

const flarum: TestForum = {
  program: 'flarum',
  prefix: '',
  chat: 'talk',
  tables: [
    `CREATE TABLE users (
      id int(10) unsigned NOT NULL AUTO_INCREMENT, username varchar(100) NOT NULL, nickname varchar(150) DEFAULT NULL, email varchar(150) NOT NULL DEFAULT '',
      is_email_confirmed tinyint(1) NOT NULL DEFAULT 0, password varchar(100) NOT NULL DEFAULT '', preferences blob DEFAULT NULL,
      joined_at datetime DEFAULT NULL, last_seen_at datetime DEFAULT NULL, suspended_until datetime DEFAULT NULL,
      PRIMARY KEY (id), UNIQUE KEY users_username_unique (username), KEY users_joined_at_index (joined_at), KEY users_nickname_index (nickname)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
    `CREATE TABLE group_user (user_id int(10) unsigned NOT NULL, group_id int(10) unsigned NOT NULL, PRIMARY KEY (user_id,group_id),
      KEY group_user_group_id_foreign (group_id)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
    `CREATE TABLE login_providers (
      id int(10) unsigned NOT NULL AUTO_INCREMENT, user_id int(10) unsigned NOT NULL, provider varchar(100) NOT NULL, identifier varchar(100) NOT NULL,
      created_at datetime DEFAULT NULL, last_login_at datetime DEFAULT NULL, PRIMARY KEY (id),
      UNIQUE KEY login_providers_provider_identifier_unique (provider,identifier), KEY login_providers_user_id_foreign (user_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  ],
  rows: ({ id, name, display, joined, group, isConfirmed, ban, chat }) => ({
    'users (id, username, nickname, is_email_confirmed, joined_at, suspended_until)': `(${id}, ${q(name)}, ${q(display === name ? null : display)}, ${isConfirmed ? 1 : 0}, ${utc(joined)}, ${ban === null ? 'NULL' : utc(ban === 0 ? 2_145_916_800 : ban)})`,
    'group_user (user_id, group_id)': `(${id}, ${group}), (${id}, ${group + 3})`,
    ...(chat !== null && {
      'login_providers (user_id, provider, identifier)': `(${id}, 'talk', ${q(chat)}), (${id}, 'talk', 'later chat of ${id}')`,
    }),
  }),
  hidden: {},
  name: ['users', 'username', 100],
  insert: (name) => `INSERT INTO users (id, username) VALUES (900000, ${q(name)})`,
}

const drupal: TestForum = {
  program: 'drupal',
  prefix: '',
  chat: 'field_talk',
  tables: [
    `CREATE TABLE users_field_data (
      uid int(10) unsigned NOT NULL, langcode varchar(12) CHARACTER SET ascii NOT NULL, preferred_langcode varchar(12) CHARACTER SET ascii DEFAULT NULL,
      name varchar(60) NOT NULL, pass varchar(255) DEFAULT NULL, mail varchar(254) DEFAULT NULL, timezone varchar(32) DEFAULT NULL,
      status tinyint(4) DEFAULT NULL, created int(11) NOT NULL, changed int(11) DEFAULT NULL, access int(11) NOT NULL, login int(11) DEFAULT NULL,
      init varchar(254) DEFAULT NULL, default_langcode tinyint(4) NOT NULL, PRIMARY KEY (uid,langcode), UNIQUE KEY user__name (name,langcode),
      KEY user__id__default_langcode__langcode (uid,default_langcode,langcode), KEY user_field__created (created), KEY user_field__access (access)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    ...[
      'user__roles (%, roles_target_id varchar(255) CHARACTER SET ascii NOT NULL, KEY roles_target_id (roles_target_id), #)',
      'user__field_talk (%, field_talk_value varchar(255) NOT NULL, #)',
    ].map(
      (table) =>
        `CREATE TABLE ${table
          .replace(
            '%',
            `bundle varchar(128) CHARACTER SET ascii NOT NULL DEFAULT '', deleted tinyint(4) NOT NULL DEFAULT 0, entity_id int(10) unsigned NOT NULL,
            revision_id int(10) unsigned NOT NULL, langcode varchar(32) CHARACTER SET ascii NOT NULL DEFAULT '', delta int(10) unsigned NOT NULL`,
          )
          .replace(
            '#',
            'PRIMARY KEY (entity_id,deleted,delta,langcode), KEY bundle (bundle), KEY revision_id (revision_id)',
          )}
        ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci`,
    ),
  ],
  rows: ({ id, name, joined, group, isConfirmed, ban, chat }) => ({
    'users_field_data (uid, langcode, name, status, created, access, default_langcode)': `(${id}, 'en', ${q(name)}, ${isConfirmed && ban === null ? 1 : 0}, ${joined}, ${isConfirmed ? joined : 0}, 1)`,
    ...(group === 1 && {
      'user__roles (bundle, entity_id, revision_id, langcode, delta, roles_target_id)': `('user', ${id}, ${id}, 'en', 0, 'administrator')`,
    }),
    ...(chat !== null && {
      'user__field_talk (bundle, entity_id, revision_id, langcode, delta, field_talk_value)': `('user', ${id}, ${id}, 'en', 0, ${q(chat)}), ('user', ${id}, ${id}, 'fr', 0, 'later chat of ${id}')`,
    }),
  }),
  hidden: {
    'users_field_data (uid, langcode, name, status, created, access, default_langcode)': [
      `(0, 'en', '', 0, 1, 0, 1)`,
      `(10, 'de', 'Nora in another language', 1, 1, 1, 0)`,
    ],
  },
  lacks: ['display', 'ban end', 'group'],
  name: ['users_field_data', 'name', 60],
  insert: (name) =>
    `INSERT INTO users_field_data (uid, langcode, name, created, access, default_langcode) VALUES (900000, 'en', ${q(name)}, 1, 1, 1)`,
}

export const mysqlForums: readonly TestForum[] = [
  ...[phpbb, mybb, smf, vbulletin, xenforo, wordpress, flarum, drupal],
]
