// Who still calls the legacy interface, and for what: by access logs, and by what gateways have counted.

import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { networkOf } from '../../gateway/http/client-address.ts'
import type { Dialect } from '../../settings.ts'
import { ownCopy } from '../../text.ts'
import { legacyCallOf } from '../access-log/legacy.ts'
import { type LoggedRequest, parseLogLine } from '../access-log/line.ts'
import { readLogLines } from '../access-log/read.ts'
import { listOf } from '../cli-options.ts'
import { createAskedReader, createAskedTable } from './asked.ts'
import { MAX_REFERER_LENGTH, originOf } from './origin.ts'
import { type Census, reportOf } from './report.ts'
import { Tally } from './tally.ts'
import { agentOf, MAX_AGENT_LENGTH } from './user-agent.ts'

/** Characters of an address that are read: a host's name may stand there instead. */
const MAX_ADDRESS_LENGTH = 100
/** Names and addresses that are not read again. */
const MAX_REMEMBERED = 20_000

interface CensusOptions {
  readonly logs: readonly string[]
  /** Where the legacy interface is, on the server whose log it is. */
  readonly path: string
  /** By which the requests are read. */
  readonly dialect: Dialect
  /** Whether addresses are shown as they are. Otherwise they are hashed. */
  readonly showAddresses: boolean
  readonly signal: AbortSignal
  /** Is told the bytes and the lines read so far. */
  readonly onProgress: (bytes: number, lines: number) => void
}

/** Takes a census, in memory that does not grow with the log. @throws LogError */
export async function takeCensus({
  logs,
  path,
  dialect,
  showAddresses,
  signal,
  onProgress,
}: CensusOptions): Promise<Census> {
  const tally = new Tally()
  const keepAsked = createAskedTable()
  const askedOf = createAskedReader(dialect, keepAsked)
  const count = createLogCounter(tally)
  const paths = listOf(path)
  let lines = 0
  for await (const bunch of readLogLines(logs, (bytes) => onProgress(bytes, lines), signal)) {
    if (signal.aborted) break
    for (const line of bunch) {
      if (line.trim() === '') continue
      lines++
      const logged = parseLogLine(line)
      const call = legacyCallOf(logged, paths)
      if (typeof call !== 'string' && logged !== null) count(logged, askedOf(call.query))
    }
  }
  const shown = showAddresses ? (address: string) => address : createHash(randomBytes(32))
  return reportOf(tally, { logs, complete: !signal.aborted, lines }, shown)
}

/** @returns counts a request for its client */
function createLogCounter(tally: Tally): (logged: LoggedRequest, asked: Parameters<Tally['add']>[3]) => void {
  const agents = remembering(agentOf, MAX_AGENT_LENGTH)
  const origins = remembering(originOf, MAX_REFERER_LENGTH)
  const networks = remembering(
    (text) => (isIP(text) === 6 ? (networkOf(text) ?? text) : ownCopy(text)),
    MAX_ADDRESS_LENGTH,
  )
  const addressOf = (text: string) =>
    text.length > MAX_ADDRESS_LENGTH || text.includes(':') ? networks(text) : text
  return ({ address, userAgent, referer, time }, asked) => {
    const origin = referer === '' ? '' : origins(referer)
    tally.add(addressOf(address), agents(userAgent), origin, asked, time)
  }
}

/** What is made of texts of which no more than a beginning is read; the same few come again and again. */
function remembering<Result>(make: (text: string) => Result, length: number): (text: string) => Result {
  const remembered = new Map<string, Result>()
  return (text) => {
    const read = text.length > length ? text.slice(0, length) : text
    const known = remembered.get(read)
    if (known !== undefined) return known
    const result = make(read)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(ownCopy(read), result)
    return result
  }
}

/** Characters of a hash: 64 bits, so that two of 20,000 clients are never one. */
const HASH_LENGTH = 16

/** There are few enough addresses to try them all, but for the key. */
export function createHash(key: Buffer | string): (address: string) => string {
  return (address) => `#${createHmac('sha256', key).update(address).digest('hex').slice(0, HASH_LENGTH)}`
}
