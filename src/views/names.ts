// How a view shows names and finds them. The key of a username is NFKC, then lower case. MySQL has no NFKC, but
// collations that take all spellings of a name as equal; the gateway takes the row of the name that was asked
// for.

import { type Forum, INDEX_LENGTH } from './forum.ts'

interface Names {
  readonly username: string
  readonly display: string
  /** The expression of `username_key`. */
  readonly key: string
  readonly join: string
  /** Statements that make what the view needs. */
  readonly parts: readonly string[]
  readonly indexes: readonly string[]
  readonly removal: readonly string[]
  readonly notes: readonly string[]
}

const COLLATION = 'utf8mb4_unicode_520_ci'

/** Full-width letters, ligatures and accents of their own are spellings of other letters. */
const isThorough = (collation: string) => /^utf8mb4_(?:unicode|0900|uca1400)_.*ci$/.test(collation)

export function makeNames(forum: Forum): Names {
  const { isMysql, sql, column, indexOn, quote, home } = forum
  const { users, entities } = forum.program
  const plain = `${quote(home)}.plain_text`
  const stored = sql(`{${users.table}}.${users.name}`)
  const hasEntities = entities === 'usernames and display names'
  const display = sql(users.display)
  const shown = {
    username: hasEntities ? `${plain}(${stored})` : stored,
    display: entities === undefined ? display : `${plain}(${display})`,
  }
  if (!isMysql) return { ...shown, ...icuKey(forum) }
  const parts = entities === undefined ? [] : makePlainText(plain)
  if (hasEntities || !isThorough(column(users.table, users.name)?.collation ?? '')) {
    const table = namesTable(forum, shown.username)
    return { ...shown, ...table, parts: [...parts, ...table.parts] }
  }
  const { make, drop } = indexOn(users.table, [users.name])
  return { ...shown, key: stored, join: '', parts, indexes: make, removal: drop, notes: [] }
}

/** PostgreSQL makes the key as the gateway does. */
function icuKey({ program, sql, tableName, schema, quote }: Forum) {
  const { table, name } = program.users
  const key = (text: string) => `lower(normalize(${text}::text, NFKC) COLLATE "und-x-icu")`
  const index = quote(`lookup_${tableName(table)}_key`)
  return {
    ...{ join: '', parts: [], notes: [], key: key(sql(`{${table}}.${name}`)) },
    indexes: [`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index} ON ${sql(`{${table}}`)} ((${key(name)}))`],
    removal: [`DROP INDEX ${quote(schema)}.${index}`],
  }
}

/**
 * A table of names beside the views. A generated column would keep the forum from renaming or dropping its
 * own column. The procedure never fails, so that the forum's own statements do not fail either; MySQL would
 * refuse them if they wrote to tables of two engines.
 */
function namesTable({ program, schema, home, storage, quote, sql, tableName, column }: Forum, name: string) {
  const { table, id, name: stored } = program.users
  const [names, procedure] = [`${quote(home)}.names`, `${quote(home)}.note_name`]
  const users = sql(`{${table}}`)
  const length = column(table, stored)?.length ?? 0
  const text = `CONVERT(${name} USING utf8mb4)`
  // Drupal has a row for each language of a user.
  const fill = (which = '') =>
    `INSERT INTO ${names} (user_id, name) SELECT ${users}.${id}, ${text} FROM ${users} WHERE ${sql(program.users.where)}${which} ON DUPLICATE KEY UPDATE name = ${text}`
  const triggers = ['insert', 'update'].map((event) => {
    const trigger = `${quote(schema)}.${quote(`lookup_${tableName(table)}_${event}`)}`
    return {
      drop: `DROP TRIGGER IF EXISTS ${trigger}`,
      make: `CREATE TRIGGER ${trigger} AFTER ${event.toUpperCase()} ON ${users} FOR EACH ROW CALL ${procedure}(NEW.${id})`,
    }
  })
  return {
    key: `${names}.name`,
    join: `\nLEFT JOIN ${names} ON ${names}.user_id = ${users}.${id}`,
    parts: [
      `CREATE TABLE IF NOT EXISTS ${names} (user_id bigint unsigned PRIMARY KEY,
  name varchar(${length}) CHARACTER SET utf8mb4 COLLATE ${COLLATION} NOT NULL, KEY (name${length > INDEX_LENGTH ? `(${INDEX_LENGTH})` : ''}))
  ENGINE = ${storage} ROW_FORMAT = DYNAMIC`,
      // A trigger without its procedure would fail the forum's statements.
      ...triggers.map(({ drop }) => drop),
      `DROP PROCEDURE IF EXISTS ${procedure}`,
      `CREATE PROCEDURE ${procedure} (who bigint unsigned) MODIFIES SQL DATA BEGIN
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
  ${fill(` AND ${users}.${id} = who`)};
END`,
      // Without triggers, and without locks on the forum's rows, the forum does not wait.
      'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
      fill(),
      ...triggers.map(({ make }) => make),
      fill(` AND NOT EXISTS (SELECT 1 FROM ${names} AS noted WHERE noted.user_id = ${users}.${id})`),
    ],
    indexes: [],
    removal: triggers.map(({ drop }) => drop),
    notes: [
      `Two triggers on ${tableName(table)} note each new or changed name in ${home}.names. Drop them before that database.`,
    ],
  }
}

/**
 * A function for texts as PHP's htmlspecialchars makes them. Forums in Latin-1, or over utf8mb3, store all other
 * characters as their numbers: `&#9829;`. A number that is no character becomes U+FFFD.
 */
function makePlainText(name: string): readonly string[] {
  const entities = [
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
    // The last one: &amp;lt; is &lt;.
    ['&amp;', '&'],
  ] as const
  const decoded = entities.reduce(
    (text, [entity, sign]) => `replace(${text}, '${entity}', '${sign}')`,
    'shown',
  )
  return [
    `DROP FUNCTION IF EXISTS ${name}`,
    `CREATE FUNCTION ${name} (shown text CHARACTER SET utf8mb4) RETURNS text CHARACTER SET utf8mb4
  DETERMINISTIC NO SQL BEGIN
  DECLARE entity text CHARACTER SET utf8mb4 DEFAULT regexp_substr(shown, '&#(x[0-9a-fA-F]{1,6}|[0-9]{1,7});');
  DECLARE code int unsigned;
  WHILE entity <> '' DO
    SET code = if(entity LIKE '&#x%', conv(substr(entity, 4), 16, 10), conv(substr(entity, 3), 10, 10));
    SET code = if(code = 0 OR code BETWEEN 0xD800 AND 0xDFFF OR code > 0x10FFFF, 0xFFFD, code);
    SET shown = replace(shown, entity, CONVERT(char(code USING utf32) USING utf8mb4));
    SET entity = regexp_substr(shown, '&#(x[0-9a-fA-F]{1,6}|[0-9]{1,7});');
  END WHILE;
  RETURN ${decoded};
END`,
  ]
}
