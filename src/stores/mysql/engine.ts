// MySQL and MariaDB as the servers of a store, and what the gateway checks at its start.

import { type Engine, plain, type RunStatement } from '../servers/driver.ts'
import { readLogin } from './driver.ts'
import { errors } from './errors.ts'
import { canWrite } from './grants.ts'
import { compare, readReplicationState } from './replication.ts'
import { statements } from './statements.ts'

/** Returns warnings for the operator. None is a reason not to use the server. */
async function inspect(run: RunStatement, url: string): Promise<readonly string[]> {
  // Some proxies, and servers without users, refuse SHOW GRANTS.
  const grants = await run(plain('SHOW GRANTS')).catch(() => [])
  const mayWrite = canWrite(
    grants.map(([grant]) => String(grant)),
    decodeURIComponent(new URL(url).pathname.slice(1)),
  )
  return mayWrite
    ? ['its user may write. Lookups only read: use a user with SELECT on users and apps only']
    : []
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
  readLogin,
  reasons: {
    writable: `it accepts writes itself (read_only is OFF)${remedy}`,
    'is ahead': `it has changes that the primary does not have${remedy}`,
    'is unrelated':
      'it has no transaction in common with the server in DATABASE_URL. Correct DATABASE_REPLICA_URLS',
  },
}
