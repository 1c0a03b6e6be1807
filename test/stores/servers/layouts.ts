// How users and apps may be stored: as the gateway makes them, or as views over the tables of another
// application.

import type { App } from '../../../src/data/apps.ts'
import type { ServerKind } from '../../../src/database-location.ts'
import { usernameKey } from '../../../src/model.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import type { Database } from '../../kit/engine.ts'
import type { FullUser } from '../store-data.ts'

/** For each table: its column with the id, and rows in the order of its columns. */
export type Rows = Readonly<
  Record<string, { readonly id: string; readonly rows: readonly (readonly unknown[])[] }>
>

export interface Layout {
  /** Makes the relations, as tables or as views. */
  readonly create: (database: Pick<Database, 'location' | 'run'>) => Promise<unknown>
  /** All tables that users are in, with their rows there. */
  readonly users: (users: readonly FullUser[]) => Rows
  readonly apps: (apps: readonly App[]) => Rows
  /** SQL that takes away what the relations are made of. */
  readonly breakDown: string
}

export const tables: Layout = {
  create: ({ location }) => makeTables(location),
  users: (users) => ({
    users: {
      id: 'id',
      rows: users.map((user) => [
        ...[user.id, user.username, usernameKey(user.username), user.chatId, user.displayName],
        ...[user.rank, user.joinDate, user.isConfirmed, user.banned],
      ]),
    },
  }),
  apps: (apps) => ({
    apps: {
      id: 'id',
      rows: apps.map((app) => [
        ...[app.id, app.title, app.version, app.category, app.changelogLink, app.downloadLink],
      ]),
    },
  }),
  breakDown: 'DROP TABLE users; DROP TABLE apps',
}

/**
 * A database that was there before the gateway, with other tables, other names and other types.
 * @param sql makes the tables account, chat, nickname, ban and app_release
 * @param rank SQL that names a level so
 */
function viewsOver(sql: string, rank: string): Layout {
  return {
    create: ({ run }) => run(`${sql}; ${selects(rank)}`),
    users: (users) => ({
      account: {
        id: 'account_no',
        rows: users.map(({ id, username, rank, joinDate, isConfirmed }) => [
          ...[id, username, usernameKey(username), rank, joinDate, isConfirmed ? 'confirmed' : 'new', false],
        ]),
      },
      chat: {
        id: 'account_no',
        rows: users.flatMap(({ id, chatId }) => (chatId === null ? [] : [[id, chatId]])),
      },
      nickname: {
        id: 'account_no',
        rows: users.map(({ id, displayName }) => [id, displayName === '' ? null : displayName]),
      },
      ban: { id: 'account_no', rows: users.flatMap(({ id, banned }) => (banned ? [[id, 'spam']] : [])) },
    }),
    apps: (apps) => ({
      app_release: {
        id: 'number',
        rows: apps.map(({ id, title, version, category, changelogLink }) => [
          ...[id, title, version, category, changelogLink],
        ]),
      },
    }),
    breakDown: 'DROP TABLE account CASCADE; DROP TABLE app_release CASCADE',
  }
}

const selects = (rank: string) => `
  CREATE VIEW users AS
  SELECT
    account_no             AS id,
    login                  AS username,
    login_key              AS username_key,
    handle                 AS chat_id,
    coalesce(nickname, '') AS display_name,
    ${rank},
    created                AS join_date,
    state = 'confirmed'    AS is_confirmed,
    EXISTS (SELECT 1 FROM ban WHERE ban.account_no = account.account_no) AS banned
  FROM account LEFT JOIN chat USING (account_no) LEFT JOIN nickname USING (account_no);

  CREATE VIEW apps AS
  SELECT
    number  AS id,
    name    AS title,
    version,
    shelf   AS category,
    notes   AS changelog_link,
    concat('https://apps.example/download/', number, '/') AS download_link
  FROM app_release`

export const views: Readonly<Record<ServerKind, Layout>> = {
  postgres: viewsOver(
    `
  CREATE TABLE account (
    account_no  bigint PRIMARY KEY,
    login       varchar(200) NOT NULL,
    login_key   varchar(200) NOT NULL UNIQUE,
    level       bigint NOT NULL,
    created     bigint NOT NULL,
    state       text NOT NULL CHECK (state IN ('new', 'confirmed')),
    hidden      boolean NOT NULL
  );
  CREATE TABLE chat (account_no bigint PRIMARY KEY, handle varchar(200) NOT NULL UNIQUE);
  CREATE TABLE nickname (account_no bigint PRIMARY KEY, nickname text);
  CREATE TABLE ban (account_no bigint NOT NULL, reason text NOT NULL);
  CREATE INDEX ON ban (account_no);
  CREATE TABLE app_release (
    number bigint PRIMARY KEY, name varchar, version varchar(20), shelf integer, notes text
  )`,
    'level AS rank',
  ),
  mysql: viewsOver(
    `
  CREATE TABLE account (
    account_no int8 unsigned PRIMARY KEY,
    login      varchar(200) CHARACTER SET utf8mb4 NOT NULL,
    login_key  varbinary(400) NOT NULL UNIQUE,
    level      decimal(20) NOT NULL,
    created    bigint NOT NULL,
    state      enum('new', 'confirmed') NOT NULL,
    hidden     bit(1) NOT NULL
  ) COLLATE latin1_swedish_ci;
  CREATE TABLE chat (account_no bigint PRIMARY KEY, handle varbinary(400) NOT NULL UNIQUE);
  CREATE TABLE nickname (account_no bigint PRIMARY KEY, nickname longtext) CHARACTER SET utf8mb4;
  CREATE TABLE ban (account_no bigint NOT NULL, reason text NOT NULL, KEY (account_no));
  CREATE TABLE app_release (
    number bigint PRIMARY KEY, name varchar(200), version varchar(20), shelf int, notes text
  ) CHARACTER SET utf8mb4`,
    'CAST(level AS SIGNED) AS `rank`',
  ),
}
