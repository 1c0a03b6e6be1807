// Reads access logs, and counts who still calls the legacy interface, and for what.

import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Config } from '../../config/config.ts'
import { networkOf } from '../../http/client-address.ts'
import { copyOf } from '../../text.ts'
import { Account } from '../logs/account.ts'
import { type LookupsOptions, readLookups } from '../logs/lookups.ts'
import { Clients } from './clients.ts'
import { type Census, summarize } from './report.ts'
import { createKindReader } from './request-kinds.ts'
import { agentOf, MAX_AGENT_LENGTH } from './user-agent.ts'

/** Characters that are read of an address, which may be the name of a host, and of a Referer. */
const MAX_ADDRESS_LENGTH = 100
const MAX_REFERER_LENGTH = 300
/** Results that are kept for texts that come again. */
const MAX_CACHED = 20_000
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
  const clients = new Clients()
  const account = new Account()
  const kindOf = createKindReader(dialect, legacy.maxValues)
  const agents = withCache(agentOf, MAX_AGENT_LENGTH)
  const origins = withCache(originOf, MAX_REFERER_LENGTH)
  // Machines change the other half of an IPv6 address by themselves.
  const networks = withCache((text) => (isIP(text) === 6 && networkOf(text)) || text, MAX_ADDRESS_LENGTH)
  await readLookups(options, account, (call, { address, userAgent, referer, time }) => {
    const isAddress = address.length <= MAX_ADDRESS_LENGTH && !address.includes(':')
    const origin = referer === '' ? '' : origins(referer)
    clients.add(isAddress ? address : networks(address), agents(userAgent), origin, kindOf(call), time)
  })
  const { files: logs, paths, signal } = options
  const source = { logs, paths, complete: !signal.aborted, log: account.summary() }
  return summarize(clients, source, showAddresses ? (address) => address : createHash())
}

/** @param length characters of a text that are read */
function withCache<Result>(make: (text: string) => Result, length: number): (text: string) => Result {
  const results = new Map<string, Result>()
  return (text) => {
    const read = text.length > length ? text.slice(0, length) : text
    const known = results.get(read)
    if (known !== undefined) return known
    const key = copyOf(read)
    const result = make(key)
    if (results.size >= MAX_CACHED) results.clear()
    results.set(key, result)
    return result
  }
}

/** The site of a Referer, without a login, a path or a query; empty if it names no site. */
function originOf(referer: string): string {
  const [address = ''] = /^https?:\/\/[^/?#]*/i.exec(referer) ?? []
  return URL.parse(address)?.origin ?? ''
}

/** Hashes addresses with a key that nobody keeps: there are few enough IPv4 addresses to try all of them. */
function createHash(): (address: string) => string {
  const key = randomBytes(32)
  return (address) => `#${createHmac('sha256', key).update(address).digest('hex').slice(0, HASH_LENGTH)}`
}
