// Looks at some rows of each relation, by ranges of ids, for what clients would not get or would not find.

import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Cell } from '../../data/fields.ts'
import { type Column, type Relation, storedColumns } from '../../data/relation.ts'
import { MAX_NAME_LENGTH, usernameKey } from '../../model.ts'
import { count, shorten } from '../../text.ts'
import type { Access, Row } from './access.ts'
import type { Finding } from './finding.ts'

const RANGES = 50
const ROWS_OF_A_RANGE = 20

interface Noted extends Finding {
  readonly rows: number
}

interface Options {
  /** The text columns whose lookups read few rows. */
  readonly searched: readonly string[]
  readonly onProgress: (share: number) => void
}

export async function findBadRows(
  access: Access,
  relation: Relation,
  { searched, onProgress }: Options,
): Promise<readonly Finding[]> {
  const found = new Map<string, Noted>()
  const note = (what: string, example: string, mend: string) =>
    found.set(what, { what, example, mend, ...found.get(what), rows: (found.get(what)?.rows ?? 0) + 1 })
  let seen = 0
  for await (const rows of sample(access, relation)) {
    onProgress(Math.min(++seen / RANGES, 1))
    for (const [index, row] of rows.entries()) {
      checkRow(access, relation, row, note)
      if (index > 0 && row.id === rows[index - 1]?.id)
        note(
          `${relation.name}.id is not unique`,
          `id ${String(row.id)} is there twice`,
          `Let each join of the view ${relation.name} find one row: add its key to the ON clause, or use a subquery with LIMIT 1.`,
        )
    }
    for (const key of searched) await checkSearch(access, key, rows, note)
  }
  return [...found.values()].map(({ what, example, mend, rows }) => ({
    what: rows === 1 ? what : `${what} (${count(rows)} of the rows that were looked at)`,
    example,
    mend,
  }))
}

type Note = (what: string, example: string, mend: string) => unknown

/** Rows below 1, then some rows of ranges over all ids. */
async function* sample({ engine, query }: Access, relation: Relation): AsyncGenerator<readonly Row[]> {
  const quote = engine === 'mysql' ? '`' : ''
  const columns = storedColumns(relation).map(({ sql }) => `${quote}${sql}${quote}`)
  const select = (where: string, order: string, limit: number) =>
    query(`SELECT ${columns} FROM ${relation.name} WHERE ${where} ORDER BY id ${order} LIMIT ${limit}`)
  yield await select('id < 1', '', ROWS_OF_A_RANGE)
  const [first] = await select('id > 0', '', 1)
  const [last] = await select('id > 0', 'DESC', 1)
  const [low, high] = [Number(first?.id ?? 0), Number(last?.id ?? 0)]
  let from = low
  for (let range = 0; range < RANGES && from <= high && high > 0; range++) {
    const start = Math.max(from, Math.floor(low + ((high - low) * range) / RANGES))
    const rows = await select(`id >= ${start}`, '', ROWS_OF_A_RANGE)
    yield rows
    from = Number(rows.at(-1)?.id ?? high) + 1
    await yieldToRequests()
  }
}

