-- An example for PostgreSQL: the relations the gateway reads, as views over the tables of a forum that has its own.
-- (For SQLite: views.example.sqlite.sql.) The gateway needs these columns and nothing else; the forum goes on
-- writing to its tables.
--
-- The views are in a schema of their own, which the gateway finds by its URL:
--   DATABASE_URL=postgres://lookup_reader@db.example/forum?options=-c%20search_path%3Dlookup
-- Its role needs no rights on the forum's tables, since views read with the rights of their owner:
--   CREATE ROLE lookup_reader LOGIN; GRANT USAGE ON SCHEMA lookup TO lookup_reader;
--   GRANT SELECT ON lookup.users, lookup.apps TO lookup_reader;
--
-- Whatever is looked up by must be indexed just as the view has it, or each lookup reads the whole table: no cast and
-- no function around id, and for username_key and chat_id an index on the same column or expression.

CREATE SCHEMA IF NOT EXISTS forum;

CREATE TABLE IF NOT EXISTS forum.members (
  member_id    integer PRIMARY KEY,
  login        varchar(60) NOT NULL,
  level        smallint NOT NULL DEFAULT 0,
  joined_at    timestamptz NOT NULL,
  confirmed_at timestamptz
);
CREATE TABLE IF NOT EXISTS forum.profiles (
  member_id integer PRIMARY KEY REFERENCES forum.members,
  shown_as  text
);
CREATE TABLE IF NOT EXISTS forum.chat_accounts (
  member_id integer PRIMARY KEY REFERENCES forum.members,
  handle    varchar(100) NOT NULL
);
CREATE TABLE IF NOT EXISTS forum.bans (
  member_id integer NOT NULL REFERENCES forum.members,
  lifted_at timestamptz
);
CREATE TABLE IF NOT EXISTS forum.releases (
  release_id integer PRIMARY KEY,
  name       text NOT NULL,
  major      integer NOT NULL,
  minor      integer NOT NULL,
  patch      integer NOT NULL,
  section    smallint NOT NULL
);

-- Usernames are looked up by their key: NFKC, then lower case. ICU's root locale does that as the gateway does, also
-- where the database's own locale knows ASCII only.
CREATE UNIQUE INDEX IF NOT EXISTS members_by_key
  ON forum.members (lower(normalize(login::text, NFKC) COLLATE "und-x-icu"));
CREATE UNIQUE INDEX IF NOT EXISTS chat_accounts_by_handle ON forum.chat_accounts (handle);
CREATE INDEX IF NOT EXISTS bans_by_member ON forum.bans (member_id);

CREATE SCHEMA IF NOT EXISTS lookup;

CREATE OR REPLACE VIEW lookup.users AS
SELECT
  member_id                                                     AS id,
  login                                                         AS username,
  lower(normalize(login::text, NFKC) COLLATE "und-x-icu")       AS username_key,
  handle                                                        AS chat_id,
  coalesce(shown_as, '')                                        AS display_name,
  level                                                         AS rank,
  extract(epoch FROM joined_at)::bigint                         AS join_date,
  confirmed_at IS NOT NULL                                      AS is_confirmed,
  -- A subquery for one value, since EXISTS may be answered by reading all of a small table.
  coalesce((SELECT true FROM forum.bans WHERE bans.member_id = members.member_id AND lifted_at IS NULL LIMIT 1), false)
                                                                AS banned
FROM forum.members
LEFT JOIN forum.profiles USING (member_id)
LEFT JOIN forum.chat_accounts USING (member_id);

CREATE OR REPLACE VIEW lookup.apps AS
SELECT
  release_id                                                       AS id,
  name                                                             AS title,
  concat_ws('.', major, minor, patch)                              AS version,
  section                                                          AS category,
  'https://shop.example/releases/' || release_id || '/changelog'   AS changelog_link,
  'https://shop.example/download/' || release_id || '/'            AS download_link
FROM forum.releases;
