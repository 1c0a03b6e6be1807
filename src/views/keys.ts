// How a view has the key of a username: NFKC, then lower case. MySQL has no NFKC, but collations that take
// all spellings of a name as equal; the gateway takes the row of the name that was asked for.

import type { Forum } from './forum.ts'

interface Keys {
  /** The expression of `username_key`. */
  readonly key: string
  readonly join: string
  readonly tables: readonly string[]
  readonly indexes: readonly string[]
  readonly removal: readonly string[]
  readonly notes: readonly string[]
}

const COLLATION = 'utf8mb4_unicode_520_ci'

/** Collations for which full-width letters, ligatures and single accents are spellings of other letters. */
const isThorough = (collation: string) => /_(?:unicode|0900|uca1400)_.*ci$/.test(collation)

export function makeKeys(forum: Forum): Keys {
  const { program, isMysql, column, sql, tableName, indexOn } = forum
  const { table, name } = program.users
  if (!isMysql) return icuKey(forum)
  const { collation = '' } = column(table, name) ?? {}
  if (program.entities === 'usernames and display names' || !collation.endsWith('_ci'))
    return namesTable(forum)
  const { make, drop } = indexOn(table, [name])
  const note = `${tableName(table)}.${name} has the collation ${collation}: names with full-width letters, ligatures, decomposed accents or a dotted capital I are not found.`
  return {
    ...{ join: '', tables: [], key: sql(`{${table}}.${name}`), indexes: make, removal: drop },
    notes: isThorough(collation) ? [] : [note],
  }
}

/** PostgreSQL makes the key as the gateway does. */
function icuKey({ program, sql, tableName, schema, quote }: Forum): Keys {
  const { table, name } = program.users
  const key = (text: string) => `lower(normalize(${text}::text, NFKC) COLLATE "und-x-icu")`
  const index = quote(`lookup_${tableName(table)}_key`)
  return {
    ...{ join: '', tables: [], notes: [], key: key(sql(`{${table}}.${name}`)) },
    indexes: [`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index} ON ${sql(`{${table}}`)} ((${key(name)}))`],
    removal: [`DROP INDEX ${quote(schema)}.${index}`],
  }
}

/**
 * A table of names beside the views. A generated column would keep the forum from renaming or dropping its
 * own column. The procedure never fails, so that the forum's own statements do not fail either; MySQL would
 * refuse them if they wrote to tables of two engines.
 */
function namesTable({ program, schema, home, storage, quote, sql, tableName, column }: Forum): Keys {
  const { table, id, name } = program.users
  const [names, procedure] = [`${quote(home)}.names`, `${quote(home)}.note_name`]
  const users = sql(`{${table}}`)
  const length = column(table, name)?.length ?? 0
  const spelt = `CONVERT(${users}.${name} USING utf8mb4)`
  const text = program.entities === 'usernames and display names' ? withoutEntities(spelt) : spelt
  const fill = (where: string) =>
    `INSERT INTO ${names} (user_id, name) SELECT ${users}.${id}, ${text} FROM ${users}${where} ON DUPLICATE KEY UPDATE name = ${text}`
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
    tables: [
      `CREATE TABLE IF NOT EXISTS ${names} (user_id bigint unsigned PRIMARY KEY,
  name varchar(${length}) CHARACTER SET utf8mb4 COLLATE ${COLLATION} NOT NULL, KEY (name${length > 191 ? '(191)' : ''}))
  ENGINE = ${storage} ROW_FORMAT = DYNAMIC`,
      // A trigger without its procedure would fail the forum's statements.
      ...triggers.map(({ drop }) => drop),
      `DROP PROCEDURE IF EXISTS ${procedure}`,
      `CREATE PROCEDURE ${procedure} (who bigint unsigned) MODIFIES SQL DATA BEGIN
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END;
  ${fill(` WHERE ${users}.${id} = who`)};
END`,
      // Without triggers, and without locks on the forum's rows, the forum does not wait.
      'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
      fill(''),
      ...triggers.map(({ make }) => make),
      fill(` WHERE NOT EXISTS (SELECT 1 FROM ${names} AS noted WHERE noted.user_id = ${users}.${id})`),
    ],
    indexes: [],
    removal: triggers.map(({ drop }) => drop),
    notes: [
      `Two triggers on ${tableName(table)} note each new or changed name in ${home}.names. Drop them before that database.`,
    ],
  }
}

const entities = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#039;', "''"],
  // The last one: &amp;lt; is &lt;.
  ['&amp;', '&'],
] as const

/** A text without the entities of PHP's htmlspecialchars. */
export function withoutEntities(text: string): string {
  return entities.reduce(
    (inner, [entity, character]) => `replace(${inner}, '${entity}', '${character}')`,
    text,
  )
}
