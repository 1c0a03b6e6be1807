// Where a server is in the history of its data, by the global identifiers of its transactions.

import type { Ask, Place, Relationship, Row } from '../servers/driver.ts'
import { errorNumber, UNKNOWN_VARIABLE } from './errors.ts'
import { nodeColumn, readNode } from './galera.ts'
import { ask, text } from './statements.ts'

// MySQL runs the part from 5.7.20 on, which MariaDB skips; MariaDB runs the last part. A replica may have
// transactions of its own, such as a new user, which make no difference to the primary: GTID_SUBTRACT and
// gtid_slave_pos leave them out. From MariaDB 12 on, read_only is a word, and no word is true in if().
const whereabouts = `SELECT @@global.read_only, concat_ws(':', @@hostname, @@port, @@datadir)
  /*!50720 , @@global.gtid_executed,
    GTID_SUBTRACT(@@global.gtid_executed, concat(@@server_uuid, ':1-9223372036854775806')) */
  /*M!100001 , if(@@global.read_only = 'OFF', @@global.gtid_current_pos, @@global.gtid_slave_pos), NULL */`

const SYNTAX_ERROR = '1064'
/** The column of the status of a replica that has the seconds: the same in all versions. */
const SECONDS_BEHIND = 32

export async function readPlace(askServer: Ask, onUnknown: (error: unknown) => void): Promise<Place> {
  const [row = []] = await askServer(ask(`${whereabouts} ${nodeColumn}`)).catch((error: unknown) => {
    if (errorNumber(error) !== UNKNOWN_VARIABLE) throw error
    return askServer(ask(whereabouts))
  })
  const [readOnly, server, executed, foreign, status] = row
  // MariaDB 12 has words for several kinds of it.
  const writable = readOnly === 0 || readOnly === 'OFF'
  const position = countOf(String(executed ?? ''))
  const { node, unready } = readNode(status)
  const isSilent = !writable && position === null && node === null
  return {
    ...{ writable, position, node, unready },
    lineage: null,
    server: String(server),
    history: String(foreign ?? executed ?? ''),
    secondsBehind: isSilent ? await readSecondsBehind(askServer, onUnknown) : null,
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

/** The last number of each replication domain of MariaDB. */
function domainsOf(identifiers: string): ReadonlyMap<string, number> {
  const last = identifiers.matchAll(/(?:^|,)\s*(\d+)-\d+-(\d+)(?=,|$)/g)
  return new Map([...last].map(([, domain = '', number]) => [domain, Number(number)]))
}

/** @returns null if the server does not say; infinite if it follows no server */
async function readSecondsBehind(
  askServer: Ask,
  onUnknown: (error: unknown) => void,
): Promise<number | null> {
  try {
    const [row]: readonly Row[] = await askServer(ask('SHOW REPLICA STATUS')).catch((error: unknown) => {
      if (errorNumber(error) !== SYNTAX_ERROR) throw error
      return askServer(ask('SHOW SLAVE STATUS'))
    })
    return Number(row?.[SECONDS_BEHIND] ?? Number.POSITIVE_INFINITY)
  } catch (error) {
    if (errorNumber(error) === null) throw error
    onUnknown(error)
    return null
  }
}

export async function compare(replica: Place, primary: Place, askPrimary: Ask): Promise<Relationship> {
  const domains = domainsOf(replica.history)
  const known = domainsOf(primary.history)
  if (domains.size > 0 && known.size > 0) {
    if (![...domains.keys()].some((domain) => known.has(domain))) return 'is unrelated'
    const isAhead = [...domains].some(([domain, last]) => last > (known.get(domain) ?? 0))
    return isAhead ? 'is ahead' : 'follows'
  }
  const all = countOf(replica.history)
  if (all === null || domains.size > 0 || primary.position === null) return 'follows'
  const [[missing] = []] = await askPrimary(
    ask(`SELECT GTID_SUBTRACT(${text(replica.history)}, @@global.gtid_executed)`),
  )
  const count = countOf(String(missing ?? ''))
  if (count === null) return 'follows'
  return count === all ? 'is unrelated' : 'is ahead'
}
