// Checks of a server when the gateway starts (`inspect`), and of a table before an import (`checkColumns`).

import type { Connection, FieldPacket, RowDataPacket } from 'mysql2'
import type { ServersLocation } from '../../config/database.ts'
import type { Relation } from '../../data/relation.ts'
import { faultsOf } from '../servers/check.ts'
import type { Ask } from '../servers/driver.ts'
import { errorNumber } from './errors.ts'
import { nodeColumn } from './galera.ts'
import { canWrite } from './grants.ts'
import { ask, questions } from './statements.ts'
import { describe } from './types.ts'

const UNKNOWN_COLUMN = '1054'

/** Returns warnings for the operator. The server can be used all the same. */
export async function inspect(askServer: Ask, location: ServersLocation): Promise<readonly string[]> {
  // Some proxies, and servers without users, refuse SHOW GRANTS.
  const grants = await askServer(ask('SHOW GRANTS')).catch(() => [])
  const { pathname } = new URL(location.url)
  const mayWrite = canWrite(
    grants.map(([grant]) => String(grant)),
    decodeURIComponent(pathname.slice(1)),
  )
  const isDirty = location.kind === 'mysql' && location.dirtyReads
  const [row] = isDirty ? await askServer(ask(`SELECT 1 ${nodeColumn}`)).catch(() => []) : []
  return [
    ...(mayWrite
      ? ['its user may write. Lookups only read: use a user with SELECT on users and apps only']
      : []),
    ...(isDirty && typeof row?.[1] !== 'string'
      ? ['DATABASE_DIRTY_READS=on has no effect: the server is not a Galera node']
      : []),
  ]
}

/**
 * Checks the types of the columns before an import fills them. A column of another type may store another
 * value: an ENUM takes the number 1 for its first text.
 * @throws Error that names the columns
 */
export async function checkColumns(connection: Connection, relation: Relation): Promise<void> {
  const fieldsOf = (columns: 'needed' | 'all') =>
    new Promise<readonly FieldPacket[]>((resolve, reject) =>
      connection.query<RowDataPacket[]>(questions.describe(relation, columns).text, (error, _rows, fields) =>
        error ? reject(error) : resolve(fields),
      ),
    )
  const fields = await fieldsOf('needed').catch((error: unknown) => {
    if (errorNumber(error) !== UNKNOWN_COLUMN) throw error
    return fieldsOf('all')
  })
  const faults = faultsOf(relation, fields.map(describe), questions)
  if (faults.length > 0) throw new Error(faults.join('; '))
}
