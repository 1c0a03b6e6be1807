// Where a server is in the history of its data: asked once in each probe, for all that depends on it.

import type { Ask, Place, Question, Relationship, Row } from '../servers/engine.ts'
import { errorNumber, isUnsupported, UNKNOWN_VARIABLE } from './errors.ts'
import { differenceOfNodes, nodeColumn, readNode } from './galera.ts'
import { areRelated, countOf, hasOthers, readGtidPosition, readGtidSet, type Transactions } from './gtid.ts'

/** Its position counts the transactions that it has. */
interface MysqlPlace extends Place {
  /** Tells two servers apart from one that has two addresses. */
  readonly server: string
  /** MySQL's identifier of it; `null` for MariaDB. */
  readonly uuid: string | null
  readonly transactions: Transactions
}

const ask = (text: string): Question => ({ name: '', text, values: [] })

/** Of a server that only has to be there. */
const nothing = 'SELECT 1'

// Each engine reads its own part. What a replica of MariaDB wrote by itself is not in gtid_slave_pos.
const whereabouts = `SELECT @@global.read_only, concat_ws(':', @@hostname, @@port, @@datadir)
  /*!50720 , @@server_uuid, @@global.gtid_executed */
  /*M!100001 , NULL, if(@@global.read_only, @@global.gtid_slave_pos, @@global.gtid_current_pos) */`

/** How far a replica is behind, in seconds, in the words of all versions. */
const replicaStatus = [ask('SHOW REPLICA STATUS'), ask('SHOW SLAVE STATUS')] as const
const SYNTAX_ERROR = '1064'
/** Where in these the seconds are: the same in all versions. */
const SECONDS_BEHIND = 32

/**
 * @param isWanted whether its place matters; otherwise it only has to answer
 * @param onUnknown called once for a server without transaction identifiers whose user may not ask how far it is
 * behind
 * @returns asks a server for its place; `null` where that is unknown
 */
export function createPlaceReader(
  askServer: Ask,
  isWanted: boolean,
  onUnknown: (what: 'history-unknown' | 'lag-unknown', error: unknown) => void,
): () => Promise<Place | null> {
  let status: readonly Question[] = replicaStatus
  const text = isWanted ? whereabouts : nothing
  let question = ask(`${text} ${nodeColumn}`)

  /** @returns `null` where it does not say; no number where it follows no server */
  async function readSecondsBehind(): Promise<number | null> {
    for (;;) {
      const [question, ...others] = status
      if (question === undefined) return null
      try {
        const [row] = await askServer(question)
        const seconds = row?.[SECONDS_BEHIND] ?? null
        return seconds === null ? Number.POSITIVE_INFINITY : Number(seconds)
      } catch (error) {
        if (!isUnsupported(error)) throw error
        status = errorNumber(error) === SYNTAX_ERROR ? others : []
        if (status.length === 0) onUnknown('lag-unknown', error)
      }
    }
  }

  async function readRow(): Promise<Row> {
    try {
      return (await askServer(question))[0] ?? []
    } catch (error) {
      if (errorNumber(error) !== UNKNOWN_VARIABLE) throw error
      question = ask(text)
      return (await askServer(question))[0] ?? []
    }
  }

  return async () => {
    const row = await readRow()
    if (!isWanted) {
      const node = readNode(row[1])
      // Every node may be written to.
      return node === null ? null : { acceptsWrites: true, position: null, node }
    }
    const place = { ...placeOf(row), node: readNode(row[4]) }
    if (place.acceptsWrites || place.position !== null || place.node !== null) return place
    return { ...place, secondsBehind: await readSecondsBehind() }
  }
}

function placeOf(row: Row): MysqlPlace {
  const [readOnly, server, uuid, gtids] = row
  const text = typeof gtids === 'string' ? gtids : ''
  const transactions = typeof uuid === 'string' ? readGtidSet(text) : readGtidPosition(text)
  return {
    // MariaDB 12 has words for several kinds of it.
    acceptsWrites: readOnly === 0 || readOnly === 'OFF',
    position: transactions.size === 0 ? null : countOf(transactions),
    server: String(server),
    uuid: typeof uuid === 'string' ? uuid : null,
    transactions,
  }
}

function isMysql(place: Place): place is MysqlPlace {
  return 'transactions' in place
}

/** What the places of a replica and of its primary, asked later, say of the two. */
export function compare(replica: Place, primary: Place): Relationship | null {
  if (!isMysql(replica) || !isMysql(primary)) return null
  if (replica.node && primary.node)
    return { difference: differenceOfNodes(replica.node, primary.node), unrelated: null }
  return { difference: differenceOf(replica, primary), unrelated: unrelatedOf(replica, primary) }
}

function differenceOf(replica: MysqlPlace, primary: MysqlPlace): string | null {
  // A server in DATABASE_URL that is a replica itself says nothing about others.
  if (replica.server === primary.server || !primary.acceptsWrites) return null
  if (replica.acceptsWrites) return `it accepts writes itself (read_only is OFF)${remedy}`
  if (!areRelated(replica.transactions, primary.transactions)) return null
  // What a replica of MySQL wrote by itself, such as a user that was made there, has its own identifier.
  return hasOthers(replica.transactions, primary.transactions, replica.uuid)
    ? `it has changes that the primary does not have${remedy}`
    : null
}

function unrelatedOf(replica: MysqlPlace, primary: MysqlPlace): string | null {
  return areRelated(replica.transactions, primary.transactions)
    ? null
    : 'it has no transaction in common with the server in DATABASE_URL. Correct DATABASE_REPLICA_URLS'
}

const remedy =
  '. Make it a replica of the server in DATABASE_URL with read_only = ON, or remove it from' +
  ' DATABASE_REPLICA_URLS. If it is the new primary, set DATABASE_URL to it'
