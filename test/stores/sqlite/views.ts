// A database that was there before the gateway: other tables, other names, and views that show them as the
// relations. What is no plain column is a scalar subquery: SQLite would make the whole of a view that joins
// anew for each lookup.
export const views = `
  CREATE TABLE account (
    account_no  INTEGER PRIMARY KEY,
    login       TEXT NOT NULL,
    login_key   TEXT NOT NULL UNIQUE,
    chat_handle TEXT UNIQUE,
    nickname    TEXT,
    level       INTEGER NOT NULL,
    created     INTEGER NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('new', 'confirmed'))
  );
  CREATE TABLE ban (account_no INTEGER NOT NULL, reason TEXT NOT NULL);
  CREATE INDEX ban_by_account ON ban (account_no);

  CREATE VIEW users AS
  SELECT
    account_no             AS id,
    login                  AS username,
    login_key              AS username_key,
    chat_handle            AS chat_id,
    coalesce(nickname, '') AS display_name,
    level                  AS rank,
    created                AS join_date,
    state = 'confirmed'    AS is_confirmed,
    EXISTS (SELECT 1 FROM ban WHERE ban.account_no = account.account_no) AS banned
  FROM account;

  CREATE TABLE release (
    number INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,
    major  INTEGER NOT NULL,
    minor  INTEGER NOT NULL,
    patch  INTEGER NOT NULL,
    shelf  INTEGER NOT NULL,
    notes  TEXT NOT NULL
  );

  CREATE VIEW apps AS
  SELECT
    number AS id,
    name   AS title,
    major || '.' || minor || '.' || patch AS version,
    shelf  AS category,
    notes  AS changelog_link,
    'https://apps.example/download/' || number || '/' AS download_link
  FROM release;
`

/** What the operator's own programs do, so that a test can write to both layouts in the same words. */
export const writers = `
  CREATE TRIGGER put_user INSTEAD OF INSERT ON users BEGIN
    INSERT OR REPLACE INTO account VALUES (
      NEW.id, NEW.username, NEW.username_key, NEW.chat_id, nullif(NEW.display_name, ''), NEW.rank, NEW.join_date,
      iif(NEW.is_confirmed, 'confirmed', 'new')
    );
    DELETE FROM ban WHERE account_no = NEW.id;
    INSERT INTO ban SELECT NEW.id, 'spam' WHERE NEW.banned;
  END;
  CREATE TRIGGER remove_user INSTEAD OF DELETE ON users BEGIN
    DELETE FROM account WHERE account_no = OLD.id;
  END;
  CREATE TRIGGER put_app INSTEAD OF INSERT ON apps BEGIN
    INSERT OR REPLACE INTO release VALUES (NEW.id, NEW.title, 1, 20, 300, NEW.category, NEW.changelog_link);
  END;
`
