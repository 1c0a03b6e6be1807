// The statements of lookups and of health checks for PostgreSQL. They are plain SQL, so that other engines
// that speak the protocol know them.

import { type Relation, responseColumns, storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import type { Statement, Statements } from '../servers/driver.ts'

/** A lookup by one column. The server prepares it once for lists of any length. */
function lookUp(name: string, relation: Relation, key: string, type: 'bigint' | 'text') {
  // The key comes last, since rows come in any order.
  const columns = [...responseColumns(relation).map(({ sql }) => sql), key].join(', ')
  const text = `SELECT ${columns} FROM ${relation.name} WHERE ${key} = ANY($1::${type}[])`
  return (values: readonly string[]): Statement => {
    // Canonical ids are digits, which need no quotes: this is how PostgreSQL writes an array.
    const list = type === 'bigint' ? `{${values.join()}}` : [...values]
    return { name, table: relation.name, text, values: [list] }
  }
}

export const statements: Statements = {
  usersById: lookUp('users-by-id', relations.users, 'id', 'bigint'),
  usersByUsername: lookUp('users-by-username', relations.users, 'username_key', 'text'),
  usersByChat: lookUp('users-by-chat', relations.users, 'chat_id', 'text'),
  appsById: lookUp('apps-by-id', relations.apps, 'id', 'bigint'),
  countAfter: (name, id, most) => {
    const slice = `SELECT id FROM ${name} WHERE id > $1::bigint ORDER BY id LIMIT $2::bigint`
    const text = `SELECT count(*), max(id) FROM (${slice}) AS slice`
    return { name: `${name}-after`, table: name, text, values: [String(id), String(most)] }
  },
  first: (name) => ({ name: '', table: name, text: `SELECT 1 FROM ${name} LIMIT 1`, values: [] }),
  describe: (relation, columns) => {
    const list = storedColumns(relation).map(({ sql }) => sql)
    const text =
      columns === 'all'
        ? `SELECT * FROM ${relation.name} LIMIT 0`
        : `SELECT ${list} FROM ${relation.name} WHERE id = ANY('{0}'::bigint[])`
    return { name: '', text, values: [], describes: true }
  },
  types: { integer: 'bigint, integer or smallint', string: 'text or varchar', boolean: 'boolean' },
}
