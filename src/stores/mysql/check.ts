// Whether the relations have what is looked up: every column that is missing, or is of another type, by its
// name. And whether the user has more rights than a reader needs.

import { Socket } from 'node:net'
import type { Connection, FieldPacket, RowDataPacket } from 'mysql2'
import { type Relation, storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { QueryTimeout } from '../servers/errors.ts'
import { startTimer, type Timer } from '../servers/timer.ts'
import type { Config } from './connection.ts'
import { errorNumber } from './errors.ts'
import { nodeColumn, readNode } from './galera.ts'
import { canWrite } from './grants.ts'
import { logIn, query } from './login.ts'
import { questions, quote, storedNames } from './statements.ts'
import { describeType, suits } from './types.ts'

const UNKNOWN_COLUMN = '1054'

/**
 * @param patience milliseconds for all of it, once there is a connection: that has a limit of its own
 * @returns what the operator should know, though lookups can be answered
 * @throws the server's error, QueryTimeout, or an error that names the columns
 */
export async function checkServer(config: Config, patience: number): Promise<readonly string[]> {
  const { options, limits } = config
  const socket = new Socket()
  let isLate = false
  let timer: Timer | null = null
  try {
    // A server that is far away is asked all there is to ask at once.
    const connection = await logIn({ ...config, options: { ...options, multipleStatements: true } }, socket)
    timer = startTimer(patience, () => {
      isLate = true
      socket.destroy()
    })
    const columns = await inspect(connection)
    const faults = Object.values(relations).flatMap((relation) => findFaults(relation, columns(relation)))
    if (faults.length > 0) throw new Error(faults.join('; '))
    // Some proxies, and servers without users, have no answer to it.
    const grants = await query(connection, 'SHOW GRANTS').catch(() => [])
    const texts = grants.map(([grant]) => String(grant))
    return [
      ...(canWrite(texts, options.database ?? '') ? [mayWrite] : []),
      ...(limits.dirtyReads && !(await isNode(connection)) ? [noNode] : []),
    ]
  } catch (error) {
    throw isLate ? new QueryTimeout(patience) : error
  } finally {
    timer?.stop()
    socket.destroySoon()
  }
}

const mayWrite = 'its user may write. Lookups only read: use a user with SELECT on users and apps only'

const noNode = 'DATABASE_DIRTY_READS=on has no effect: the server is not a Galera node'

async function isNode(connection: Connection): Promise<boolean> {
  const [row] = await query(connection, `SELECT 1 ${nodeColumn}`).catch(() => [])
  return readNode(row?.[1]) !== null
}

/**
 * Checks a table that is to be filled as the gateway checks what it reads: in a column of another type, the
 * server may keep another value than it was sent, as it takes 1 for the first value of an ENUM.
 * @throws Error that names the columns
 */
export async function checkColumns(connection: Connection, relation: Relation): Promise<void> {
  const fieldsOf = (list: string) =>
    new Promise<readonly FieldPacket[]>((resolve, reject) =>
      connection.query<RowDataPacket[]>(
        `SELECT ${list} FROM ${quote(relation.name)} LIMIT 0`,
        (error, _rows, fields) => (error ? reject(error) : resolve(fields)),
      ),
    )
  const fields = await fieldsOf(storedNames(relation)).catch((error: unknown) => {
    if (errorNumber(error) !== UNKNOWN_COLUMN) throw error
    return fieldsOf('*')
  })
  const faults = findFaults(relation, fields)
  if (faults.length > 0) throw new Error(faults.join('; '))
}

type Columns = (relation: Relation) => readonly FieldPacket[]

const { usersById, usersByUsername, usersByChat, appsById } = questions
/** The lookups of requests, for none of the rows. A user may have rights on these columns and no others. */
const lookups = [usersById, usersByUsername, usersByChat, appsById].map((ask) => `${ask(['0']).text} LIMIT 0`)

async function inspect(connection: Connection): Promise<Columns> {
  try {
    const found = await describe(connection, lookups)
    const [users, apps] = [found.slice(0, -1).flat(), found.at(-1) ?? []]
    return ({ name }) => (name === 'users' ? users : apps)
  } catch (error) {
    if (errorNumber(error) !== UNKNOWN_COLUMN) throw error
    const names = Object.keys(relations)
    const found = await describe(
      connection,
      names.map((name) => `SELECT * FROM ${quote(name)} LIMIT 0`),
    )
    const columns: Columns = ({ name }) => found[names.indexOf(name)] ?? []
    // Where they have all columns, it is a view that reads one that is not there.
    if (Object.values(relations).every((one) => findFaults(one, columns(one)).length === 0)) throw error
    return columns
  }
}

function findFaults(relation: Relation, fields: readonly FieldPacket[]): string[] {
  const { name } = relation
  return storedColumns(relation).flatMap(({ sql, type }) => {
    const field = fields.find((candidate) => candidate.name.toLowerCase() === sql)
    if (field === undefined) return [`${name} has no column ${sql}`]
    if (suits(field, type)) return []
    return [`${name}.${sql} is of type ${describeType(field)}, and must be ${allowed[type]}`]
  })
}

const allowed = {
  integer: 'an integer (convert times by UNIX_TIMESTAMP(…), other numbers by CAST(… AS SIGNED))',
  string: 'a text',
  boolean: 'an integer, BIT or a comparison such as state = 2',
} as const

/** Runs several statements. @returns the columns of each */
function describe(
  connection: Connection,
  texts: readonly string[],
): Promise<readonly (readonly FieldPacket[])[]> {
  return new Promise((resolve, reject) =>
    // The driver's types know the results of one statement only.
    connection.query<RowDataPacket[][]>(texts.join('; '), (error, _rows, fields: unknown) =>
      error ? reject(error) : resolve(Array.isArray(fields) ? fields : []),
    ),
  )
}
