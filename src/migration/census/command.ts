// `lookup census LOG`: shows who still calls the legacy interface. Its memory does not grow with the log.

import { createHmac, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Config } from '../../config/config.ts'
import { networkOf } from '../../http/client-address.ts'
import { sizeOfFiles } from '../../terminal/files.ts'
import { onInterrupt, statusOf } from '../../terminal/interrupt.ts'
import { showProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { copyOf, counted } from '../../text.ts'
import { listOf } from '../cli-options.ts'
import { LogAccount, unreadFiles } from '../logs/account.ts'
import { LogError } from '../logs/lines.ts'
import { type LookupsOptions, readLookups } from '../logs/lookups.ts'
import { checkReportFiles, type ReportFiles, writeReports } from '../report/files.ts'
import { printReport } from '../report/terminal.ts'
import { CensusClients } from './clients.ts'
import { presentCensus } from './presentation.ts'
import { type Census, summarize } from './report.ts'
import { createKindReader } from './request-kinds.ts'
import { agentOf, MAX_AGENT_LENGTH } from './user-agent.ts'

export interface CensusCommand extends ReportFiles {
  readonly logs: readonly string[]
  readonly path: string
  readonly format?: string
  readonly showAddresses?: boolean
}

/**
 * @param config of the gateway
 * @param setStatus gets the exit status before anything is printed: 130 after Ctrl-C, 143 after SIGTERM
 */
export async function runCensus(
  terminal: Terminal,
  config: Config,
  { logs, path, format, showAddresses = false, ...files }: CensusCommand,
  setStatus: (status: number) => void,
): Promise<void> {
  checkReportFiles(files, logs)
  const { signal, name, release } = onInterrupt(terminal)
  try {
    const progress = showProgress(terminal, 'census', sizeOfFiles(logs))
    const onProgress = (bytes: number, lines: number) => progress.update(bytes, counted(lines, 'line'))
    const paths = listOf(path)
    const options = { files: logs, terminal, paths, format, signal, onProgress, say: progress.say }
    const census = await takeCensus(options, config, showAddresses).finally(progress.stop)
    const unread = unreadFiles(census.log)
    if (census.complete && unread.length > 0 && unread.length === logs.length)
      throw new LogError(`Census failed. ${unread.join('\n')}`)
    setStatus(census.complete ? Math.sign(unread.length) : statusOf(name()))
    const report = presentCensus(census)
    terminal.stdout.write(printReport(report, terminal))
    writeReports(files, 'census', census, report)
  } finally {
    release()
  }
}

/** Characters that are read of an address, which may be the name of a host, and of a Referer. */
const MAX_ADDRESS_LENGTH = 100
const MAX_REFERER_LENGTH = 300

/** @throws LogError */
async function takeCensus(
  options: LookupsOptions,
  { dialect, legacy }: Config,
  showAddresses: boolean,
): Promise<Census> {
  const clients = new CensusClients()
  const account = new LogAccount()
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
  const source = { logs, paths, complete: !signal.aborted }
  return summarize(clients, source, account.summary(), showAddresses ? (address) => address : createHash())
}

/** Results that are cached for texts that come again. */
const MAX_CACHED = 20_000

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

/** The site of a Referer, without a login, a path or a query; empty if the Referer names no site. */
function originOf(referer: string): string {
  const [address = ''] = /^https?:\/\/[^/?#]*/i.exec(referer) ?? []
  return URL.parse(address)?.origin ?? ''
}

/** Characters of a hash: 64 bits, so that no two of 20,000 clients have the same hash. */
const HASH_LENGTH = 16

/** Hashes addresses with a key that is not stored: without a key, all IPv4 addresses can be tried. */
function createHash(): (address: string) => string {
  const key = randomBytes(32)
  return (address) => `#${createHmac('sha256', key).update(address).digest('hex').slice(0, HASH_LENGTH)}`
}
