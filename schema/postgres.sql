-- The relations the gateway reads, for PostgreSQL and what speaks its protocol. They may as well be views over other
-- tables: see views.example.sql.

CREATE TABLE IF NOT EXISTS users (
  id           bigint  PRIMARY KEY,  -- 1 … 2^53-1
  username     text    NOT NULL CHECK (char_length(username) <= 256),  -- as it is shown
  username_key text    NOT NULL,  -- NFKC, then lower case: what usernames are looked up by
  chat_id      text    CHECK (char_length(chat_id) <= 256),  -- identifier on the chat platform; never shown
  display_name text    NOT NULL CHECK (char_length(display_name) <= 1000),  -- may be empty
  rank         integer NOT NULL,  -- what the codes mean is up to the service
  join_date    bigint  NOT NULL,  -- in the service's own unit and epoch
  is_confirmed boolean NOT NULL,  -- whether the user is confirmed
  banned       boolean NOT NULL  -- whether the user is banned
);

CREATE UNIQUE INDEX IF NOT EXISTS users_by_username_key ON users (username_key);
CREATE UNIQUE INDEX IF NOT EXISTS users_by_chat_id ON users (chat_id);

CREATE TABLE IF NOT EXISTS apps (
  id             bigint  PRIMARY KEY,  -- 1 … 2^53-1
  title          text    NOT NULL CHECK (char_length(title) <= 1000),  -- name of the application
  version        text    NOT NULL CHECK (char_length(version) <= 1000),  -- <major>.<minor>.<patch>
  category       integer NOT NULL,  -- what the codes mean is up to the service
  changelog_link text    NOT NULL CHECK (char_length(changelog_link) <= 2048),  -- absolute URL
  download_link  text    NOT NULL CHECK (char_length(download_link) <= 2048)  -- absolute URL ending in /<id>/
);
