// MySQL and MariaDB as the servers of a store, and what the gateway checks at its start.

import type { ServersLocation } from '../../config/database.ts'
import type { Engine, RunStatement } from '../servers/driver.ts'
import { readAccess } from './driver.ts'
import { errors } from './errors.ts'
import { nodeColumn } from './galera.ts'
import { canWrite } from './grants.ts'
import { compare, readReplicationState } from './replication.ts'
import { plain, statements } from './statements.ts'

/** Returns warnings for the operator. None is a reason not to use the server. */
async function inspect(run: RunStatement, location: ServersLocation): Promise<readonly string[]> {
  // Some proxies, and servers without users, refuse SHOW GRANTS.
  const grants = await run(plain('SHOW GRANTS')).catch(() => [])
  const { pathname } = new URL(location.url)
  const mayWrite = canWrite(
    grants.map(([grant]) => String(grant)),
    decodeURIComponent(pathname.slice(1)),
  )
  const isDirty = location.kind === 'mysql' && location.dirtyReads
  const [row] = isDirty ? await run(plain(`SELECT 1 ${nodeColumn}`)).catch(() => []) : []
  return [
    ...(mayWrite
      ? ['its user may write. Lookups only read: use a user with SELECT on users and apps only']
      : []),
    ...(isDirty && typeof row?.[1] !== 'string'
      ? ['DATABASE_DIRTY_READS=on has no effect: the server is not a Galera node']
      : []),
  ]
}

const remedy =
  '. Make it a replica of the server in DATABASE_URL with read_only = ON, or remove it from' +
  ' DATABASE_REPLICA_URLS. If it is the new primary, set DATABASE_URL to it'

/** The relations may be tables or views (schema/mysql.sql). */
export const mysql: Engine = {
  errors,
  statements,
  readReplicationState,
  compare,
  inspect,
  readAccess,
  reasons: {
    writable: `it accepts writes itself (read_only is OFF)${remedy}`,
    'is ahead': `it has changes that the primary does not have${remedy}`,
    'is unrelated':
      'it has no transaction in common with the server in DATABASE_URL. Correct DATABASE_REPLICA_URLS',
    'other cluster':
      'it is a node of another cluster than the first server in DATABASE_URL (wsrep_cluster_state_uuid).' +
      ' Name nodes of one cluster',
  },
}
