// Samples rows by ranges of ids, and finds rows that clients would not get or would not find.

import { setImmediate as yieldToRequests } from 'node:timers/promises'
import type { Cell } from '../../data/fields.ts'
import { type Relation, storedColumns } from '../../data/relation.ts'
import { MAX_NAME_LENGTH, usernameKey } from '../../model.ts'
import { count, shorten } from '../../text.ts'
import { type DatabaseAccess, type DatabaseFault, type RowObject, selectOf } from './access.ts'
import { type KeyLookup, lookUp } from './scans.ts'

const RANGES = 50
const ROWS_OF_A_RANGE = 20

type NoteFault = (what: string, example: string, mend: string) => void

/** @param searches the lookups by a text that read few rows */
export async function findBadRows(
  access: DatabaseAccess,
  relation: Relation,
  searches: readonly KeyLookup[],
  onProgress: (share: number) => void,
): Promise<readonly DatabaseFault[]> {
  const faults = new Map<string, { readonly first: DatabaseFault; rows: number }>()
  const note: NoteFault = (what, example, mend) => {
    const fault = faults.get(what) ?? { first: { what, example, mend }, rows: 0 }
    fault.rows++
    faults.set(what, fault)
  }
  let seen = 0
  for await (const rows of sample(access, relation)) {
    onProgress(Math.min(++seen / RANGES, 1))
    for (const row of rows) checkRow(access, relation, row, note)
    const twice = rows.find(({ id }, index) => id === rows[index - 1]?.id)
    if (twice !== undefined)
      note(
        `${relation.name}.id is not unique`,
        `id ${String(twice.id)} is there twice`,
        `Let each join of the view ${relation.name} find one row: add its key to the ON clause, or use a subquery with LIMIT 1.`,
      )
    for (const search of searches) await checkSearch(access, search, rows, note)
  }
  return [...faults.values()].map(({ first, rows }) => ({
    ...first,
    what: rows === 1 ? first.what : `${first.what} (${count(rows)} times in the sample)`,
  }))
}

/** Rows below 1, then some rows of ranges over all ids. */
async function* sample(
  { engine, query }: DatabaseAccess,
  relation: Relation,
): AsyncGenerator<readonly RowObject[]> {
  const quote = engine === 'mysql' ? '`' : ''
  const columns = storedColumns(relation).map(({ sql }) => `${quote}${sql}${quote}`)
  const select = (where: string, order: string, limit: number) =>
    query(
      `${selectOf(engine, relation.name)} ${columns} FROM ${relation.name} WHERE ${where} ORDER BY id ${order} LIMIT ${limit}`,
    )
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

const mends: Readonly<Record<string, string>> = {
  id: 'Leave such rows out of the view: WHERE id BETWEEN 1 AND 9007199254740991',
  version: `Make it numbers in the view: CASE WHEN … THEN version ELSE '0.0.0' END AS version`,
}

function checkRow({ engine }: DatabaseAccess, relation: Relation, row: RowObject, note: NoteFault): void {
  const { name, columns } = relation
  const cells: Cell[] = []
  for (const { sql, optional, maxLength = Infinity, allowed, read, parse } of columns) {
    const value = row[sql] ?? null
    const text = read(value)
    cells.push(typeof text === 'string' || typeof text === 'number' ? text : null)
    if (optional && value === null) continue
    const example = `id ${String(row.id)} has ${quoted(value)}`
    if (text === undefined || parse(String(text)) === undefined) {
      const isLong = typeof value === 'string' && value.length > maxLength
      const other = mends[sql] ?? 'Correct the rows, or leave them out of the view: WHERE …'
      note(
        `${name}.${sql} must be ${allowed}`,
        example,
        isLong ? `substr(${sql}, 1, ${maxLength}) AS ${sql}` : other,
      )
    } else if (/^(?:username|display_name|title)$/.test(sql) && entity.test(String(text)))
      note(
        `${name}.${sql} holds HTML entities`,
        example,
        `replace(replace(replace(replace(${sql}, '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&') AS ${sql}`,
      )
  }
  const link = engine === 'mysql' ? `concat(…, '/', id, '/')` : `… || '/' || id || '/'`
  const problem = relation.check?.(cells)
  if (problem) note(`${name}.download_link must end in the id`, problem, `${link} AS download_link`)
}

const quoted = (value: unknown) =>
  typeof value === 'string' ? JSON.stringify(shorten(value, 60)) : String(value)

/** How a view makes the same keys as the gateway. */
const keys = {
  sqlite: 'Fill the column behind username_key from your program, in NFKC and then lower case.',
  postgres: `lower(normalize(username::text, NFKC) COLLATE "und-x-icu") AS username_key, with an index on this expression`,
  mysql:
    'Show a text column with the collation utf8mb4_unicode_520_ci as username_key: it finds a name in every spelling.',
} as const

/** Looks rows up by their texts, as the gateway would. Each text must find its row and no other. */
async function checkSearch(
  access: DatabaseAccess,
  search: KeyLookup,
  rows: readonly RowObject[],
  note: NoteFault,
): Promise<void> {
  const { key } = search
  const isName = key === 'username_key'
  const shown = isName ? 'username' : 'chat_id'
  const keyOf = (text: unknown) =>
    isName ? usernameKey(String(text).slice(0, MAX_NAME_LENGTH)) : String(text)
  const wanted = rows.filter((row) => row[shown] !== null)
  if (wanted.length === 0) return
  const texts = wanted.map((row) => keyOf(row[shown]).toWellFormed().replaceAll('\0', ''))
  const ids = new Map<string, Set<string>>()
  // The stored key may be the name itself, if the collation ignores case.
  for (const row of await lookUp(access, search, texts))
    for (const text of [String(row[key]), keyOf(row[key])])
      ids.set(text, (ids.get(text) ?? new Set()).add(String(row.id)))
  for (const row of wanted) {
    const text = keyOf(row[shown])
    const found = ids.get(text) ?? new Set()
    const other = [...found].find((id) => id !== String(row.id))
    const example = `id ${String(row.id)} has ${quoted(row[shown])}`
    if (!found.has(String(row.id)))
      note(
        `users are not found by ${isName ? 'their name' : 'their chat id'}`,
        `${example}, with the ${key} ${quoted(row[key])}; the gateway looks for ${quoted(text)}`,
        isName ? keys[access.engine] : 'Show the chat id as it is stored: no function around it.',
      )
    else if (other !== undefined)
      note(
        `users.${key} is not unique`,
        `${example}, as has id ${other}`,
        `Let one user keep it. For empty texts: nullif(${shown}, '') AS ${shown}`,
      )
  }
}
