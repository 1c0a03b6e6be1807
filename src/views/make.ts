// Makes the statements that create the views `users` and `apps` over the tables of a forum.

import type { DatabaseAccess } from '../stores/check/access.ts'
import { CommandError, UsageError } from '../terminal/command-error.ts'
import { type Forum, readForum } from './forum.ts'
import { makeNames } from './names.ts'
import type { ChatPlace, ForumProgram } from './program.ts'

export type ViewsPlan = Awaited<ReturnType<typeof makePlan>>

/**
 * Makes the statements by their purpose: `indexes` run before `views`. The operator runs the others.
 * @param chat the source of the chat identifiers, such as a profile field; null for none
 * @throws CommandError if the forum has no such tables or chat source
 */
export async function makePlan(
  access: DatabaseAccess,
  program: ForumProgram,
  { prefix, chat }: { readonly prefix: string; readonly chat: string | null },
) {
  const forum = await readForum(access, program, prefix)
  const { isMysql, home, quote, indexOn } = forum
  const place = chat === null ? null : await findPlace(access, forum, chat)
  const names = makeNames(forum)
  const indexes = program.index === undefined ? [] : [indexOn(program.index[0], [program.index[1]])]
  if (place !== null) {
    const sources = Object.entries(place.match ?? {}).filter(([, value]) => value.endsWith(chat ?? ''))
    indexes.push(indexOn(place.table, [...sources.map(([column]) => column), place.value]))
  }
  const apps = await appsOf(access, forum)
  const schema = quote(home)
  return {
    home,
    indexes: [...indexes.flatMap(({ make }) => make), ...names.indexes],
    views: [
      isMysql
        ? `CREATE DATABASE IF NOT EXISTS ${schema} CHARACTER SET utf8mb4`
        : `CREATE SCHEMA IF NOT EXISTS ${schema}`,
      ...names.parts,
      // By default, MySQL computes all rows for each lookup if a view has subqueries among its columns.
      `CREATE OR REPLACE ${isMysql ? 'ALGORITHM = MERGE ' : ''}VIEW ${schema}.users AS\n${usersOf(forum, names, place)}`,
      `CREATE OR REPLACE VIEW ${schema}.apps AS\n${apps ?? (isMysql ? noApps : noApps.replace('FROM DUAL ', ''))}`,
    ],
    /** Create the user of the gateway. */
    reader: [
      ...(isMysql
        ? [`CREATE USER lookup_reader IDENTIFIED BY 'choose a password'`]
        : [
            `CREATE ROLE lookup_reader LOGIN PASSWORD 'choose a password'`,
            `GRANT USAGE ON SCHEMA ${schema} TO lookup_reader`,
          ]),
      ...['users', 'apps'].map((view) => `GRANT SELECT ON ${schema}.${view} TO lookup_reader`),
    ],
    /** Undo all other statements, before an upgrade of the forum. */
    removal: [
      ...names.removal,
      isMysql ? `DROP DATABASE ${schema}` : `DROP SCHEMA ${schema} CASCADE`,
      ...indexes.flatMap(({ drop }) => drop),
    ],
  }
}

const noApps = `SELECT 0 AS id, concat('', '') AS title, concat('', '') AS version, 0 AS category,
  concat('', '') AS changelog_link, concat('', '') AS download_link FROM DUAL WHERE 1 = 0`

async function appsOf({ query }: DatabaseAccess, { program, sql, hasTable }: Forum): Promise<string | null> {
  const { apps } = program
  if (apps === undefined || !hasTable(apps.table)) return null
  const [found] = await query(sql(apps.url))
  const url = String(found?.value ?? '').replace(/\/+$/, '')
  return sql(apps.sql.replaceAll('{url}', `'${url.replaceAll("'", "''")}'`))
}

function usersOf(
  { program, isMysql, sql, quote }: Forum,
  { username, display, key, join }: ReturnType<typeof makeNames>,
  place: ChatPlace | null,
): string {
  const { users } = program
  const own = (column: string) => sql(`{${users.table}}.${column}`)
  const text = (expression: string) => (isMysql ? expression : `(${expression})::text`)
  const noChat = isMysql ? 'CAST(NULL AS char(1))' : 'NULL::text'
  const columns = {
    id: own(users.id),
    username: text(username),
    username_key: text(key),
    chat_id: place === null ? noChat : text(sql(`{${place.table}}.${place.value}`)),
    display_name: text(display),
    [quote('rank')]: sql(users.rank),
    join_date: sql(users.joined),
    is_confirmed: sql(users.confirmed),
    banned: sql(users.banned),
  }
  const list = Object.entries(columns).map(([column, expression]) => `  ${expression} AS ${column}`)
  const chat = place === null ? '' : `\n${sql(joinOf(place, `{${users.table}}.${users.id}`))}`
  return `SELECT\n${list.join(',\n')}\nFROM ${sql(`{${users.table}}`)}${join}${chat}\nWHERE ${sql(users.where)}`
}

function conditionsOf({ table, value, match = {} }: ChatPlace, name = `{${table}}`): string {
  const matches = Object.entries(match).map(([column, text]) => `${name}.${column} = '${text}'`)
  return [...matches, `${name}.${value} <> ''`].join(' AND ')
}

/** Joins the chat row of a user. If a user may have several rows, `order` selects the first one. */
function joinOf(place: ChatPlace, id: string): string {
  const { table, user, order } = place
  const join = `LEFT JOIN {${table}} ON {${table}}.${user} = ${id} AND ${conditionsOf(place)}`
  if (order === undefined) return join
  return `${join} AND NOT EXISTS (SELECT 1 FROM {${table}} AS other WHERE other.${user} = ${id}
    AND ${conditionsOf(place, 'other')} AND other.${order} < {${table}}.${order})`
}

async function findPlace(
  { query }: DatabaseAccess,
  { program, sql, column, tableName }: Forum,
  chat: string,
): Promise<ChatPlace> {
  if (!/^[\w.:-]+$/.test(chat))
    throw new UsageError(`--chat cannot be "${chat}": it must be letters, digits and . : _ -`)
  const places = program.chats(chat)
  for (const place of places) {
    if (column(place.table, place.value) === undefined) continue
    if (place.match === undefined) return place
    const rows = await query(sql(`SELECT 1 FROM {${place.table}} WHERE ${conditionsOf(place)} LIMIT 1`))
    if (rows.length > 0) return place
  }
  const seen = places.map(({ table, value }) => `${tableName(table)}.${value}`)
  throw new CommandError(
    `There is no chat source "${chat}" in ${program.title}: nothing is in ${seen.join(', nor in ')}.`,
  )
}
