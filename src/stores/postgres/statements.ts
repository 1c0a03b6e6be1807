import type { Relation } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { selectList } from '../rows.ts'
import type { Question, Questions } from '../servers/engine.ts'

/** A prepared statement that looks up values of one column, however many. */
interface Statement {
  readonly name: string
  readonly text: string
  /** What it reads, if that is one of the relations. */
  readonly table?: string
}

// The key comes last, since rows come in any order. Plain SQL: other engines that speak the protocol know it,
// too.
const lookUp = (name: string, relation: Relation, key: string, type: string): Statement => ({
  name,
  table: relation.name,
  text: `SELECT ${selectList(relation)}, ${key} FROM ${relation.name} WHERE ${key} = ANY($1::${type}[])`,
})

const slice = ({ name }: Relation): Statement => ({
  name: `${name}-after`,
  table: name,
  text: `SELECT count(*), max(id) FROM (SELECT id FROM ${name} WHERE id > $1::bigint ORDER BY id LIMIT $2::bigint) AS slice`,
})

const slices = { users: slice(relations.users), apps: slice(relations.apps) } as const

const first = ({ name }: Relation): Statement => ({
  name: `${name}-first`,
  table: name,
  text: `SELECT 1 FROM ${name} LIMIT 1`,
})

const firsts = { users: first(relations.users), apps: first(relations.apps) } as const

export const statements = {
  usersById: lookUp('users-by-id', relations.users, 'id', 'bigint'),
  usersByUsername: lookUp('users-by-username', relations.users, 'username_key', 'text'),
  usersByChat: lookUp('users-by-chat', relations.users, 'chat_id', 'text'),
  appsById: lookUp('apps-by-id', relations.apps, 'id', 'bigint'),
} as const satisfies Record<string, Statement>

/** Canonical ids: digits, which need no quotes. An array is one parameter, as PostgreSQL writes it. */
function askById(statement: Statement, ids: readonly string[]): Question {
  return { ...statement, values: [`{${ids.join()}}`] }
}

/** Any text; the two characters that mean something within quotes are escaped. */
function askByText(statement: Statement, texts: readonly string[]): Question {
  return { ...statement, values: [`{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join()}}`] }
}

export const questions: Questions = {
  usersById: (ids) => askById(statements.usersById, ids),
  usersByUsername: (keys) => askByText(statements.usersByUsername, keys),
  usersByChat: (chatIds) => askByText(statements.usersByChat, chatIds),
  appsById: (ids) => askById(statements.appsById, ids),
  countAfter: (name, id, most) => ({ ...slices[name], values: [String(id), String(most)] }),
  first: (name) => ({ ...firsts[name], values: [] }),
}
