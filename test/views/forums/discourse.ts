import { row, type TestForum, utc } from './forum.ts'

const now = utc(Date.now() / 1000)

export const discourse: TestForum = {
  program: 'discourse',
  chat: 'talk',
  tables: `
    CREATE TABLE users (id serial PRIMARY KEY, username character varying(60) NOT NULL,
      username_lower character varying(60) NOT NULL, name character varying, created_at timestamp NOT NULL,
      active boolean DEFAULT false NOT NULL, trust_level integer NOT NULL, suspended_till timestamp,
      staged boolean DEFAULT false NOT NULL);
    CREATE UNIQUE INDEX index_users_on_username ON users (username);
    CREATE UNIQUE INDEX index_users_on_username_lower ON users (username_lower);
    CREATE TABLE user_associated_accounts (id bigserial PRIMARY KEY, provider_name character varying NOT NULL,
      provider_uid character varying NOT NULL, user_id integer);
    CREATE UNIQUE INDEX accounts_uid ON user_associated_accounts (provider_name, provider_uid);
    CREATE UNIQUE INDEX accounts_user ON user_associated_accounts (provider_name, user_id);
    CREATE TABLE anonymous_users (id bigserial PRIMARY KEY, user_id integer NOT NULL);
    CREATE UNIQUE INDEX index_anonymous_users_on_user_id ON anonymous_users (user_id)`,
  rows: ({ id, name, display, joined, group, isConfirmed, ban, chat }) => ({
    users: row(
      ...[id, name, name.toLowerCase(), display === name ? null : display, utc(joined), isConfirmed, group],
      ...[ban === null ? null : utc(ban === 0 ? 32_503_680_000 : ban), false],
    ),
    ...(chat !== null && {
      'user_associated_accounts (provider_name, provider_uid, user_id)': row('talk', chat, id),
    }),
  }),
  hidden: {
    users: [
      row(-1, 'system', 'system', null, now, true, 4, null, false),
      row(8, 'staged', 'staged', null, now, false, 0, null, true),
      row(9, 'anonymous', 'anonymous', null, now, false, 1, null, false),
    ].join(),
    'anonymous_users (user_id)': row(9),
  },
  name: ['users', 'username', 60],
  insert: (name) => ({
    'users (id, username, username_lower, created_at, trust_level)': row(900_000, name, 'x', now, 1),
  }),
}
