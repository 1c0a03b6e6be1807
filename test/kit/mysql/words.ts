import type { Undoable, Words } from '../engine.ts'

// Replication has sessions, too.
const others = `db = database() AND id <> connection_id() AND user <> 'system user'`

export const words: Words = {
  parameter: () => '?',
  sessions: `SELECT id FROM information_schema.processlist WHERE ${others}`,
  asking: (pattern) =>
    `SELECT id FROM information_schema.processlist WHERE info LIKE '${pattern}' AND ${others}`,
  endSession: (id) => `KILL ${id}`,
  sessionId: 'connection_id()',
  sleep: (seconds, value = '1') => `SELECT if(sleep(${seconds}) = 0, ${value}, NULL)`,
  lock: (tables) => `LOCK TABLES ${tables.map((table) => `${table} WRITE`)}`,
  unlock: 'UNLOCK TABLES',
  // A statement that is interrupted within a function fails. SLEEP alone would have a value.
  slowUsers: (seconds) => showUsersBy(`RETURN sleep(${seconds})`),
  failingUsers: (message) =>
    showUsersBy(`BEGIN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${message}'; RETURN 0; END`),
  failure: '1644',
  makeReader: 'CREATE USER reader; GRANT SELECT ON * TO reader',
}

/** Makes `users` a view that calls a function for each user it shows, at once for all readers. */
function showUsersBy(body: string): Undoable {
  return {
    begin: `
      CREATE FUNCTION show_user() RETURNS int NO SQL ${body};
      CREATE TABLE all_users LIKE users;
      CREATE VIEW shown AS SELECT id, if(show_user() = 0, username, '') AS username, username_key, chat_id,
        display_name, \`rank\`, join_date, is_confirmed, banned FROM all_users;
      RENAME TABLE all_users TO nobody, users TO all_users, shown TO users;
      DROP TABLE nobody`,
    end: 'RENAME TABLE users TO shown, all_users TO users; DROP VIEW shown; DROP FUNCTION show_user',
  }
}