const entity = /&(?:amp|lt|gt|quot|#\d+|#x[\da-f]+);/i

function checkRow(access: Access, relation: Relation, row: Row, note: Note): void {
  const { name, columns } = relation
  const shown = `id ${String(row.id)}`
  const cells: Cell[] = []
  for (const column of columns) {
    const { sql, optional, maxLength } = column
    const value = row[sql] ?? null
    const read = column.read(value)
    cells.push(typeof read === 'boolean' ? Number(read) : cellOf(read))
    if (optional && value === null) continue
    if (read === undefined || column.parse(String(read)) === undefined)
      note(
        `${name}.${sql} must be ${column.allowed}`,
        `${shown} has ${quoted(value)}`,
        mendOf(access, column, typeof value === 'string' && value.length > (maxLength ?? Infinity)),
      )
    else if (/^(?:username|display_name|title)$/.test(sql) && entity.test(String(read)))
      note(`${name}.${sql} holds HTML entities`, `${shown} has ${quoted(value)}`, unescaped(sql))
  }
  const complaint = relation.check?.(cells)
  if (complaint)
    note(
      `${name}.download_link must end in the id`,
      `${shown}: ${complaint}`,
      access.engine === 'mysql'
        ? `concat(…, '/', id, '/') AS download_link`
        : `… || '/' || id || '/' AS download_link`,
    )
}

const cellOf = (read: unknown): Cell => (typeof read === 'string' || typeof read === 'number' ? read : null)
const quoted = (value: unknown) =>
  typeof value === 'string' ? JSON.stringify(shorten(value, 60)) : String(value)

const unescaped = (sql: string) =>
  `replace(replace(replace(replace(${sql}, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&') AS ${sql}`

function mendOf({ engine }: Access, { sql, maxLength }: Column, isLong: boolean): string {
  if (isLong)
    return `${engine === 'sqlite' ? 'substr' : 'left'}(${sql}, ${engine === 'sqlite' ? '1, ' : ''}${maxLength}) AS ${sql}`
  if (sql === 'id') return 'Leave such rows out of the view: WHERE id BETWEEN 1 AND 9007199254740991'
  if (sql === 'version')
    return `Make it numbers in the view: CASE WHEN … THEN version ELSE '0.0.0' END AS version`
  return `Correct the rows, or leave them out of the view with WHERE`
}

/** Asks for rows by their texts, as the gateway would, and compares which rows come. */
async function checkSearch(access: Access, key: string, rows: readonly Row[], note: Note): Promise<void> {
  const isName = key === 'username_key'
  const textOf = (row: Row) =>
    isName ? usernameKey(String(row.username).slice(0, MAX_NAME_LENGTH)) : String(row.chat_id)
  const wanted = rows.filter((row) => row[isName ? 'username' : 'chat_id'] !== null)
  if (wanted.length === 0) return
  const ids = new Map<string, unknown[]>()
  for (const { id, [key]: stored } of await findTexts(access, key, wanted.map(textOf))) {
    // The stored key may be the name as it is, if the collation ignores case.
    const spellings = new Set([String(stored), isName ? usernameKey(String(stored)) : String(stored)])
    for (const spelling of spellings) ids.set(spelling, [...(ids.get(spelling) ?? []), id])
  }
  for (const row of wanted) {
    const text = textOf(row)
    const same = new Set((ids.get(text) ?? []).map(String))
    const shown = `id ${String(row.id)} has ${quoted(isName ? row.username : row.chat_id)}`
    if (same.size > 1)
      note(
        `users.${key} is not unique`,
        `${shown}, as has id ${[...same].find((id) => id !== String(row.id))}`,
        isName
          ? 'Leave one of the users out of the view, or rename one.'
          : `Let one user keep the chat id; for empty texts: nullif(chat_id, '') AS chat_id`,
      )
    else if (!same.has(String(row.id)))
      note(
        `users are not found by ${isName ? 'their name' : 'their chat id'}`,
        `${shown}, with the ${key} ${quoted(row[key])}; the gateway looks for ${quoted(text)}`,
        isName ? keyOf[access.engine] : 'Show the chat id as it is stored: no function around it.',
      )
  }
}

/** How a key is made as the gateway makes it. */
const keyOf = {
  sqlite: 'Fill the column behind username_key from your program, in NFKC and then lower case.',
  postgres: `lower(normalize(username::text, NFKC) COLLATE "und-x-icu") AS username_key, with an index on this expression`,
  mysql:
    'Show a text column as username_key whose collation is utf8mb4_unicode_520_ci: it has all spellings of a name as equal.',
} as const

function findTexts(
  { engine, query }: Access,
  key: string,
  texts: readonly string[],
): Promise<readonly Row[]> {
  const select = `SELECT id, ${key} FROM users WHERE ${key}`
  const clean = texts.map((text) => text.toWellFormed().replaceAll('\0', ''))
  if (engine === 'postgres') return query(`${select} = ANY($1::text[])`, [clean])
  if (engine === 'sqlite') return query(`${select} IN (SELECT value FROM json_each(?))`, [clean])
  return query(`${select} IN (${clean.map((text) => `_utf8mb4 x'${Buffer.from(text).toString('hex')}'`)})`)
}
