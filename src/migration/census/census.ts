// Reads access logs, and counts who still calls the legacy interface, and for what.

import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Config } from '../../config/config.ts'
import { networkOf } from '../../http/client-address.ts'
import { copyOf } from '../../text.ts'
import { Account } from '../logs/account.ts'
import { type LookupsOptions, readLookups } from '../logs/lookups.ts'
import type { LoggedRequest } from '../logs/request.ts'
import { createAskedTable } from './asked.ts'
import { createAskedReader } from './asked-reader.ts'
import { type Census, reportOf } from './report.ts'
import { Tally } from './tally.ts'
import { agentOf, MAX_AGENT_LENGTH } from './user-agent.ts'

/** Characters of an address that are read: a host's name may stand there instead. */
const MAX_ADDRESS_LENGTH = 100
/** Characters of a Referer that are read: no host's name is longer. */
const MAX_REFERER_LENGTH = 300
/** Names and addresses that are not read again. */
const MAX_REMEMBERED = 20_000
/** Characters of a hash: 64 bits, so that no two of 20,000 clients have the same hash. */
const HASH_LENGTH = 16

/**
 * Takes a census, in memory that does not grow with the log.
 * @param config the dialect by which gateways read requests
 * @param showAddresses shows addresses instead of hashes
 * @throws LogError
 */
export async function takeCensus(
  options: LookupsOptions,
  { dialect, legacy }: Pick<Config, 'dialect' | 'legacy'>,
  showAddresses: boolean,
): Promise<Census> {
  const tally = new Tally()
  const keepAsked = createAskedTable()
  const askedOf = createAskedReader(dialect, legacy.maxValues, keepAsked)
  const count = createLogCounter(tally)
  const account = new Account()
  await readLookups(options, account, ({ query, posted }, logged) => {
    const asked = askedOf(query)
    // The gateway answers no POST, whatever it asks for.
    count(logged, posted ? keepAsked({ ...asked, problem: 'MethodNotAllowed' }) : asked)
  })
  const { files, paths, signal } = options
  const log = account.summary()
  const read = { logs: files, complete: !signal.aborted, lines: log.lines, log, paths }
  return reportOf(tally, read, showAddresses ? (address) => address : createHash())
}

/** @returns counts a request for its client */
function createLogCounter(tally: Tally): (logged: LoggedRequest, asked: Parameters<Tally['add']>[3]) => void {
  const agents = remembering(agentOf, MAX_AGENT_LENGTH)
  const origins = remembering(originOf, MAX_REFERER_LENGTH)
  const networks = remembering(
    (text) => (isIP(text) === 6 ? (networkOf(text) ?? text) : copyOf(text)),
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
    remembered.set(copyOf(read), result)
    return result
  }
}

/** Returns the site that a Referer names, without a login, a path or a query; empty if it names no site. */
function originOf(referer: string): string {
  if (!/^https?:\/\//i.test(referer)) return ''
  const [address = ''] = /^[^/]+\/\/[^/?#]*/.exec(referer.slice(0, MAX_REFERER_LENGTH)) ?? []
  return URL.parse(address)?.origin ?? ''
}

/** Hashes addresses with a key that nobody keeps: there are few enough IPv4 addresses to try all of them. */
function createHash(): (address: string) => string {
  const key = randomBytes(32)
  return (address) => `#${createHmac('sha256', key).update(address).digest('hex').slice(0, HASH_LENGTH)}`
}
