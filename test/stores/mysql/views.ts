import { viewsOver } from '../servers/layouts.ts'

export const views = viewsOver(
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
)
