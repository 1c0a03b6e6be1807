-- The relations the gateway reads, for SQLite. They may as well be views over other tables: see views.example.sqlite.sql.

CREATE TABLE IF NOT EXISTS users (
  id           INTEGER PRIMARY KEY,  -- 1 … 2^53-1
  username     TEXT    NOT NULL CHECK (length(username) <= 256),  -- as it is shown
  username_key TEXT    NOT NULL,     -- NFKC, then lower case: what usernames are looked up by
  chat_id      TEXT    CHECK (length(chat_id) <= 256),  -- identifier on the chat platform; never shown
  display_name TEXT    NOT NULL,
  rank         INTEGER NOT NULL,
  join_date    INTEGER NOT NULL,
  is_confirmed INTEGER NOT NULL CHECK (is_confirmed IN (0, 1)),
  banned       INTEGER NOT NULL CHECK (banned IN (0, 1))
);

CREATE UNIQUE INDEX IF NOT EXISTS users_by_username_key ON users (username_key);
CREATE UNIQUE INDEX IF NOT EXISTS users_by_chat_id ON users (chat_id) WHERE chat_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS apps (
  id             INTEGER PRIMARY KEY,  -- 1 … 2^53-1
  title          TEXT    NOT NULL,
  version        TEXT    NOT NULL,     -- <major>.<minor>.<patch>
  category       INTEGER NOT NULL,
  changelog_link TEXT    NOT NULL,     -- absolute URL
  download_link  TEXT    NOT NULL      -- absolute URL ending in /<id>/
);
