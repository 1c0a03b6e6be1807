// Whether the relations have what is looked up: every column that lacks, or is of another type, by its name.

import pg from 'pg'
import { type Relation, storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { QueryTimeout } from '../servers/errors.ts'
import { startTimer, type Timer } from '../servers/timer.ts'
import { typeOids } from './connection.ts'
import { sqlState } from './errors.ts'

/**
 * @param patience milliseconds for all of it, once there is a connection: that has a limit of its own
 * @throws PostgreSQL's error, QueryTimeout, or an error that names the columns
 */
export async function checkRelations(config: pg.ClientConfig, patience: number): Promise<void> {
  const client = new pg.Client(config)
  client.on('error', () => {}) // whatever is asked next says so
  let late = false
  let timer: Timer | null = null
  try {
    await client.connect()
    timer = startTimer(patience, () => {
      late = true
      client.connection.stream.destroy()
    })
    const complaints: string[] = []
    for (const relation of Object.values(relations)) complaints.push(...(await findFaults(client, relation)))
    if (complaints.length > 0) throw new Error(complaints.join('; '))
  } catch (error) {
    throw late ? new QueryTimeout(patience) : error
  } finally {
    timer?.stop()
    client.end().catch(() => {})
  }
}

async function findFaults(client: pg.Client, relation: Relation): Promise<string[]> {
  const { name } = relation
  const wanted = storedColumns(relation)
  const describe = async (list: string) => (await client.query(`SELECT ${list} FROM ${name} LIMIT 0`)).fields
  // A role may have rights on these columns and no others.
  const fields = await describe(wanted.map(({ sql }) => sql).join()).catch((error: unknown) => {
    if (sqlState(error) !== '42703') throw error
    return describe('*')
  })
  const faults: string[] = []
  for (const { sql, type } of wanted) {
    const field = fields.find((candidate) => candidate.name === sql)
    if (field === undefined) faults.push(`${name} has no column ${sql}`)
    else if (!typeOids[type].includes(field.dataTypeID)) {
      const found = await client.query<[string]>({
        text: 'SELECT format_type($1, NULL)',
        values: [field.dataTypeID],
        rowMode: 'array',
      })
      faults.push(`${name}.${sql} is of type ${found.rows[0]?.[0]}, and must be ${typeNames[type]}`)
    }
  }
  return faults
}

const typeNames = {
  integer: 'bigint, integer or smallint',
  string: 'text or varchar',
  boolean: 'boolean',
} as const
