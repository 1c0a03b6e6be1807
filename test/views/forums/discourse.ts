import { q, type TestForum, utc } from './forum.ts'

export const discourse: TestForum = {
  program: 'discourse',
  prefix: '',
  chat: 'talk',
  tables: [
    `CREATE TABLE users (
      id serial PRIMARY KEY, username character varying(60) NOT NULL, created_at timestamp without time zone NOT NULL,
      updated_at timestamp without time zone NOT NULL, name character varying, last_posted_at timestamp without time zone,
      active boolean DEFAULT false NOT NULL, username_lower character varying(60) NOT NULL, admin boolean DEFAULT false NOT NULL,
      trust_level integer NOT NULL, approved boolean DEFAULT false NOT NULL, suspended_at timestamp without time zone,
      suspended_till timestamp without time zone, moderator boolean DEFAULT false, title character varying,
      staged boolean DEFAULT false NOT NULL, silenced_till timestamp without time zone)`,
    'CREATE UNIQUE INDEX index_users_on_username ON users (username)',
    'CREATE UNIQUE INDEX index_users_on_username_lower ON users (username_lower)',
    `CREATE TABLE user_associated_accounts (
      id bigserial PRIMARY KEY, provider_name character varying NOT NULL, provider_uid character varying NOT NULL, user_id integer,
      last_used timestamp without time zone NOT NULL, info jsonb DEFAULT '{}' NOT NULL, credentials jsonb DEFAULT '{}' NOT NULL,
      extra jsonb DEFAULT '{}' NOT NULL, created_at timestamp without time zone NOT NULL, updated_at timestamp without time zone NOT NULL)`,
    'CREATE UNIQUE INDEX associated_accounts_provider_uid ON user_associated_accounts (provider_name, provider_uid)',
    'CREATE UNIQUE INDEX associated_accounts_provider_user ON user_associated_accounts (provider_name, user_id)',
    `CREATE TABLE anonymous_users (id bigserial PRIMARY KEY, user_id integer NOT NULL, master_user_id integer NOT NULL, active boolean NOT NULL,
      created_at timestamp without time zone NOT NULL, updated_at timestamp without time zone NOT NULL)`,
    'CREATE UNIQUE INDEX index_anonymous_users_on_user_id ON anonymous_users (user_id)',
  ],
  rows: ({ id, name, display, joined, group, isConfirmed, ban, chat }) => ({
    'users (id, username, username_lower, name, created_at, updated_at, active, trust_level, suspended_till)': `(${id}, ${q(name)}, ${q(name.toLowerCase())}, ${q(display === name ? null : display)}, ${utc(joined)}, ${utc(joined)}, ${isConfirmed}, ${group}, ${ban === null ? 'NULL' : utc(ban === 0 ? 32_503_680_000 : ban)})`,
    ...(chat !== null && {
      'user_associated_accounts (provider_name, provider_uid, user_id, last_used, created_at, updated_at)': `('talk', ${q(chat)}, ${id}, now(), now(), now())`,
    }),
  }),
  hidden: {
    'users (id, username, username_lower, created_at, updated_at, trust_level, staged)': [
      `(-1, 'system', 'system', now(), now(), 4, false)`,
      `(8, 'staged', 'staged', now(), now(), 0, true)`,
      `(9, 'anonymous', 'anonymous', now(), now(), 1, false)`,
    ],
    'anonymous_users (user_id, master_user_id, active, created_at, updated_at)': [
      '(9, 10, true, now(), now())',
    ],
  },
  name: ['users', 'username', 60],
  insert: (name) =>
    `INSERT INTO users (id, username, username_lower, created_at, updated_at, trust_level) VALUES (900000, ${q(name)}, 'x', now(), now(), 1)`,
}
