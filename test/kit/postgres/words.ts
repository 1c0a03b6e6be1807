import type { Words } from '../engine.ts'
import { showUsernamesBy } from './database.ts'

const sessions = `SELECT pid FROM pg_stat_activity
  WHERE application_name = 'lookup-service' AND datname = current_database()`

export const words: Words = {
  parameter: (index) => `$${index + 1}`,
  sessions,
  asking: (pattern) => `SELECT pid FROM pg_stat_activity
    WHERE query LIKE '${pattern}' AND state = 'active' AND datname = current_database()
    AND pid <> pg_backend_pid()`,
  endSession: (id) => `SELECT pg_terminate_backend(${id})`,
  sessionId: 'pg_backend_pid()',
  sleep: (seconds, value = '1') => `SELECT ${value} FROM pg_sleep(${seconds})`,
  lock: (tables) => `BEGIN; LOCK TABLE ${tables}`,
  unlock: 'COMMIT',
  slowUsers: (seconds) => showUsernamesBy(`PERFORM pg_sleep(${seconds}); RETURN $1;`),
  failingUsers: (message) => showUsernamesBy(`RAISE '${message}';`),
  failure: 'P0001',
  makeReader: `CREATE ROLE reader LOGIN; ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader`,
}
