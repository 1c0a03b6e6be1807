// Makes the SQL by which a view shows usernames, and finds them by their key. The key is NFKC, then lower
// case. MySQL has no NFKC: there, a collation makes all spellings of a name equal, so that the database finds
// more rows than the gateway wants. The gateway keeps the row of the right name.

import { type Forum, INDEX_LENGTH } from './forum.ts'

const COLLATION = 'utf8mb4_unicode_520_ci'

/** Whether a collation ignores width, ligatures and combining accents, as NFKC does. */
const foldsSpellings = (collation: string) => /^utf8mb4_(?:unicode|0900|uca1400)_.*ci$/.test(collation)

/**
 * `key` is the expression of `username_key`. The view needs `join`, and `parts`: the statements that create
 * functions, tables and triggers.
 */
export function makeNames(forum: Forum) {
  const { isMysql, sql, column, indexOn, quote, home } = forum
  const { users, entities } = forum.program
  const plain = `${quote(home)}.plain_text`
  const stored = sql(`{${users.table}}.${users.name}`)
  const hasEntities = entities === 'usernames and display names'
  const display = users.display === undefined ? stored : sql(users.display)
  const shown = {
    username: hasEntities ? `${plain}(${stored})` : stored,
    display: entities === undefined ? display : `${plain}(${display})`,
  }
  if (!isMysql) return { ...shown, ...icuKey(forum) }
  const parts = entities === undefined ? [] : makePlainText(plain)
  if (hasEntities || !foldsSpellings(column(users.table, users.name)?.collation ?? '')) {
    const table = namesTable(forum, shown.username)
    return { ...shown, ...table, parts: [...parts, ...table.parts] }
  }
  const { make, drop } = indexOn(users.table, [users.name])
  return { ...shown, key: stored, join: '', parts, indexes: make, removal: drop }
}

/** PostgreSQL computes the same key as the gateway, and has an index of this expression. */
function icuKey({ program, sql, tableName, schema, quote }: Forum) {
  const { table, name } = program.users
  const key = (text: string) => `lower(normalize(${text}::text, NFKC) COLLATE "und-x-icu")`
  const index = quote(`lookup_${tableName(table)}_key`)
  return {
    join: '',
    parts: [],
    key: key(sql(`{${table}}.${name}`)),
    indexes: [`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index} ON ${sql(`{${table}}`)} ((${key(name)}))`],
    removal: [`DROP INDEX ${quote(schema)}.${index}`],
  }
}

/**
 * Makes a table of names with a collation that folds spellings, and triggers that keep it up to date. A
 * generated column would prevent the forum from renaming or dropping its own column. The triggers never
 * fail: an error would fail the statement of the forum. The table has the engine of the forum's
 * table, because MySQL can refuse statements that write to two engines.
 */
function namesTable({ program, schema, home, storage, quote, sql, tableName, column }: Forum, name: string) {
  const { table, id, name: stored } = program.users
  const names = `${quote(home)}.names`
  const users = sql(`{${table}}`)
  const length = column(table, stored)?.length ?? 0
  const text = `CONVERT(${name} USING utf8mb4)`
  // Drupal has several rows of one user, one for each language: ON DUPLICATE KEY.
  const fill = (which = '') =>
    `INSERT INTO ${names} (user_id, name) SELECT ${users}.${id}, ${text} FROM ${users} WHERE ${sql(program.users.where)}${which} ON DUPLICATE KEY UPDATE name = ${text}`
  const triggers = ['insert', 'update'].map((event) => {
    const trigger = `${quote(schema)}.${quote(`lookup_${tableName(table)}_${event}`)}`
    return {
      drop: `DROP TRIGGER IF EXISTS ${trigger}`,
      make: `CREATE TRIGGER ${trigger} AFTER ${event.toUpperCase()} ON ${users} FOR EACH ROW BEGIN
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
  ${fill(` AND ${users}.${id} = NEW.${id}`)};
END`,
    }
  })
  return {
    key: `${names}.name`,
    join: `\nLEFT JOIN ${names} ON ${names}.user_id = ${users}.${id}`,
    parts: [
      `CREATE TABLE IF NOT EXISTS ${names} (user_id bigint unsigned PRIMARY KEY,
  name varchar(${length}) CHARACTER SET utf8mb4 COLLATE ${COLLATION} NOT NULL, KEY (name${length > INDEX_LENGTH ? `(${INDEX_LENGTH})` : ''}))
  ENGINE = ${storage} ROW_FORMAT = DYNAMIC`,
      ...triggers.map(({ drop }) => drop),
      // Fill the table before the triggers exist, without locks on the forum's rows, so that the forum does
      // not wait. Then fill in the names that are new, or have changed, meanwhile: compare bytes, not
      // spellings.
      'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
      fill(),
      ...triggers.map(({ make }) => make),
      fill(` AND NOT EXISTS (SELECT 1 FROM ${names} AS known WHERE known.user_id = ${users}.${id}
  AND CAST(known.name AS BINARY) = CAST(${text} AS BINARY))`),
    ],
    indexes: [],
    removal: triggers.map(({ drop }) => drop),
  }
}

/**
 * Makes a function that decodes HTML entities. Forums store texts after PHP's htmlspecialchars, and, in
 * Latin-1 or utf8mb3, all other characters by number: `&#9829;`. A number that is no character becomes
 * U+FFFD.
 */
function makePlainText(name: string): readonly string[] {
  const entities = [
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
    // This must be last: &amp;lt; becomes &lt; and not <.
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
