import type { Engine } from '../servers/driver.ts'
import { lookupLimits } from '../servers/login.ts'
import { inspect } from './check.ts'
import { readAccess } from './driver.ts'
import { errors } from './errors.ts'
import { compare, readPlace } from './place.ts'
import { questions } from './statements.ts'

const remedy =
  '. Make it a replica of the server in DATABASE_URL with read_only = ON, or remove it from' +
  ' DATABASE_REPLICA_URLS. If it is the new primary, set DATABASE_URL to it'

/** MySQL and MariaDB. The relations may be tables or views (schema/mysql.sql). */
export const mysql: Engine = {
  errors,
  questions,
  readPlace,
  compare,
  inspect,
  readAccess: (url, location) => {
    const dirtyReads = location.kind === 'mysql' && location.dirtyReads
    return readAccess(url, { ...lookupLimits(location.timeout), dirtyReads })
  },
  words: {
    writable: `it accepts writes itself (read_only is OFF)${remedy}`,
    'is ahead': `it has changes that the primary does not have${remedy}`,
    'is unrelated':
      'it has no transaction in common with the server in DATABASE_URL. Correct DATABASE_REPLICA_URLS',
    'other cluster':
      'it is a node of another cluster than the first server in DATABASE_URL (wsrep_cluster_state_uuid).' +
      ' Name nodes of one cluster',
  },
}
