import { answeredColumns, type Relation, storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import type { Question, Questions } from '../servers/driver.ts'

/** A prepared statement that looks up values of one column, however many. */
type Statement = Omit<Question, 'values'>

// The key comes last, since rows come in any order. Plain SQL: other engines that speak the protocol know it.
function lookUp(name: string, relation: Relation, key: string, type: string): Statement {
  const columns = [...answeredColumns(relation).map(({ sql }) => sql), key].join(', ')
  const text = `SELECT ${columns} FROM ${relation.name} WHERE ${key} = ANY($1::${type}[])`
  return { name, table: relation.name, text }
}

export const statements = {
  usersById: lookUp('users-by-id', relations.users, 'id', 'bigint'),
  usersByUsername: lookUp('users-by-username', relations.users, 'username_key', 'text'),
  usersByChat: lookUp('users-by-chat', relations.users, 'chat_id', 'text'),
  appsById: lookUp('apps-by-id', relations.apps, 'id', 'bigint'),
} as const satisfies Record<string, Statement>

/** Canonical ids are digits, which need no quotes: this is how PostgreSQL writes an array. */
const byId = (statement: Statement) => (ids: readonly string[]) => ask(statement, `{${ids.join()}}`)
const byText = (statement: Statement) => (texts: readonly string[]) => ask(statement, [...texts])

function ask({ name, text, table }: Statement, list: string | string[]): Question {
  return { name, text, values: [list], ...(table && { table }) }
}

export const questions: Questions = {
  usersById: byId(statements.usersById),
  usersByUsername: byText(statements.usersByUsername),
  usersByChat: byText(statements.usersByChat),
  appsById: byId(statements.appsById),
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
