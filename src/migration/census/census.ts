// Who still calls the legacy interface, and for what, by an access log.

import { createHmac, randomBytes } from 'node:crypto'
import { fingerprint } from '../../fingerprint.ts'
import { ownCopy, shorten } from '../../text.ts'
import { type Asked, askedBy, legacyCallOf } from '../access-log/legacy.ts'
import { parseLogLine } from '../access-log/line.ts'
import { readLogLines } from '../access-log/read.ts'
import { listOf } from '../cli-options.ts'

/** A client, as it names itself, and one thing that it asks for. */
export interface CensusRow extends Asked {
  /** Its User-Agent; empty where it has none. */
  readonly client: string
  readonly requests: number
  /** From 0 to 1, of all legacy requests. */
  readonly share: number
  /** ISO 8601; `null` where the log does not say. */
  readonly lastSeen: string | null
  /** How many addresses it called from; of more than MAX_ADDRESSES, that many. */
  readonly addresses: number
  /** The one it called from last; hashed unless wanted otherwise. */
  readonly lastAddress: string
}

export interface Census {
  readonly logs: readonly string[]
  readonly made: string
  /** Whether the logs were read to their end. */
  readonly complete: boolean
  readonly lines: number
  readonly requests: number
  /** Those that ask for most first. */
  readonly rows: readonly CensusRow[]
}

/** Addresses that are told apart for each row. */
export const MAX_ADDRESSES = 100
/** Rows that are told apart. A client that makes up a name for each request must not fill the memory. */
const MOST_ROWS = 20_000
/** Characters of a client's name. */
const MAX_CLIENT_LENGTH = 200

const OTHERS = '(more clients than are told apart)'

interface Counted {
  readonly client: string
  readonly asked: Asked
  requests: number
  lastSeen: number
  lastAddress: string
  readonly addresses: Set<number>
}

interface CensusOptions {
  readonly logs: readonly string[]
  /** Where the legacy interface is, on the server whose log it is. */
  readonly path: string
  /** Whether addresses are shown as they are. Otherwise they are hashed with a key that is thrown away. */
  readonly showAddresses: boolean
  readonly signal: AbortSignal
  /** Is told the bytes and the lines read so far. */
  readonly onProgress: (bytes: number, lines: number) => void
}

/** Takes a census, in memory that does not grow with the log. @throws LogError */
export async function takeCensus({
  logs,
  path,
  showAddresses,
  signal,
  onProgress,
}: CensusOptions): Promise<Census> {
  const rows = new Map<string, Counted>()
  let lines = 0
  let requests = 0

  function rowOf(client: string, asked: Asked): Counted {
    const key = [client, asked.event, asked.method, asked.format].join('\0')
    const known = rows.get(key)
    if (known !== undefined) return known
    if (rows.size >= MOST_ROWS && client !== OTHERS)
      return rowOf(OTHERS, { event: 'any', method: '', format: 'any' })
    const row = {
      client,
      asked: { event: ownCopy(asked.event), method: ownCopy(asked.method), format: ownCopy(asked.format) },
      requests: 0,
      lastSeen: Number.NEGATIVE_INFINITY,
      lastAddress: '',
      addresses: new Set<number>(),
    }
    rows.set(key, row)
    return row
  }

  const paths = listOf(path)
  function count(line: string): void {
    lines++
    const logged = parseLogLine(line)
    const call = legacyCallOf(logged, paths)
    if (typeof call === 'string' || logged === null) return
    requests++
    const row = rowOf(clientOf(logged.userAgent), askedBy(call.query))
    row.requests++
    const seen = logged.time ?? Number.NEGATIVE_INFINITY
    if (seen >= row.lastSeen) {
      row.lastSeen = seen
      row.lastAddress = ownCopy(logged.address.slice(0, MAX_CLIENT_LENGTH))
    }
    if (logged.address !== '' && row.addresses.size < MAX_ADDRESSES)
      row.addresses.add(fingerprint(logged.address))
  }

  for await (const bunch of readLogLines(logs, (bytes) => onProgress(bytes, lines), signal)) {
    if (signal.aborted) break
    for (const line of bunch) if (line.trim() !== '') count(line)
  }
  const shown = showAddresses ? (address: string) => address : createHash()
  return {
    logs,
    made: new Date().toISOString(),
    complete: !signal.aborted,
    lines,
    requests,
    rows: [...rows.values()]
      .toSorted((a, b) => b.requests - a.requests)
      .map(({ asked, addresses, ...row }) => ({
        client: row.client,
        ...asked,
        requests: row.requests,
        share: row.requests / requests,
        lastSeen: row.lastSeen === Number.NEGATIVE_INFINITY ? null : new Date(row.lastSeen).toISOString(),
        addresses: addresses.size,
        lastAddress: row.lastAddress === '' ? '' : shown(row.lastAddress),
      })),
  }
}

function clientOf(userAgent: string): string {
  // Sent as bytes, and nearly always UTF-8.
  return shorten(Buffer.from(userAgent, 'latin1').toString('utf8'), MAX_CLIENT_LENGTH)
}

/** There are few enough addresses to try them all, but for the key, which is not kept. */
function createHash(): (address: string) => string {
  const key = randomBytes(32)
  return (address) => `#${createHmac('sha256', key).update(address).digest('hex').slice(0, 10)}`
}
