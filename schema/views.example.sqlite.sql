-- An example for SQLite: the relations the gateway reads, as views over the tables of a forum that has its own.
-- The gateway needs these columns and nothing else; the forum goes on writing to its tables.
--
-- Looking up by username goes through username_key: NFKC, then lower case. SQLite's lower() knows ASCII only, so
-- where usernames hold other letters, keep the key in a column of your own that your program fills. Whatever is
-- looked up by (here member_no, login_key, chat_handle and release_no) must be an indexed column, or each lookup
-- reads the whole table; an index on an expression is not enough. For the same reason take what stands in a second
-- table by a subquery, as in (SELECT ... ) or EXISTS (...): a view with a JOIN is put together anew for each lookup.

CREATE TABLE IF NOT EXISTS forum_members (
  member_no    INTEGER PRIMARY KEY,
  login        TEXT NOT NULL,
  login_key    TEXT AS (lower(login)),  -- for a table that is there: ALTER TABLE … ADD COLUMN
  shown_as     TEXT,
  chat_handle  TEXT UNIQUE,
  level        INTEGER NOT NULL DEFAULT 0,
  joined_at    TEXT NOT NULL,  -- '2012-01-31 10:00:00'
  confirmed_at TEXT,
  state        TEXT NOT NULL DEFAULT 'active'
);
CREATE UNIQUE INDEX IF NOT EXISTS forum_members_by_key ON forum_members (login_key);

CREATE VIEW IF NOT EXISTS users AS
SELECT
  member_no                                  AS id,
  login                                      AS username,
  login_key                                  AS username_key,
  chat_handle                                AS chat_id,
  coalesce(shown_as, '')                     AS display_name,
  level                                      AS rank,
  CAST(strftime('%s', joined_at) AS INTEGER) AS join_date,
  confirmed_at IS NOT NULL                   AS is_confirmed,
  state = 'banned'                           AS banned
FROM forum_members;

CREATE TABLE IF NOT EXISTS shop_releases (
  release_no INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  major      INTEGER NOT NULL,
  minor      INTEGER NOT NULL,
  patch      INTEGER NOT NULL,
  section    INTEGER NOT NULL
);

CREATE VIEW IF NOT EXISTS apps AS
SELECT
  release_no                                                       AS id,
  name                                                             AS title,
  major || '.' || minor || '.' || patch                            AS version,
  section                                                          AS category,
  'https://shop.example/releases/' || release_no || '/changelog'   AS changelog_link,
  'https://shop.example/download/' || release_no || '/'            AS download_link
FROM shop_releases;
