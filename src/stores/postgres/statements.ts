import type { Relation } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { selectList } from '../rows.ts'

/** A prepared statement that looks up values of one column, however many. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** A statement and its parameters; an array is one, as PostgreSQL writes it. */
export interface Question extends Statement {
  readonly values: readonly string[]
}

// The key comes last, since rows come in any order. Plain SQL: other engines that speak the protocol know it,
// too.
const lookUp = (name: string, relation: Relation, key: string, type: string): Statement => ({
  name,
  text: `SELECT ${selectList(relation)}, ${key} FROM ${relation.name} WHERE ${key} = ANY($1::${type}[])`,
})

const slice = ({ name }: Relation): Statement => ({
  name: `${name}-after`,
  text: `SELECT count(*), max(id) FROM (SELECT id FROM ${name} WHERE id > $1::bigint ORDER BY id LIMIT $2::bigint) AS slice`,
})

export const slices = { users: slice(relations.users), apps: slice(relations.apps) } as const

export const statements = {
  usersById: lookUp('users-by-id', relations.users, 'id', 'bigint'),
  usersByUsername: lookUp('users-by-username', relations.users, 'username_key', 'text'),
  usersByChat: lookUp('users-by-chat', relations.users, 'chat_id', 'text'),
  appsById: lookUp('apps-by-id', relations.apps, 'id', 'bigint'),
} as const satisfies Record<string, Statement>

/** Canonical ids: digits, which need no quotes. */
export function askById(statement: Statement, ids: readonly string[]): Question {
  return { ...statement, values: [`{${ids.join()}}`] }
}

/** Any text; the two characters that mean something within quotes are escaped. */
export function askByText(statement: Statement, texts: readonly string[]): Question {
  return { ...statement, values: [`{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`] }
}
