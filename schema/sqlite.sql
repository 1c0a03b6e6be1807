-- The relations the gateway reads, for SQLite. They may as well be views over other tables: see views.example.sqlite.sql.

CREATE TABLE IF NOT EXISTS users (
  id           INTEGER PRIMARY KEY,  -- 1 … 2^53-1
  username     TEXT    NOT NULL CHECK (length(username) <= 256),  -- as it is shown
  username_key TEXT    NOT NULL,  -- NFKC, then lower case: what usernames are looked up by
  chat_id      TEXT    CHECK (length(chat_id) <= 256),  -- identifier on the chat platform; never shown
  display_name TEXT    NOT NULL CHECK (length(display_name) <= 1000),  -- may be empty
  rank         INTEGER NOT NULL,  -- what the codes mean is up to the service
  join_date    INTEGER NOT NULL,  -- in the service's own unit and epoch
  is_confirmed INTEGER NOT NULL CHECK (is_confirmed IN (0, 1)),  -- whether the user is confirmed
  banned       INTEGER NOT NULL CHECK (banned IN (0, 1))  -- whether the user is banned
);

CREATE UNIQUE INDEX IF NOT EXISTS users_by_username_key ON users (username_key);
CREATE UNIQUE INDEX IF NOT EXISTS users_by_chat_id ON users (chat_id) WHERE chat_id IS NOT NULL;

CREATE TABLE IF NOT EXISTS apps (
  id             INTEGER PRIMARY KEY,  -- 1 … 2^53-1
  title          TEXT    NOT NULL CHECK (length(title) <= 1000),  -- name of the application
  version        TEXT    NOT NULL CHECK (length(version) <= 1000),  -- <major>.<minor>.<patch>
  category       INTEGER NOT NULL,  -- what the codes mean is up to the service
  changelog_link TEXT    NOT NULL CHECK (length(changelog_link) <= 2048),  -- absolute URL
  download_link  TEXT    NOT NULL CHECK (length(download_link) <= 2048)  -- absolute URL ending in /<id>/
);
