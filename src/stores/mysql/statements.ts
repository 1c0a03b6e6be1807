// The statements of lookups and of health checks for MySQL and MariaDB. The text has the values: ids are
// digits, and texts are hexadecimal, which every sql_mode and character set reads alike. Prepared statements
// would be needed for each connection and each length of a list, and are no faster.

import { type Relation, responseColumns, storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { plain, type Statement, type Statements } from '../servers/driver.ts'

/** A name as any sql_mode reads it; `rank` is a reserved word. */
export const quote = (name: string): string => `\`${name}\``

/** The columns that an import fills, in the order of its cells. */
export const storedNames = (relation: Relation): string =>
  storedColumns(relation)
    .map(({ sql }) => quote(sql))
    .join()

// MySQL would first read the whole of a view that has subqueries for columns. MariaDB reads the hint as a
// comment.
const select = (table: string) => `SELECT /*+ MERGE(${quote(table)}) */`

// The key comes last, since rows come in any order.
function lookUp(relation: Relation, key: string, literal: (value: string) => string) {
  const columns = [...responseColumns(relation).map(({ sql }) => sql), key].map(quote).join(', ')
  const table = relation.name
  const start = `${select(table)} ${columns} FROM ${quote(table)} WHERE ${quote(key)} IN (`
  // IN () is a syntax error. IN (NULL) matches no row.
  return (values: readonly string[]) =>
    statementOf(`${start}${values.length === 0 ? 'NULL' : values.map(literal).join()})`, table)
}

const digits = (id: string) => id
/** A text as every sql_mode and character set reads it, for columns of text and of bytes alike. */
export const text = (value: string) => `_utf8mb4 x'${Buffer.from(value).toString('hex')}'`

const keys = { usersByUsername: 'username_key', usersByChat: 'chat_id' } as const

/** A statement without values of its own. @param table the relation that it reads */
const statementOf = (text: string, table: Relation['name']): Statement => ({ ...plain(text), table })

/** The server converts each text to the character set of the column and back: an impossible text changes. */
const keepHeld: Statements['keepHeld'] = async (run, lookup, texts) => {
  const users = quote('users')
  const charsetOf = `${select('users')} charset(${quote(keys[lookup])}) FROM ${users} LIMIT 1`
  const [row] = await run(statementOf(charsetOf, 'users'))
  // Without rows, no text matches.
  if (row === undefined) return []
  const converted = texts.map((each) => `CONVERT(CONVERT(${text(each)} USING ${row[0]}) USING utf8mb4)`)
  const [[held] = []] = await run(
    statementOf(`SELECT concat_ws(_utf8mb4 x'00', ${converted.join()})`, 'users'),
  )
  const spelt = String(held).split('\0')
  return texts.filter((each, index) => each === spelt[index])
}

export const statements: Statements = {
  keepHeld,
  usersById: lookUp(relations.users, 'id', digits),
  usersByUsername: lookUp(relations.users, keys.usersByUsername, text),
  usersByChat: lookUp(relations.users, keys.usersByChat, text),
  appsById: lookUp(relations.apps, 'id', digits),
  countAfter: (name, id, most) => {
    const slice = `SELECT id FROM ${quote(name)} WHERE id > ${id} ORDER BY id LIMIT ${most}`
    return statementOf(`SELECT count(*), max(id) FROM (${slice}) AS slice`, name)
  },
  first: (name) => statementOf(`${select(name)} 1 FROM ${quote(name)} LIMIT 1`, name),
  describe: (relation, columns) => {
    const [table, id] = [quote(relation.name), quote('id')]
    const text =
      columns === 'all'
        ? `SELECT * FROM ${table} LIMIT 0`
        : `${select(relation.name)} ${storedNames(relation)} FROM ${table} WHERE ${id} IN (0)`
    return { ...plain(text), describes: true }
  },
  types: {
    integer: 'an integer (convert times by UNIX_TIMESTAMP(…), other numbers by CAST(… AS SIGNED))',
    string: 'a text',
    boolean: 'an integer, BIT or a comparison such as state = 2',
  },
}
