-- An example for MySQL and MariaDB: the relations the gateway reads, as views over the tables of a forum that has its own.
-- (For PostgreSQL: views.example.sql; for SQLite: views.example.sqlite.sql.) The gateway needs these columns and nothing
-- else; the forum goes on writing to its tables.
--
-- The views are in a database of their own, beside the forum's:
--   DATABASE_URL=mysql://lookup_reader:PASSWORD@db.example/lookup
-- Its user needs no rights on the forum's tables, since views read with the rights of their definer:
--   CREATE USER lookup_reader IDENTIFIED BY 'PASSWORD';
--   GRANT SELECT ON lookup.users TO lookup_reader;
--   GRANT SELECT ON lookup.apps TO lookup_reader;
--
-- Whatever is looked up by must be indexed just as the view has it, or each lookup reads the whole table: no function
-- around id, username_key and chat_id.

CREATE DATABASE IF NOT EXISTS forum CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS forum.`groups` (
  group_id   smallint unsigned PRIMARY KEY,
  group_name varchar(60) NOT NULL,
  group_rank smallint NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS forum.users (
  user_id      int unsigned AUTO_INCREMENT PRIMARY KEY,
  user_name    varchar(60) COLLATE utf8mb4_unicode_520_ci NOT NULL,  -- see below
  user_title   varchar(100),
  group_id     smallint unsigned NOT NULL,
  user_active  tinyint(1) NOT NULL DEFAULT 0,
  user_regdate int unsigned NOT NULL DEFAULT 0,  -- as PHP's time() has it
  UNIQUE KEY (user_name)
);
CREATE TABLE IF NOT EXISTS forum.bans (
  ban_id    int unsigned AUTO_INCREMENT PRIMARY KEY,
  user_id   int unsigned NOT NULL,
  ban_until datetime NOT NULL,  -- for ever: 0000-00-00 00:00:00
  KEY (user_id)
);
CREATE TABLE IF NOT EXISTS forum.chat_accounts (
  user_id int unsigned PRIMARY KEY,
  handle  varchar(100) NOT NULL,
  UNIQUE KEY (handle)
);
CREATE TABLE IF NOT EXISTS forum.downloads (
  download_id int unsigned AUTO_INCREMENT PRIMARY KEY,
  name        varchar(200) NOT NULL,
  version     varchar(20) NOT NULL,
  category_id smallint unsigned NOT NULL,
  added       timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Usernames are looked up by their key, which is NFKC, then lower case. SQL knows no NFKC here, and need not: the key
-- is the username itself, in an indexed column whose collation ignores case. A collation may take more names for equal
-- ('ada' and 'ada ', 'ada' and 'adá'), and the gateway takes the one that was asked for. utf8mb4_unicode_520_ci and
-- utf8mb4_0900_ai_ci know every spelling of a name; utf8mb4_general_ci does not know full-width letters and ligatures.

CREATE DATABASE IF NOT EXISTS lookup CHARACTER SET utf8mb4;

CREATE OR REPLACE VIEW lookup.users AS
SELECT
  users.user_id            AS id,
  user_name                AS username,
  user_name                AS username_key,
  handle                   AS chat_id,
  coalesce(user_title, '') AS display_name,
  group_rank               AS `rank`,
  -- Of a datetime or timestamp column: UNIX_TIMESTAMP(user_regdate), in the time zone of the server.
  user_regdate             AS join_date,
  user_active              AS is_confirmed,
  EXISTS (
    SELECT 1 FROM forum.bans
    WHERE bans.user_id = users.user_id AND (year(ban_until) = 0 OR ban_until > now())
  )                        AS banned
FROM forum.users
LEFT JOIN forum.`groups` ON `groups`.group_id = users.group_id
LEFT JOIN forum.chat_accounts ON chat_accounts.user_id = users.user_id;

CREATE OR REPLACE VIEW lookup.apps AS
SELECT
  download_id                                                        AS id,
  name                                                               AS title,
  version,
  category_id                                                        AS category,
  concat('https://forum.example/downloads/', download_id, '/changes') AS changelog_link,
  concat('https://forum.example/download/', download_id, '/')         AS download_link
FROM forum.downloads;
