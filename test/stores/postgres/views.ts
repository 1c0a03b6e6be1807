import { viewsOver } from '../servers/layouts.ts'

export const views = viewsOver(
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
)
