// A database that was there before the gateway, with other tables, other names and other types, and views
// that show them as the relations; and what the operator's own programs do, so that a test can write to both
// in the same words.
export const views = `
  CREATE TABLE account (
    account_no  bigint PRIMARY KEY,
    login       varchar(200) NOT NULL,
    login_key   varchar(200) NOT NULL UNIQUE,
    level       bigint NOT NULL,
    created     bigint NOT NULL,
    state       text NOT NULL CHECK (state IN ('new', 'confirmed'))
  );
  CREATE TABLE chat (account_no bigint PRIMARY KEY, handle varchar(200) NOT NULL UNIQUE);
  CREATE TABLE nickname (account_no bigint PRIMARY KEY, nickname text);
  CREATE TABLE ban (account_no bigint NOT NULL, reason text NOT NULL);
  CREATE INDEX ON ban (account_no);

  CREATE VIEW users AS
  SELECT
    account_no             AS id,
    login                  AS username,
    login_key              AS username_key,
    handle                 AS chat_id,
    coalesce(nickname, '') AS display_name,
    level                  AS rank,
    created                AS join_date,
    state = 'confirmed'    AS is_confirmed,
    EXISTS (SELECT FROM ban WHERE ban.account_no = account.account_no) AS banned
  FROM account LEFT JOIN chat USING (account_no) LEFT JOIN nickname USING (account_no);

  CREATE FUNCTION put_user() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO account VALUES (NEW.id, NEW.username, NEW.username_key, NEW.rank, NEW.join_date,
      CASE WHEN NEW.is_confirmed THEN 'confirmed' ELSE 'new' END);
    INSERT INTO chat SELECT NEW.id, NEW.chat_id WHERE NEW.chat_id IS NOT NULL;
    INSERT INTO nickname VALUES (NEW.id, nullif(NEW.display_name, ''));
    INSERT INTO ban SELECT NEW.id, 'spam' WHERE NEW.banned;
    RETURN NEW;
  END $$;
  CREATE TRIGGER put_user INSTEAD OF INSERT ON users FOR EACH ROW EXECUTE FUNCTION put_user();

  CREATE FUNCTION remove_user() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM account WHERE account_no = OLD.id;
    DELETE FROM chat WHERE account_no = OLD.id;
    DELETE FROM nickname WHERE account_no = OLD.id;
    DELETE FROM ban WHERE account_no = OLD.id;
    RETURN OLD;
  END $$;
  CREATE TRIGGER remove_user INSTEAD OF DELETE ON users FOR EACH ROW EXECUTE FUNCTION remove_user();

  CREATE TABLE release (number bigint PRIMARY KEY, name varchar, version varchar(20), shelf integer, notes text);
  CREATE VIEW apps AS
  SELECT
    number  AS id,
    name    AS title,
    version,
    shelf   AS category,
    notes   AS changelog_link,
    'https://apps.example/download/' || number || '/' AS download_link
  FROM release;

  CREATE FUNCTION put_app() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO release VALUES (NEW.id, NEW.title, NEW.version, NEW.category, NEW.changelog_link);
    RETURN NEW;
  END $$;
  CREATE TRIGGER put_app INSTEAD OF INSERT ON apps FOR EACH ROW EXECUTE FUNCTION put_app();
`
