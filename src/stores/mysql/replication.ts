// Reads the transactions of a server, by their GTIDs, and compares a replica with its primary.

import {
  plain,
  type ReplicaComparison,
  type ReplicationState,
  type RunStatement,
  type ServerRow,
} from '../servers/driver.ts'
import { errorNumber, UNKNOWN_VARIABLE } from './errors.ts'
import { nodeColumn, readNode } from './galera.ts'
import { text } from './statements.ts'

// MySQL runs the part from 5.7.20 on, which MariaDB skips; MariaDB runs the last part. GTID_SUBTRACT and
// gtid_slave_pos leave out transactions of a replica itself, such as a new user: with them, it would be ahead
// of the primary. From MariaDB 12 on, read_only is OFF, ON, NO_LOCK or NO_LOCK_NO_ADMIN, and if('ON') is
// false.
const stateColumns = `SELECT @@global.read_only, concat_ws(':', @@hostname, @@port, @@datadir)
  /*!50720 , @@global.gtid_executed,
    GTID_SUBTRACT(@@global.gtid_executed, concat(@@server_uuid, ':1-9223372036854775806')) */
  /*M!100001 , if(@@global.read_only = 'OFF', @@global.gtid_current_pos, @@global.gtid_slave_pos), NULL */`

const SYNTAX_ERROR = '1064'
/** The column Seconds_Behind_Source, or Seconds_Behind_Master: it has one index in all versions. */
const SECONDS_BEHIND = 32

export async function readReplicationState(
  run: RunStatement,
  onUnknown: (error: unknown) => void,
): Promise<ReplicationState> {
  const [row = []] = await run(plain(`${stateColumns} ${nodeColumn}`)).catch((error: unknown) => {
    if (errorNumber(error) !== UNKNOWN_VARIABLE) throw error
    return run(plain(stateColumns))
  })
  const [readOnly, server, executed, replicated, status] = row
  const writable = readOnly === 0 || readOnly === 'OFF'
  const position = countOf(String(executed ?? ''))
  const { node, unready } = readNode(status)
  const isLagUnknown = !writable && position === null && node === null
  return {
    ...{ writable, position, node, unready },
    lineage: null,
    server: String(server),
    history: String(replicated ?? executed ?? ''),
    executed: typeof replicated === 'string' ? String(executed ?? '') : null,
    secondsBehind: isLagUnknown ? await readSecondsBehind(run, onUnknown) : null,
  }
}

/** Counts transactions: MySQL has `UUID:1-5:7,…`, and MariaDB `DOMAIN-SERVER-NUMBER,…`. */
export function countOf(identifiers: string): bigint | null {
  if (identifiers === '') return null
  let count = 0n
  for (const [, first, last] of identifiers.matchAll(/:(\d+)(?:-(\d+))?(?![\w-])/g))
    count += BigInt(last ?? first ?? 0) - BigInt(first ?? 0) + 1n
  for (const number of domainsOf(identifiers).values()) count += BigInt(number)
  return count
}

/** The last number of each replication domain of MariaDB. The result is empty for MySQL. */
function domainsOf(identifiers: string): ReadonlyMap<string, number> {
  const last = identifiers.matchAll(/(?:^|,)\s*(\d+)-\d+-(\d+)(?=,|$)/g)
  return new Map([...last].map(([, domain = '', number]) => [domain, Number(number)]))
}

/** Returns null if the user may not read the lag; Infinity if the server follows no other, or stopped. */
async function readSecondsBehind(
  run: RunStatement,
  onUnknown: (error: unknown) => void,
): Promise<number | null> {
  try {
    const [row]: readonly ServerRow[] = await run(plain('SHOW REPLICA STATUS')).catch((error: unknown) => {
      if (errorNumber(error) !== SYNTAX_ERROR) throw error
      return run(plain('SHOW SLAVE STATUS'))
    })
    return Number(row?.[SECONDS_BEHIND] ?? Number.POSITIVE_INFINITY)
  } catch (error) {
    if (errorNumber(error) === null) throw error
    onUnknown(error)
    return null
  }
}

export async function compare(
  replica: ReplicationState,
  primary: ReplicationState,
  runOnPrimary: RunStatement,
): Promise<ReplicaComparison> {
  if (replica.executed !== null && primary.position !== null)
    return compareByPrimary(replica.history, replica.executed, runOnPrimary)
  const ofReplica = domainsOf(replica.history)
  const ofPrimary = domainsOf(primary.history)
  if (ofReplica.size === 0 || ofPrimary.size === 0) return { relationship: 'follows', own: 0n }
  if (![...ofReplica.keys()].some((domain) => ofPrimary.has(domain)))
    return { relationship: 'is unrelated', own: 0n }
  const isAhead = [...ofReplica].some(([domain, last]) => last > (ofPrimary.get(domain) ?? 0))
  return { relationship: isAhead ? 'is ahead' : 'follows', own: 0n }
}

/** A primary of MySQL computes which transactions of the replica it does not have. */
async function compareByPrimary(
  replicated: string,
  executed: string,
  runOnPrimary: RunStatement,
): Promise<ReplicaComparison> {
  const lacked = [replicated, executed].map((set) => `GTID_SUBTRACT(${text(set)}, @@global.gtid_executed)`)
  const [row = []] = await runOnPrimary(plain(`SELECT ${lacked.join()}`))
  const [missing = null, own] = row.map((set) => countOf(String(set ?? '')))
  if (missing === null) return { relationship: 'follows', own: own ?? 0n }
  return { relationship: missing === countOf(replicated) ? 'is unrelated' : 'is ahead', own: 0n }
}
